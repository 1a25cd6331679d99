internal import Model
internal import SluiceKit
internal import Wire

/// Performs one call of a script: checks its arguments, sends a request to the host and answers.
struct ScriptWork {
  let call: ScriptCall
  let arguments: ScriptArguments
  /// The identity set by the innermost `accounts.within`.
  let identity: ThreadIdentity
  let application: Application
  unowned let script: Script
  /// Receives the answer; call it once.
  let answer: ([ScriptValue]) -> Void

  /// - Throws: ``ScriptMisuse`` if an argument is invalid; ``answer`` is then not called.
  func perform() throws(ScriptMisuse) {
    switch call {
    // Extension request
    case .load:
      let type = try arguments.text(0)
      let place = arguments[1] == .nothing ? 1 : try arguments.integer(1)
      try script.whenRequested(by: call) { load(type, at: place) }
    case .complete:
      let items = try arguments.items(0)
      try script.whenRequested(by: call) { complete(items) }
    case .cancel:
      let why = try arguments.text(orNothing: 0) ?? "cancelled"
      try script.whenRequested(by: call) { cancel(why) }

    // Transfers to other apps, the system and storage
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
    case .openURL:
      let (url, isKnown) = try openedURL()
      ask(.openURL(OpenURL(url, isKnownManagedScheme: isKnown)))
    case .canOpenURL:
      let (url, isKnown) = try openedURL()
      scoped {
        application.policy.isURLAllowed(
          url, isKnownManagedAppScheme: isKnown, completion: finish)
      }

    // The keychain
    case .keychainAdd:
      let (key, fields) = try keychainKey()
      guard case .bytes(let value) = fields["value"] else { throw fields.misuse("value", "string") }
      ask(.keychainAdd(key, value: value))
    case .keychainQuery:
      let (key, _) = try keychainKey()
      scoped {
        application.keychain.copyMatching(key) { outcome in
          answer([.outcome(outcome), outcome.items.first.map { .bytes($0.bytes) } ?? .nothing])
        }
      }
    case .keychainDelete:
      let (key, _) = try keychainKey()
      ask(.keychainDelete(key))

    // Accounts of the app, and its acting identity
    case .signIn:
      let account = try arguments.text(0)
      scoped { application.enrollmentManager.signIn(account) { answer([.outcome($0)]) } }
    case .signOut:
      let account = try arguments.text(0)
      scoped {
        application.enrollmentManager.deRegisterAndUnenrollAccountId(account) {
          answer([.outcome($0)])
        }
      }
    case .switchTo:
      let account = try arguments.text(orNothing: 0)
      let window = try arguments.text(orNothing: 1)
      scoped {
        application.policyManager.setUIPolicyAccountId(account, forWindow: window) {
          answer([.text($0.name)])
        }
      }
    case .current:
      let window = try arguments.text(orNothing: 0)
      answer([.text(orNothing: application.policyManager.getUIPolicyAccountId(forWindow: window))])
    case .isManaged: answer([.boolean(application.policyManager.isIdentityManaged)])
    case .setProcess:
      let account = try arguments.text(orNothing: 0)
      scoped { application.policyManager.setProcessAccountId(account) { answer([.text($0.name)]) } }
    case .process: answer([.text(orNothing: application.policyManager.getProcessAccountId())])

    // Enrollment, conditional access and tokens
    case .enroll, .login:
      let account = try arguments.text(orNothing: 0)
      scoped {
        application.enrollmentManager.enroll(Enroll(account: account, isLogin: call == .login)) {
          answer([.outcome($0)])
        }
      }
    case .unenroll:
      let account = try arguments.text(0)
      let wipes = try arguments.boolean(orNothing: 1) ?? false
      scoped {
        application.enrollmentManager.deRegisterAndUnenrollAccountId(account, withWipe: wipes) {
          answer([.outcome($0)])
        }
      }
    case .registered:
      let accounts = application.enrollmentManager.registeredAccountIds()
      answer([.list(accounts.map(ScriptValue.text))])
    case .enrolled:
      let accounts = application.enrollmentManager.enrolledAccountIds()
      answer([.list(accounts.map(ScriptValue.text))])
    case .remediate:
      let account = try arguments.text(0)
      let isSilent = try arguments.boolean(orNothing: 1) ?? false
      scoped {
        application.complianceManager.remediateCompliance(
          forAccountId: account, silent: isSilent
        ) { answer([.outcome($0)]) }
      }
    case .isRemediating:
      let account = try arguments.text(0)
      answer([
        .boolean(application.complianceManager.remediationInProgress(forAccountId: account))
      ])
    case .acquireToken: try acquireToken()

    // Files, and data with an owner
    case .read:
      try open(.reading) { file throws(ProtectedFileError) in .bytes(try file.contents()) }
    case .write:
      let bytes = try arguments.bytes(1)
      try open(.truncating, options: 2) { file throws(ProtectedFileError) in
        try file.pwrite(bytes, at: 0)
        return .boolean(true)
      }
    case .append:
      let bytes = try arguments.bytes(1)
      try open(.creating, options: 2) { file throws(ProtectedFileError) in
        try file.pwrite(bytes, at: file.size())
        return .boolean(true)
      }
    case .remove:
      let path = try arguments.text(0)
      let group = try group(1)
      scoped { application.removeFile(atPath: path, inGroup: group, completion: finish) }
    case .move:
      let (path, target, group) = try pathAndName()
      scoped {
        application.moveFile(atPath: path, toPath: target, inGroup: group, completion: finish)
      }
    case .protect:
      let (path, account, group) = try pathAndName()
      scoped {
        application.fileProtectionManager.protect(
          path, accountId: account, inGroup: group, completion: finish)
      }
    case .verify:
      let (path, account, group) = try pathAndName()
      scoped {
        application.fileProtectionManager.verifyAndProtect(
          path, accountId: account, inGroup: group, completion: finish)
      }
    case .info:
      let path = try arguments.text(0)
      let group = try group(1)
      scoped {
        application.fileProtectionManager.protectionInfo(path, inGroup: group) { result in
          switch result {
          case .success(let owner): answer([.owner(owner)])
          case .failure(let error): answer([.nothing, .error(error)])
          }
        }
      }
    case .list:
      let folder = try arguments.text(orNothing: 0) ?? "."
      let group = try group(1)
      scoped {
        application.listFolder(atPath: folder, inGroup: group) { result in
          switch result {
          case .success(let names): answer([.list(names.map { .text($0) })])
          case .failure(let error): answer([.nothing, .error(error)])
          }
        }
      }
    case .protectData:
      let bytes = try arguments.bytes(0)
      let account = try arguments.text(1)
      scoped {
        application.dataProtectionManager.protect(bytes, accountId: account, completion: finish)
      }
    case .unprotectData:
      let bytes = try arguments.bytes(0)
      scoped { application.dataProtectionManager.unprotect(bytes, completion: finish) }
    case .dataInfo:
      let bytes = try arguments.bytes(0)
      answer([.text(orNothing: application.dataProtectionManager.protectionInfo(bytes))])

    // App configuration. The device has already delivered it, so no request is sent.
    case .configuredString:
      let (key, configuration, options) = try configured("account", "query")
      let query = try query(
        options, ["any": IntuneMAMStringQueryType.any, "min": .min, "max": .max])
      answer([.text(orNothing: configuration.stringValue(forKey: key, queryType: query))])
    case .configuredNumber:
      let (key, configuration, options) = try configured("account", "query")
      let query = try query(
        options, ["any": IntuneMAMNumberQueryType.any, "min": .min, "max": .max])
      let number = configuration.numberValue(forKey: key, queryType: query)
      answer([number.map(ScriptValue.init) ?? .nothing])
    case .configuredBoolean:
      let (key, configuration, options) = try configured("account", "query")
      let query = try query(options, ["any": IntuneMAMBoolQueryType.any, "or": .or, "and": .and])
      let flag = configuration.boolValue(forKey: key, queryType: query)
      answer([flag.map(ScriptValue.boolean) ?? .nothing])
    case .configuredStrings:
      let (key, configuration, _) = try configured("account")
      answer([.list(configuration.allStrings(forKey: key).map(ScriptValue.text))])
    case .configuredNumbers:
      let (key, configuration, _) = try configured("account")
      answer([.list(configuration.allNumbers(forKey: key).map(ScriptValue.init))])
    case .configuredBooleans:
      let (key, configuration, _) = try configured("account")
      answer([.list(configuration.allBools(forKey: key).map(ScriptValue.boolean))])
    case .configurationConflict:
      let (key, configuration, _) = try configured("account")
      answer([.boolean(configuration.hasConflict(key))])
    case .configurationData:
      let data = try configuration(try arguments.options(0), ["account"]).fullData
      answer([.list(data.map { .record($0.mapValues(ScriptValue.init)) })])

    // Policy queries, which transfer no data
    case .isSaveToAllowed:
      let location = try arguments.choice(0, StorageLocation.self)
      let account = try arguments.text(orNothing: 1)
      scoped {
        application.policy.isSaveToAllowed(for: location, accountId: account, completion: finish)
      }
    case .isOpenFromAllowed:
      let location = try arguments.choice(0, StorageLocation.self)
      let account = try arguments.text(orNothing: 1)
      scoped {
        application.policy.isOpenFromAllowed(for: location, accountId: account, completion: finish)
      }
    case .saveToLocations:
      let account = try arguments.text(orNothing: 0)
      scoped {
        application.policy.getSaveToLocations(forAccountId: account, completion: finish)
      }
    case .openFromLocations:
      let account = try arguments.text(orNothing: 0)
      scoped {
        application.policy.getOpenFromLocations(forAccountId: account, completion: finish)
      }
    case .isURLAllowed, .isUniversalLinkAllowed:
      let url = try arguments.text(0)
      scoped { application.policy.isURLAllowed(url, completion: finish) }
    case .canReceive:
      let item = try arguments.item(0)
      scoped {
        _ = application.request(.canReceive(item)) { finish($0.verdict != .blocked) }
      }
    case .isDocumentPickerAllowed:
      let mode = try pickerMode()
      scoped { application.policy.isDocumentPickerAllowed(mode, completion: finish) }
    case .isAppSharingAllowed:
      scoped { application.policy.isAppSharingAllowed(completion: finish) }
    case .isPrintingAllowed:
      scoped { application.policy.isPrintingAllowed(completion: finish) }
    case .isContactSyncAllowed:
      scoped { application.policy.isContactSyncAllowed(completion: finish) }
    case .isWidgetContentSyncAllowed:
      scoped { application.policy.isWidgetContentSyncAllowed(completion: finish) }
    case .isSpotlightIndexingAllowed:
      scoped { application.policy.isSpotlightIndexingAllowed(completion: finish) }
    case .areSiriIntentsAllowed:
      scoped { application.policy.areSiriIntentsAllowed(completion: finish) }
    case .areAppIntentsAllowed:
      scoped { application.policy.areAppIntentsAllowed(completion: finish) }
    case .isScreenCaptureAllowed:
      scoped { application.policy.isScreenCaptureAllowed(completion: finish) }
    case .isManagedBrowserRequired:
      scoped { application.policy.isManagedBrowserRequired(completion: finish) }
    case .isFileEncryptionRequired:
      scoped { application.policy.isFileEncryptionRequired(completion: finish) }
    case .notificationPolicy:
      scoped { application.policy.notificationPolicy { answer([.text($0.name)]) } }

    // Configuration and secrets from the administrator
    case .managedConfiguration:
      application.managedApp.configuration { answer([$0.map(ScriptValue.bytes) ?? .nothing]) }
    case .legacyManagedConfiguration:
      application.managedApp.legacyConfiguration { answer([$0.map(ScriptValue.bytes) ?? .nothing]) }
    case .managedPasswords: listIdentifiers(of: .password)
    case .managedCertificates: listIdentifiers(of: .certificate)
    case .managedIdentities: listIdentifiers(of: .identity)
    case .managedPassword:
      let identifier = try arguments.text(0)
      application.managedApp.password(withIdentifier: identifier) { finish($0) { .text($0) } }
    case .managedCertificate:
      let identifier = try arguments.text(0)
      application.managedApp.certificate(withIdentifier: identifier) { finish($0) { .bytes($0) } }
    case .managedIdentity:
      let identifier = try arguments.text(0)
      application.managedApp.identity(withIdentifier: identifier) {
        finish($0) { .list($0.map(ScriptValue.bytes)) }
      }
    case .managedSign: try sign()
    case .managedReport: try report()

    case .pause:
      let milliseconds = try arguments.integer(0)
      guard (0...3_600_000).contains(milliseconds) else {
        throw ScriptMisuse("`device.pause` takes 0 to 3600000 milliseconds")
      }
      application.after(milliseconds: UInt64(milliseconds)) { answer([]) }
    }
  }

  /// Runs `body`, which sends a request, with the identity of the script's scope.
  private func scoped<Value>(_ body: () -> Value) -> Value { identity.scope(body) }

  /// Sends a request and answers with its outcome.
  private func ask(_ body: GuestMessage.Body) {
    scoped { _ = application.request(body) { answer([.outcome($0)]) } }
  }

  // MARK: Answers

  private func finish(_ isAllowed: Bool) { answer([.boolean(isAllowed)]) }

  /// Answers with the allowed state of each location.
  private func finish(_ answers: [StorageLocation: Bool]) {
    let named = answers.map { ($0.key.rawValue, ScriptValue.boolean($0.value)) }
    answer([.record(Dictionary(named) { $1 })])
  }

  /// Answers with true, or with nothing and a file error.
  private func finish(_ error: ProtectedFileError?) {
    answer(error.map { [.nothing, .error($0)] } ?? [.boolean(true)])
  }

  /// Answers with the data, or with nothing and a file error.
  private func finish(_ result: Result<[UInt8], ProtectedFileError>) {
    switch result {
    case .success(let bytes): answer([.bytes(bytes)])
    case .failure(let error): answer([.nothing, .error(error)])
    }
  }

  /// Answers with the value, or with nothing and the name of the error.
  private func finish<Value>(
    _ result: Result<Value, ManagedAppError>, _ value: (Value) -> ScriptValue
  ) {
    switch result {
    case .success(let found): answer([value(found)])
    case .failure(let error): answer([.nothing, .text("\(error)")])
    }
  }

  // MARK: The request of an extension

  /// Answers with the item, or with nothing and the reason.
  private func load(_ type: String, at place: Int) {
    guard let context = script.openRequest, place > 0,
      context.attachments.indices.contains(place - 1)
    else { return answer([.nothing, .text("attachment \(place) is not there")]) }
    context.attachments[place - 1].loadItem(forTypeIdentifier: type) { result in
      switch result {
      case .success(let item): answer([.received(item)])
      case .failure(let error): answer([.nothing, .text(error.description)])
      }
    }
  }

  private func complete(_ items: [Item]) {
    if let context = script.takeRequest() {
      context.completeRequest(returningItems: items)
    } else {
      // A second completion is sent too; the host decides its effect.
      application.request(.completeExtension(items)) { _ in }
    }
    answer([])
  }

  private func cancel(_ why: String) {
    if let context = script.takeRequest() {
      context.cancelRequest(withError: why)
    } else {
      application.request(.cancelExtension(why: why)) { _ in }
    }
    answer([])
  }

  // MARK: Transfers

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

  /// Reads a URL, and whether the app knows its scheme as a managed app's.
  private func openedURL() throws(ScriptMisuse) -> (url: String, isKnown: Bool) {
    let url = try arguments.text(0)
    let options = try arguments.options(1)
    try options.only("isKnownManagedAppScheme")
    return (url, options["isKnownManagedAppScheme"].isTrue)
  }

  /// Reads `via`: `sdk`, or `os` for a transfer that bypasses the SDK.
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

  /// Calls `body` with the item stated by the fields: inline content, a received item,
  /// or a file in the container.
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

  /// Rejects names that are too long, because the host terminates a guest that sends them.
  private func checkNames(_ fields: ScriptFields, of item: Item) throws(ScriptMisuse) {
    let others = ["to", "location", "account", "channel"].compactMap { fields[$0].text }
    let length = others.reduce(item.nameLength) { $0 + $1.utf8.count }
    guard length <= RequestLimits.names else {
      throw ScriptMisuse(
        "`\(call.rawValue)` names more than \(RequestLimits.names) bytes with its fields")
    }
  }

  /// Calls `body` with a file's content. If the file cannot be read, the error is the answer.
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

  /// Reads the key of a keychain item, and returns it with all fields of the argument.
  private func keychainKey() throws(ScriptMisuse) -> (key: KeychainKey, fields: ScriptFields) {
    let fields = try arguments.table(0)
    try fields.only("service", "account", "group", "value")
    let key = KeychainKey(
      group: try fields.text(orNothing: "group") ?? "", service: try fields.text("service"),
      account: try fields.text("account"))
    return (key, fields)
  }

  // MARK: Tokens

  /// Answers with the token; otherwise with nothing, the status, and the account that
  /// requires protection, if any.
  private func acquireToken() throws(ScriptMisuse) {
    let account = try arguments.text(0)
    let resource = try arguments.text(1)
    let configuration = MSALPublicClientApplicationConfig(
      clientId: application.bundleIdentifier,
      clientApplicationCapabilities: try arguments.texts(orNothing: 2))
    let client = MSALPublicClientApplication(configuration: configuration, in: application)
    scoped {
      client.acquireToken(forAccountId: account, resource: resource) { result in
        switch result {
        case .success(let token): answer([.text(token.accessToken)])
        case .failure(let error):
          answer([
            .nothing, .integer(Int64(error.code.rawValue)), .text(orNothing: error.homeAccountId),
          ])
        }
      }
    }
  }

  // MARK: Files

  /// Reads `{ group = … }`, the app group of a file; nil for the app's own container.
  private func group(_ index: Int) throws(ScriptMisuse) -> String? {
    let options = try arguments.options(index)
    try options.only("group")
    return try options.text(orNothing: "group")
  }

  /// Reads a path, a second name (a target path or an account) and the app group.
  private func pathAndName() throws(ScriptMisuse) -> (path: String, name: String, group: String?) {
    (try arguments.text(0), try arguments.text(1), try group(2))
  }

  private func open(
    _ access: Application.FileAccess, options: Int = 1,
    _ body: @escaping (ProtectedFile) throws(ProtectedFileError) -> ScriptValue
  ) throws(ScriptMisuse) {
    let path = try arguments.text(0)
    let group = try group(options)
    scoped {
      application.openFile(atPath: path, for: access, inGroup: group) { result in
        do throws(ProtectedFileError) {
          let file = try result.get()
          defer { file.close() }
          answer([try body(file)])
        } catch {
          answer([.nothing, .error(error)])
        }
      }
    }
  }

  // MARK: The configuration of the app

  /// Reads a key and options, of which `known` are valid, and returns the configuration that they select.
  private func configured(
    _ known: String...
  ) throws(ScriptMisuse) -> (key: String, configuration: IntuneMAMAppConfig, options: ScriptFields)
  {
    let key = try arguments.text(0)
    let options = try arguments.options(1)
    return (key, try configuration(options, known), options)
  }

  private func query<Query>(
    _ options: ScriptFields, _ known: [String: Query]
  ) throws(ScriptMisuse) -> Query {
    let name = try options.text(orNothing: "query") ?? "any"
    guard let query = known[name] else {
      let names = known.keys.sorted().map { "`\($0)`" }.joined(separator: ", ")
      throw ScriptMisuse("`\(call.rawValue)` knows no `\(name)`: \(names)")
    }
    return query
  }

  /// Returns the configuration of the stated account, otherwise of the acting identity.
  private func configuration(
    _ options: ScriptFields, _ known: [String]
  ) throws(ScriptMisuse) -> IntuneMAMAppConfig {
    try options.only(known)
    let account =
      try options.text(orNothing: "account") ?? identity.accountID
      ?? application.policyManager.getUIPolicyAccountId()
    return application.appConfigManager.appConfig(forAccountId: account)
  }

  // MARK: Policies

  private func pickerMode() throws(ScriptMisuse) -> DocumentPickerMode {
    let name = try arguments.text(0)
    switch name {
    case "import": return .import
    case "open": return .open
    case "exportToService": return .exportToService
    case "moveToService": return .moveToService
    default:  // open: any other name
      throw ScriptMisuse(
        "`\(call.rawValue)` knows no `\(name)`: `import`, `open`, `exportToService`, "
          + "`moveToService`")
    }
  }

  // MARK: What an administrator provides

  private func listIdentifiers(of kind: ManagedSecret) {
    application.managedApp.identifiers(of: kind) {
      answer([.list($0.map { ScriptValue.text($0) })])
    }
  }

  private func sign() throws(ScriptMisuse) {
    let identifier = try arguments.text(0)
    let data = try arguments.bytes(1)
    var algorithm = SignatureAlgorithm.ecdsaSignatureMessageX962SHA256
    if let name = try arguments.text(orNothing: 2) {
      guard let known = SignatureAlgorithm.allCases.first(where: { "\($0)" == name }) else {
        let names = SignatureAlgorithm.allCases.map { "`\($0)`" }.joined(separator: ", ")
        throw ScriptMisuse("`\(call.rawValue)` knows no `\(name)`: \(names)")
      }
      algorithm = known
    }
    application.managedApp.sign(data, withIdentity: identifier, algorithm) {
      finish($0) { .bytes($0) }
    }
  }

  /// Reports a configuration error; without arguments, reports that the script accepts the configuration.
  private func report() throws(ScriptMisuse) {
    guard arguments[0] != .nothing else {
      application.managedApp.reportDecoded()
      return answer([])
    }
    application.managedApp.reportDecodingError(
      code: try arguments.integer(0), message: try arguments.text(1))
    answer([])
  }
}

extension IntuneMAMSwitchIdentityResult {
  fileprivate var name: String {
    switch self {
    case .success: "success"
    case .canceled: "canceled"
    case .notAllowed: "notAllowed"
    case .failed: "failed"
    }
  }
}

extension IntuneMAMNotificationPolicy {
  fileprivate var name: String {
    switch self {
    case .allow: "allow"
    case .blockOrgData: "blockOrgData"
    case .block: "block"
    }
  }
}
