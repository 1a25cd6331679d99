internal import Model
internal import Wire

/// A call that a script makes and waits for. Raw values are the Lua functions.
package enum ScriptCall: String, Sendable, CaseIterable {
  case load = "share.load"
  case complete = "share.complete"
  case cancel = "share.cancel"

  case share = "app.share"
  case openIn = "app.open"
  case drop = "app.drop"
  case importItem = "app.import"
  case save = "app.save"
  case hand = "app.hand"
  case notify = "notifications.show"
  case copy = "pasteboard.copy"
  case paste = "pasteboard.paste"
  case openURL = "url.open"
  case canOpenURL = "url.canOpen"

  case keychainAdd = "keychain.add"
  case keychainQuery = "keychain.query"
  case keychainDelete = "keychain.delete"

  case signIn = "accounts.signIn"
  case signOut = "accounts.signOut"
  case switchTo = "accounts.switchTo"
  case current = "accounts.current"
  case isManaged = "accounts.isManaged"
  case setProcess = "accounts.setProcess"
  case process = "accounts.process"
  case enroll = "accounts.enroll"
  case login = "accounts.login"
  case unenroll = "accounts.unenroll"
  case registered = "accounts.registered"
  case enrolled = "accounts.enrolled"
  case remediate = "compliance.remediate"
  case isRemediating = "compliance.isInProgress"
  case acquireToken = "tokens.acquire"

  case read = "files.read"
  case write = "files.write"
  case append = "files.append"
  case remove = "files.remove"
  case move = "files.move"
  case protect = "files.protect"
  case verify = "files.verify"
  case info = "files.info"
  case list = "files.list"
  case protectData = "data.protect"
  case unprotectData = "data.unprotect"
  case dataInfo = "data.info"

  case configuredString = "configuration.string"
  case configuredNumber = "configuration.number"
  case configuredBoolean = "configuration.boolean"
  case configuredStrings = "configuration.strings"
  case configuredNumbers = "configuration.numbers"
  case configuredBooleans = "configuration.booleans"
  case configurationConflict = "configuration.hasConflict"
  case configurationData = "configuration.fullData"

  case isSaveToAllowed = "policy.isSaveToAllowed"
  case isOpenFromAllowed = "policy.isOpenFromAllowed"
  case saveToLocations = "policy.getSaveToLocations"
  case openFromLocations = "policy.getOpenFromLocations"
  case isURLAllowed = "policy.isURLAllowed"
  case isUniversalLinkAllowed = "policy.isUniversalLinkAllowed"
  case canReceive = "policy.canReceive"
  case isDocumentPickerAllowed = "policy.isDocumentPickerAllowed"
  case isAppSharingAllowed = "policy.isAppSharingAllowed"
  case isPrintingAllowed = "policy.isPrintingAllowed"
  case isContactSyncAllowed = "policy.isContactSyncAllowed"
  case isWidgetContentSyncAllowed = "policy.isWidgetContentSyncAllowed"
  case isSpotlightIndexingAllowed = "policy.isSpotlightIndexingAllowed"
  case areSiriIntentsAllowed = "policy.areSiriIntentsAllowed"
  case areAppIntentsAllowed = "policy.areAppIntentsAllowed"
  case isScreenCaptureAllowed = "policy.isScreenCaptureAllowed"
  case isManagedBrowserRequired = "policy.isManagedBrowserRequired"
  case isFileEncryptionRequired = "policy.isFileEncryptionRequired"
  case notificationPolicy = "policy.notificationPolicy"

  case managedConfiguration = "managed.configuration"
  case legacyManagedConfiguration = "managed.legacyConfiguration"
  case managedPasswords = "managed.passwords"
  case managedCertificates = "managed.certificates"
  case managedIdentities = "managed.identities"
  case managedPassword = "managed.password"
  case managedCertificate = "managed.certificate"
  case managedIdentity = "managed.identity"
  case managedSign = "managed.sign"
  case managedReport = "managed.report"

  case pause = "device.pause"

  /// Whether the answer may depend on another guest, which may itself be waiting for this one.
  var waitsForOthers: Bool {
    switch self {
    case .load, .share, .openIn, .drop, .importItem, .openURL, .pause: true
    case .complete, .cancel, .save, .hand, .notify, .copy, .paste, .canOpenURL, .keychainAdd,
      .keychainQuery, .keychainDelete, .signIn, .signOut, .switchTo, .current, .isManaged,
      .setProcess, .process, .enroll, .login, .unenroll, .registered, .enrolled, .remediate,
      .isRemediating, .acquireToken, .read, .write, .append, .remove, .move, .protect, .verify,
      .info, .list, .protectData, .unprotectData, .dataInfo, .configuredString, .configuredNumber,
      .configuredBoolean, .configuredStrings, .configuredNumbers, .configuredBooleans,
      .configurationConflict, .configurationData, .isSaveToAllowed, .isOpenFromAllowed,
      .saveToLocations, .openFromLocations, .isURLAllowed, .isUniversalLinkAllowed, .canReceive,
      .isDocumentPickerAllowed, .isAppSharingAllowed, .isPrintingAllowed, .isContactSyncAllowed,
      .isWidgetContentSyncAllowed, .isSpotlightIndexingAllowed, .areSiriIntentsAllowed,
      .areAppIntentsAllowed, .isScreenCaptureAllowed, .isManagedBrowserRequired,
      .isFileEncryptionRequired, .notificationPolicy, .managedConfiguration,
      .legacyManagedConfiguration, .managedPasswords, .managedCertificates, .managedIdentities,
      .managedPassword, .managedCertificate, .managedIdentity, .managedSign, .managedReport:
      false
    }
  }
}

// MARK: - Arguments

/// The arguments of a script's call, converted to the types that the call expects.
struct ScriptArguments {
  private let call: ScriptCall
  private let values: [ScriptValue]

  init(_ call: ScriptCall, _ values: [ScriptValue]) {
    self.call = call
    self.values = values
  }

  /// The argument at `index`; `.nothing` if it is missing.
  subscript(_ index: Int) -> ScriptValue { index < values.count ? values[index] : .nothing }

  func text(_ index: Int) throws(ScriptMisuse) -> String {
    guard let text = self[index].text else { throw misuse(index, "string") }
    guard text.utf8.count <= RequestLimits.names else { throw tooLong(index) }
    return text
  }

  func text(orNothing index: Int) throws(ScriptMisuse) -> String? {
    if self[index] == .nothing { return nil }
    return try text(index)
  }

  func boolean(orNothing index: Int) throws(ScriptMisuse) -> Bool? {
    switch self[index] {
    case .nothing: return nil
    case .boolean(let flag): return flag
    case .integer, .number, .bytes, .table: throw misuse(index, "boolean")
    }
  }

  /// Reads a list of strings.
  func texts(orNothing index: Int) throws(ScriptMisuse) -> [String]? {
    guard self[index] != .nothing else { return nil }
    guard case .table(let list, let fields) = self[index], fields.isEmpty else {
      throw misuse(index, "list of strings")
    }
    let texts = list.compactMap(\.text)
    guard texts.count == list.count else { throw misuse(index, "list of strings") }
    guard texts.reduce(0, { $0 + $1.utf8.count }) <= RequestLimits.names else {
      throw tooLong(index)
    }
    return texts
  }

  func bytes(_ index: Int) throws(ScriptMisuse) -> [UInt8] {
    guard case .bytes(let bytes) = self[index] else { throw misuse(index, "string") }
    return bytes
  }

  func integer(_ index: Int) throws(ScriptMisuse) -> Int {
    guard case .integer(let integer) = self[index] else { throw misuse(index, "integer") }
    return Int(integer)
  }

  func table(_ index: Int) throws(ScriptMisuse) -> ScriptFields {
    guard case .table(_, let fields) = self[index] else { throw misuse(index, "table") }
    return ScriptFields(call, fields)
  }

  /// Reads the fields of a table; empty if the argument is missing.
  func options(_ index: Int) throws(ScriptMisuse) -> ScriptFields {
    self[index] == .nothing ? ScriptFields(call, [:]) : try table(index)
  }

  func item(_ index: Int) throws(ScriptMisuse) -> Item {
    guard let item = try Item(self[index]) else { throw misuse(index, "string or item") }
    try checkNames(of: [item], index)
    return item
  }

  /// Reads no item, one item or a list of items.
  func items(_ index: Int) throws(ScriptMisuse) -> [Item] {
    switch self[index] {
    case .nothing: return []
    case .table(let list, let fields) where fields.isEmpty: return try items(list, index)
    case .boolean, .integer, .number, .bytes, .table: return [try item(index)]
    }
  }

  private func items(_ list: [ScriptValue], _ index: Int) throws(ScriptMisuse) -> [Item] {
    guard list.count <= RequestLimits.returnedItems else {
      throw ScriptMisuse(
        "bad argument #\(index + 1) to `\(call.rawValue)` (\(list.count) items, the limit is "
          + "\(RequestLimits.returnedItems))")
    }
    var items: [Item] = []
    for value in list {
      guard let item = try Item(value) else { throw misuse(index, "items") }
      items.append(item)
    }
    try checkNames(of: items, index)
    return items
  }

  private func checkNames(of items: [Item], _ index: Int) throws(ScriptMisuse) {
    let length = items.reduce(0) { $0 + $1.nameLength }
    guard length <= RequestLimits.names else { throw tooLong(index) }
  }

  private func tooLong(_ index: Int) -> ScriptMisuse {
    ScriptMisuse(
      "bad argument #\(index + 1) to `\(call.rawValue)` (names of more than "
        + "\(RequestLimits.names) bytes)")
  }

  /// Reads one of the raw values of `Choice`.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ index: Int, _ what: Choice.Type
  ) throws(ScriptMisuse) -> Choice {
    let name = try text(index)
    guard let choice = Choice(rawValue: name) else { throw unknown(name, Choice.self) }
    return choice
  }

  func unknown<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ what: Choice.Type
  ) -> ScriptMisuse {
    let names = Choice.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    return ScriptMisuse("`\(call.rawValue)` knows no `\(name)`: \(names)")
  }

  func misuse(_ index: Int, _ expected: String) -> ScriptMisuse {
    ScriptMisuse(
      "bad argument #\(index + 1) to `\(call.rawValue)` (\(expected) expected, got "
        + "\(self[index].kind))")
  }
}

/// The named arguments of a call.
struct ScriptFields {
  private let call: ScriptCall
  let fields: [String: ScriptValue]

  init(_ call: ScriptCall, _ fields: [String: ScriptValue]) {
    self.call = call
    self.fields = fields
  }

  subscript(_ name: String) -> ScriptValue { fields[name] ?? .nothing }

  func text(_ name: String) throws(ScriptMisuse) -> String {
    guard let text = self[name].text else { throw misuse(name, "string") }
    guard text.utf8.count <= RequestLimits.names else {
      throw ScriptMisuse(
        "bad field `\(name)` of `\(call.rawValue)` (more than \(RequestLimits.names) bytes)")
    }
    return text
  }

  func text(orNothing name: String) throws(ScriptMisuse) -> String? {
    if self[name] == .nothing { return nil }
    return try text(name)
  }

  /// Rejects unknown fields, because a misspelt field would change the decision.
  func only(_ known: String...) throws(ScriptMisuse) { try only(known) }

  func only(_ known: [String]) throws(ScriptMisuse) {
    guard let unknown = fields.keys.filter({ !known.contains($0) }).min() else { return }
    let names = known.map { "`\($0)`" }.joined(separator: ", ")
    throw ScriptMisuse("`\(call.rawValue)` knows no field `\(unknown)`: \(names)")
  }

  func misuse(_ name: String, _ expected: String) -> ScriptMisuse {
    ScriptMisuse(
      "bad field `\(name)` of `\(call.rawValue)` (\(expected) expected, got \(self[name].kind))")
  }
}
