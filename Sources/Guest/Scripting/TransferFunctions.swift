internal import Model
internal import SluiceKit
internal import Wire

// Functions that move data: extension requests, transfers, the keychain and files.

// MARK: - The request of an extension

extension ScriptFunction {
  @ScriptFunctions static var request: [ScriptFunction] {
    ScriptFunction(
      "share.load", .text("type"), .optional(.integer("number")),
      result: ScriptResult<Result<ReceivedItem, ScriptLoadError>>("the item; or nil and the reason")
      {
        switch $0 {
        case .success(let item): [.received(item)]
        case .failure(let error): [.nothing, .text(error.description)]
        }
      },
      "loads an attachment as one of its types, named with or without the prefix "
        + "`com.microsoft.intune.mam.`. Without `number`, it loads the first attachment. If the type "
        + "is not offered, the error lists the offered types",
      waitsFor: .otherGuests, sender: .app
    ) { call, answer, type, number throws(ScriptMisuse) in
      try call.script.whenRequested(by: call.function) {
        call.load(type, at: number ?? 1, answer)
      }
    }
    ScriptFunction(
      "share.complete", .items("items"), result: .nothing,
      "ends the request and returns nothing, one item or a list of items to the sender",
      sender: .app
    ) { call, answer, items throws(ScriptMisuse) in
      try call.script.whenRequested(by: call.function) {
        if let context = call.script.takeRequest() {
          context.completeRequest(returningItems: items)
        } else {
          // A second completion is also sent, because the host decides its effect.
          call.application.request(.completeExtension(items)) { _ in }
        }
        answer(())
      }
    }
    ScriptFunction(
      "share.cancel", .optional(.text("why")), result: .nothing,
      "ends the request without returning items", sender: .app
    ) { call, answer, why throws(ScriptMisuse) in
      let why = why ?? "cancelled"
      try call.script.whenRequested(by: call.function) {
        if let context = call.script.takeRequest() {
          context.cancelRequest(withError: why)
        } else {
          call.application.request(.cancelExtension(why: why)) { _ in }
        }
        answer(())
      }
    }
  }
}

/// The reason why an attachment was not loaded.
private enum ScriptLoadError: Error, CustomStringConvertible {
  case noAttachment(Int)
  case notLoaded(ItemProviderError)
  /// The extension refused the item at random. The scenario sets the probability.
  case refused

  var description: String {
    switch self {
    case .noAttachment(let number): "attachment \(number) does not exist"
    case .notLoaded(let error): error.description
    case .refused: Script.refusal
    }
  }
}

extension ScriptCall {
  fileprivate func load(
    _ type: String, at number: Int,
    _ answer: @escaping (Result<ReceivedItem, ScriptLoadError>) -> Void
  ) {
    guard let context = script.openRequest, number > 0,
      context.attachments.indices.contains(number - 1)
    else { return answer(.failure(.noAttachment(number))) }
    context.attachments[number - 1].loadItem(forTypeIdentifier: type) { [script] result in
      if case .success(let item) = result, script.refuses(item) {
        return answer(.failure(.refused))
      }
      answer(result.mapError(ScriptLoadError.notLoaded))
    }
  }
}

// MARK: - Transfers

extension ScriptFunction {
  @ScriptFunctions static var transfers: [ScriptFunction] {
    offer(
      "app.share", .share,
      "offers a copy to an app or extension, by name or bundle id. `via = \"os\"` bypasses the SDK")
    offer("app.open", .openIn, "opens a document in an app")
    offer("app.drop", .dragAndDrop, "drops an item in an app")
    ScriptFunction(
      "app.import", .table(.field(.text("from")), .field(.path)), result: .outcome,
      "requests an item from another app. `items[1]` of the outcome is the item",
      waitsFor: .otherGuests
    ) { call, answer, fields in
      let (source, path) = fields
      call.ask(.import(source: source, via: path ?? .sdk), answer)
    }
    ScriptFunction(
      "app.save",
      .table(
        .field(.choice("location", StorageLocation.self)),
        .field(.optional(.text("account"))), .item),
      result: .transfer,
      "saves a copy to a storage location; `account` is the location's owner, if it has one"
    ) { call, answer, fields throws(ScriptMisuse) in
      let (location, account, item) = fields
      try item.withItem(answer) {
        .use(
          Use(
            channel: Channel.saveTo.rawValue, location: location.rawValue, account: account,
            item: $0))
      }
    }
    ScriptFunction(
      "app.hand", .table(.field(.systemChannel), .item), result: .transfer,
      "passes an item to the system: `print`, `spotlight`, `widget`, …"
    ) { call, answer, fields throws(ScriptMisuse) in
      let (channel, item) = fields
      try item.withItem(answer) { .use(Use(channel: channel.rawValue, item: $0)) }
    }
    ScriptFunction(
      "notifications.show", .item("item"), result: .outcome, "shows an item in a notification"
    ) { call, answer, item in
      call.ask(
        .use(Use(channel: Channel.notification.rawValue, item: item)), answer)
    }
    ScriptFunction(
      "pasteboard.copy", .item("item"), result: .outcome, "copies an item to the pasteboard"
    ) { call, answer, item in call.ask(.copy(item), answer) }
    ScriptFunction(
      "pasteboard.paste", result: .outcome,
      "requests the content of the pasteboard. `items[1]` of the outcome is the content"
    ) { call, answer in call.ask(.paste, answer) }
    ScriptFunction(
      "url.open", .text("url"), .isKnownManagedAppScheme, result: .outcome, "opens a URL",
      waitsFor: .otherGuests
    ) { call, answer, url, isKnown in
      call.ask(.openURL(OpenURL(url, isKnownManagedScheme: isKnown)), answer)
    }
    ScriptFunction(
      "url.canOpen", .text("url"), .isKnownManagedAppScheme, result: .boolean,
      "whether the URL may be opened"
    ) { call, answer, url, isKnown in
      call.application.policy.isURLAllowed(
        url, isKnownManagedAppScheme: isKnown, completion: answer)
    }
  }

  private static func offer(_ name: String, _ way: Way, _ summary: String) -> ScriptFunction {
    ScriptFunction(
      name, .table(.field(.text("to")), .item, .field(.path)), result: .transfer, summary,
      waitsFor: .otherGuests
    ) { call, answer, fields throws(ScriptMisuse) in
      let (destination, item, path) = fields
      try item.withItem(answer) {
        .share(Share(destination: destination, item: $0, via: path ?? .sdk, way: way))
      }
    }
  }
}

extension ScriptParameter<SharingPath?> {
  /// The sharing path: `sdk`, or `os` for a transfer that bypasses the SDK.
  fileprivate static var path: ScriptParameter { optional(.choice("via", SharingPath.self)) }
}

extension ScriptParameter<Bool> {
  fileprivate static var isKnownManagedAppScheme: ScriptParameter {
    options(.field(truth("isKnownManagedAppScheme")))
  }
}

extension ScriptParameter<Channel> {
  fileprivate static var systemChannel: ScriptParameter {
    ScriptParameter("channel", "string") { argument throws(ScriptMisuse) in
      let name = try argument.text()
      guard let channel = Channel(rawValue: name), channel.counterpart == .system,
        !channel.isIncoming
      else {
        throw ScriptMisuse(
          "`\(argument.call.function.name)` has no channel `\(name)` to the system")
      }
      return channel
    }
  }
}

extension ScriptResult<Result<RequestOutcome, ProtectedFileError>> {
  fileprivate static var transfer: ScriptResult {
    file("an outcome", ScriptValue.outcome)
  }
}

/// The item described by a call's fields: inline content, a received item, or a file in a
/// container.
private struct ScriptItem {
  let fields: ScriptFields

  private static let file = ScriptParameter.optional(.text("file"))
  private static let group = ScriptParameter.optional(.text("group"))
  private static let type = ScriptParameter.optional(.text("type"))
  private static let name = ScriptParameter.optional(.text("name"))

  static let forms =
    [
      ScriptParameterForm(name: "text", type: "string", isOptional: true),
      ScriptParameterForm(name: "data", type: "string", isOptional: true),
    ] + [type.form, name.form]
    + [ScriptParameterForm(name: "item", type: "item", isOptional: true)]
    + [file.form, group.form]

  /// Reads the item, and sends the request that `request` creates with it.
  func withItem(
    _ answer: @escaping (Result<RequestOutcome, ProtectedFileError>) -> Void,
    _ request: @escaping (Item) -> GuestMessage.Body
  ) throws(ScriptMisuse) {
    let call = fields.call
    if let file = try fields(Self.file) {
      let group = try fields(Self.group)
      let empty = Item(
        type: try fields(Self.type) ?? "public.data",
        name: try fields(Self.name) ?? String(file.split(separator: "/").last ?? ""),
        payload: .inline([]))
      try checkNames(of: empty)
      return call.openFile(file, for: .reading, in: group) {
        answer(.failure($0))
      } _: { file throws(ProtectedFileError) in
        let item = Item(
          type: empty.type, name: empty.name, payload: .inline(try file.contents()))
        call.scoped { call.ask(request(item)) { answer(.success($0)) } }
      }
    }
    let stated = fields["item"]
    guard let item = try Item(stated == .nothing ? .record(fields.fields) : stated) else {
      throw ScriptMisuse(
        "`\(call.function.name)` needs one of the fields `text`, `data`, `item` and `file`")
    }
    try checkNames(of: item)
    call.ask(request(item)) { answer(.success($0)) }
  }

  /// Rejects names that are too long, because the host terminates a guest that sends them.
  private func checkNames(of item: Item) throws(ScriptMisuse) {
    let others = ["to", "location", "account", "channel"].compactMap { fields[$0].text }
    let length = others.reduce(item.nameLength) { $0 + $1.utf8.count }
    guard length <= RequestLimits.names else {
      throw ScriptMisuse(
        "the fields of `\(fields.call.function.name)` have more than \(RequestLimits.names) bytes of "
          + "names")
    }
  }
}

extension ScriptField<ScriptItem> {
  fileprivate static var item: ScriptField {
    ScriptField(forms: ScriptItem.forms) { ScriptItem(fields: $0) }
  }
}

// MARK: - The keychain

extension ScriptFunction {
  @ScriptFunctions static var keychain: [ScriptFunction] {
    ScriptFunction(
      "keychain.add", .table(.keychainKey, .field(.bytes("value"))), result: .outcome,
      "adds a password, to the app's default group if there is no `group`"
    ) { call, answer, fields in
      let (key, value) = fields
      call.ask(.keychainAdd(key, value: value), answer)
    }
    ScriptFunction(
      "keychain.query", .table(.keychainKey, .field(.unread("value"))),
      result: ScriptResult("an outcome, and the value or nil") { outcome in
        [.outcome(outcome), outcome.items.first.map { .bytes($0.bytes) } ?? .nothing]
      }, "looks up a password. `value` is ignored"
    ) { call, answer, fields in
      call.application.keychain.copyMatching(fields.0, completion: answer)
    }
    ScriptFunction(
      "keychain.delete", .table(.keychainKey, .field(.unread("value"))), result: .outcome,
      "deletes a password. `value` is ignored"
    ) { call, answer, fields in call.ask(.keychainDelete(fields.0), answer) }
  }
}

extension ScriptField<KeychainKey> {
  fileprivate static var keychainKey: ScriptField {
    let service = ScriptParameter.text("service")
    let account = ScriptParameter.text("account")
    let group = ScriptParameter.optional(.text("group"))
    return ScriptField(forms: [service.form, account.form, group.form]) {
      fields throws(ScriptMisuse) in
      KeychainKey(
        group: try fields(group) ?? "", service: try fields(service),
        account: try fields(account))
    }
  }
}

extension ScriptParameter<Void> {
  /// Creates a field that the function accepts but does not read, so one table can be passed to several
  /// functions.
  fileprivate static func unread(_ name: String) -> ScriptParameter {
    ScriptParameter(name, "string", isOptional: true) { _ in }
  }
}

// MARK: - Files, and data with an owner

extension ScriptFunction {
  @ScriptFunctions static var files: [ScriptFunction] {
    ScriptFunction(
      "files.read", .text("path"), .group, result: .file("the bytes", ScriptValue.bytes),
      "reads a file"
    ) { call, answer, path, group in
      call.openFile(path, for: .reading, in: group) {
        answer(.failure($0))
      } _: { file throws(ProtectedFileError) in
        answer(.success(try file.contents()))
      }
    }
    ScriptFunction(
      "files.write", .text("path"), .bytes("bytes"), .group, result: .change,
      "creates or overwrites a file, and sets its owner"
    ) { call, answer, path, bytes, group in
      call.openFile(path, for: .truncating, in: group, answer) {
        file throws(ProtectedFileError) in
        try file.pwrite(bytes, at: 0)
        answer(nil)
      }
    }
    ScriptFunction(
      "files.append", .text("path"), .bytes("bytes"), .group, result: .change,
      "appends to a file, which is created if it does not exist"
    ) { call, answer, path, bytes, group in
      call.openFile(path, for: .creating, in: group, answer) {
        file throws(ProtectedFileError) in
        try file.pwrite(bytes, at: file.size())
        answer(nil)
      }
    }
    ScriptFunction(
      "files.remove", .text("path"), .group, result: .change, "removes a file"
    ) { call, answer, path, group in
      call.application.removeFile(atPath: path, inGroup: group, completion: answer)
    }
    ScriptFunction(
      "files.move", .text("path"), .text("to"), .group, result: .change,
      "renames a file, which keeps its owner"
    ) { call, answer, path, target, group in
      call.application.moveFile(
        atPath: path, toPath: target, inGroup: group, completion: answer)
    }
    ScriptFunction(
      "files.protect", .text("path"), .text("account"), .group, result: .change,
      "transfers a file to an account"
    ) { call, answer, path, account, group in
      call.application.fileProtectionManager.protect(
        path, accountId: account, inGroup: group, completion: answer)
    }
    ScriptFunction(
      "files.verify", .text("path"), .text("account"), .group, result: .change,
      "transfers a file to an account, unless the file already belongs to it in the form that the "
        + "account's policy requires"
    ) { call, answer, path, account, group in
      call.application.fileProtectionManager.verifyAndProtect(
        path, accountId: account, inGroup: group, completion: answer)
    }
    ScriptFunction(
      "files.info", .text("path"), .group,
      result: .file("the owner's `account` and `isManaged`, nil if there is no owner") {
        ScriptValue.owner($0)
      }, "requests the owner of a file"
    ) { call, answer, path, group in
      call.application.fileProtectionManager.protectionInfo(
        path, inGroup: group, completion: answer)
    }
    ScriptFunction(
      "files.list", .optional(.text("folder")), .group,
      result: .file("a list of names") { (names: [String]) in
        .list(names.map { .text($0) })
      },
      "lists a folder, by default the container, in alphabetical order. Names of folders end in `/`"
    ) { call, answer, folder, group in
      call.application.files.list(
        FileReference(folder ?? ".", group: group ?? ""), completion: answer)
    }
    ScriptFunction(
      "data.protect", .bytes("bytes"), .text("account"),
      result: .file("the protected bytes", ScriptValue.bytes),
      "protects bytes for an account, which becomes their owner"
    ) { call, answer, bytes, account in
      call.application.dataProtectionManager.protect(
        bytes, accountId: account, completion: answer)
    }
    ScriptFunction(
      "data.unprotect", .bytes("bytes"),
      result: .file("the bytes", ScriptValue.bytes), "restores protected bytes"
    ) { call, answer, bytes in
      call.application.dataProtectionManager.unprotect(bytes, completion: answer)
    }
    ScriptFunction(
      "data.info", .bytes("bytes"),
      result: .optional("the owner's account") { .text($0) }, "the owner of protected bytes"
    ) { call, answer, bytes in
      answer(call.application.dataProtectionManager.protectionInfo(bytes))
    }
  }
}

extension ScriptParameter<String?> {
  /// The app group that contains a file; nil for the app's own container.
  fileprivate static var group: ScriptParameter { options(.field(.optional(.text("group")))) }
}

extension ScriptCall {
  /// Opens a file, which is closed when `body` returns.
  ///
  /// - Parameter failure: Receives the error of the open or of `body`.
  fileprivate func openFile(
    _ path: String, for mode: FileMode, in group: String?,
    _ failure: @escaping (ProtectedFileError) -> Void,
    _ body: @escaping (ProtectedFile) throws(ProtectedFileError) -> Void
  ) {
    application.openFile(atPath: path, for: mode, inGroup: group) { result in
      do throws(ProtectedFileError) {
        let file = try result.get()
        defer { file.close() }
        try body(file)
      } catch {
        failure(error)
      }
    }
  }
}
