internal import Model
internal import SluiceKit
internal import Wire

/// Transfers to other apps, the system and storage.
extension ScriptWork {
  func transfer() throws(ScriptMisuse) {
    switch call {
    case .share: try offer(.share)
    case .openIn: try offer(.openIn)
    case .drop: try offer(.dragAndDrop)
    case .importItem:
      let fields = try arguments.table(0)
      try fields.only("from", "via")
      let source = try fields.text("from")
      ask(.import(source: source, via: try path(fields)))
    case .save: try save()
    case .hand:
      let fields = try arguments.table(0)
      try fields.only("channel", "text", "data", "type", "name", "item", "file", "group")
      let channel = try systemChannel(fields)
      try withItem(fields) { ask(.use(SystemHandOff(channel: channel.rawValue, item: $0))) }
    case .notify:
      ask(.use(SystemHandOff(channel: Channel.notification.rawValue, item: try arguments.item(0))))
    case .copy: ask(.copy(try arguments.item(0)))
    case .paste: ask(.paste)
    default: try openURL()
    }
  }

  private func offer(_ way: Way) throws(ScriptMisuse) {
    let fields = try arguments.table(0)
    try fields.only("to", "text", "data", "type", "name", "item", "file", "group", "via")
    let destination = try fields.text("to")
    let path = try path(fields)
    try withItem(fields) {
      ask(.share(Share(destination: destination, item: $0, via: path, way: way)))
    }
  }

  private func save() throws(ScriptMisuse) {
    let fields = try arguments.table(0)
    try fields.only(
      "location", "account", "text", "data", "type", "name", "item", "file", "group")
    let name = try fields.text("location")
    guard let location = StorageLocation(rawValue: name) else {
      throw arguments.unknown(name, StorageLocation.self)
    }
    let account = try fields.text(orNothing: "account")
    try withItem(fields) {
      ask(
        .use(
          SystemHandOff(
            channel: Channel.saveTo.rawValue, location: location.rawValue, account: account,
            item: $0)))
    }
  }

  private func openURL() throws(ScriptMisuse) {
    let url = try arguments.text(0)
    let options = try arguments.options(1)
    try options.only("isKnownManagedAppScheme")
    let isKnown = options["isKnownManagedAppScheme"].isTrue
    guard call == .canOpenURL else {
      return ask(.openURL(OpenURL(url, isKnownManagedScheme: isKnown)))
    }
    scoped {
      application.policy.isURLAllowed(url, isKnownManagedAppScheme: isKnown) {
        answer([.boolean($0)])
      }
    }
  }

  /// Reads `via`: `sdk`, or `os` for a transfer that goes round the SDK.
  private func path(_ fields: ScriptFields) throws(ScriptMisuse) -> SharingPath {
    guard let name = try fields.text(orNothing: "via") else { return .sdk }
    guard let path = SharingPath(rawValue: name) else {
      throw arguments.unknown(name, SharingPath.self)
    }
    return path
  }

  private func systemChannel(_ fields: ScriptFields) throws(ScriptMisuse) -> Channel {
    let name = try fields.text("channel")
    guard let channel = Channel(rawValue: name), channel.counterpart == .system,
      !channel.isIncoming
    else { throw ScriptMisuse("`\(call.rawValue)` knows no channel `\(name)` to the system") }
    return channel
  }

  /// Calls `body` with the item that the fields state: content of their own, an item that came in, or a file of the
  /// container.
  private func withItem(
    _ fields: ScriptFields, _ body: @escaping (Item) -> Void
  ) throws(ScriptMisuse) {
    if let file = try fields.text(orNothing: "file") {
      let group = try fields.text(orNothing: "group")
      let empty = Item(
        type: try fields.text(orNothing: "type") ?? "public.data",
        name: try fields.text(orNothing: "name")
          ?? String(file.split(separator: "/").last ?? ""), payload: .inline([]))
      try checkNames(fields, of: empty)
      return withFile(file, group) { bytes in
        body(Item(type: empty.type, name: empty.name, payload: .inline(bytes)))
      }
    }
    let stated = fields["item"]
    guard let item = try Item(stated == .nothing ? .record(fields.fields) : stated) else {
      throw ScriptMisuse(
        "`\(call.rawValue)` needs one of the fields `text`, `data`, `item`, `file`")
    }
    try checkNames(fields, of: item)
    body(item)
  }

  /// Refuses names that are too long: the host would end a guest that sends them.
  private func checkNames(_ fields: ScriptFields, of item: Item) throws(ScriptMisuse) {
    let others = ["to", "location", "account", "channel"].compactMap { fields[$0].text }
    let length = others.reduce(item.nameLength) { $0 + $1.utf8.count }
    guard length <= RequestLimits.names else {
      throw ScriptMisuse(
        "`\(call.rawValue)` names more than \(RequestLimits.names) bytes with its fields")
    }
  }

  /// Calls `body` with a file's content; an error of the file is the answer to the call.
  private func withFile(
    _ file: String, _ group: String?, _ body: @escaping ([UInt8]) -> Void
  ) {
    scoped {
      application.openFile(atPath: file, for: .reading, inGroup: group) { result in
        do throws(ProtectedFileError) {
          let file = try result.get()
          defer { file.close() }
          body(try file.contents())
        } catch {
          answer([.nothing, .error(error)])
        }
      }
    }
  }
}

/// Calls about the keychain.
extension ScriptWork {
  func useKeychain() throws(ScriptMisuse) {
    let fields = try arguments.table(0)
    try fields.only("service", "account", "group", "value")
    let key = KeychainKey(
      group: try fields.text(orNothing: "group") ?? "", service: try fields.text("service"),
      account: try fields.text("account"))
    switch call {
    case .keychainAdd:
      guard case .bytes(let value) = fields["value"] else { throw fields.misuse("value", "string") }
      ask(.keychainAdd(key, value: value))
    case .keychainDelete: ask(.keychainDelete(key))
    default:
      scoped {
        application.keychain.copyMatching(key) { outcome in
          answer([.outcome(outcome), outcome.items.first.map { .bytes($0.bytes) } ?? .nothing])
        }
      }
    }
  }
}
