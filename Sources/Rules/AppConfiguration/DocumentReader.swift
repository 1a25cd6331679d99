internal import Encodings
internal import JSON
internal import Policy
internal import Diagnostics
internal import Transfer

/// Reads the properties of one configuration.
struct DocumentReader {
  let object: JSONValue
  let channel: AppConfigurationDocument.Channel
  let file: String
  let parser: PropertyListParser
  var document: AppConfigurationDocument
  /// Where each key is stated.
  private var lines: [String: Int] = [:]
  private static let tokens = Vocabulary(ConfigurationToken.allCases.map(\.rawValue))
  /// Letters that were compared for suggestions.
  private var comparisons = 0

  init(
    _ object: JSONValue, _ channel: AppConfigurationDocument.Channel, file: String,
    parser: @escaping PropertyListParser
  ) {
    self.object = object
    self.channel = channel
    self.file = file
    self.parser = parser
    document = AppConfigurationDocument(
      displayName: object["displayName"]?.string ?? file, file: file, position: object.position,
      channel: channel)
  }

  mutating func read() throws(AppConfigurationError) -> AppConfigurationDocument {
    noteUnknown()
    switch channel {
    case .managedApps:
      try readCustomSettings()
      document.targeting = try targeting()
    case .managedDevices:
      try readSettings()
      try readList()
      try readMobileApps()
    }
    try finishEntries()
    warnOfAssignments()
    document.warnings.sort {
      ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column)
    }
    return document
  }

  /// `@odata.…` annotations, also of single properties, and `#microsoft.graph.…` actions are Graph's own.
  private mutating func noteUnknown() {
    let known = KnownProperties.names(of: channel)
    let vocabulary = Vocabulary(known)
    for member in object.members ?? [] where !known.contains(member.name) {
      let name = member.name
      guard !name.contains("@odata."), !name.hasPrefix("#") else { continue }
      document.unknownProperties.append(member)
      guard let meant = vocabulary.nearest(to: name, &comparisons) else { continue }
      warn(
        .unknownProperty, member.position,
        "`\(name)` is no property of an app configuration and has no effect"
          + Suggestion.text(meant))
    }
  }

  // MARK: entries

  private mutating func readCustomSettings() throws(AppConfigurationError) {
    for pair in try objects("customSettings") {
      let name = try text("name", of: pair, "a setting")
      let value = try text("value", of: pair, "a setting")
      let key = name.string ?? ""
      // As the service marks the tenant's default.
      if key == DeliveredConfiguration.defaultMark {
        document.isDefault = ConfigurationValue.text(value.string ?? "").boolean ?? false
      } else {
        try add(key, .text(value.string ?? ""), at: name.position)
      }
    }
  }

  private mutating func readSettings() throws(AppConfigurationError) {
    for item in try objects("settings") {
      let key = try text("appConfigKey", of: item, "a setting")
      let value = try text("appConfigKeyValue", of: item, "a setting")
      let type = try KeyType(item, file: file)
      guard let typed = type.value(value.string ?? "") else {
        throw failure(
          .invalidValue, value.position,
          "the value of `\(key.string ?? "")` is no \(type.noun), as its type "
            + "`\(type.rawValue)` asks for")
      }
      try add(key.string ?? "", typed, at: key.position)
    }
  }

  private mutating func readList() throws(AppConfigurationError) {
    guard let member = member("encodedSettingXml") else { return }
    guard let text = member.value.string else { throw wrongType(member, "a string") }
    guard !text.isEmpty else { return }
    if let first = document.entries.first {
      warn(
        .twoForms, first.position,
        "`settings` and `encodedSettingXml` both hold keys; the admin centre writes one of them")
    }
    guard let bytes = Base64.bytes(text, spaces: .ignored) else {
      throw failure(
        .invalidXML, member.value.position, "`encodedSettingXml` must be base64, and is none")
    }
    let list = WrappedList(bytes)
    switch parser(list.bytes) {
    case .success(let entries):
      for entry in entries {
        try add(
          entry.key, entry.value, at: member.value.position,
          listPosition: list.position(entry.position))
      }
    case .failure(let fault):
      let place = fault.position.map(list.position).map {
        ", line \($0.line), column \($0.column) of its XML"
      }
      throw failure(
        .invalidXML, member.value.position,
        "`encodedSettingXml`\(place ?? ""): \(fault.message)")
    }
  }

  private mutating func add(
    _ key: String, _ value: ConfigurationValue, at position: Position,
    listPosition: Position? = nil
  ) throws(AppConfigurationError) {
    if let line = lines.updateValue(position.line, forKey: key) {
      throw failure(
        .duplicateKey, position, "the key `\(key)` is stated twice, first on line \(line)")
    }
    document.entries.append(
      AppConfigurationDocument.Entry(
        key: key, value: value, position: position, listPosition: listPosition))
  }

  private mutating func finishEntries() throws(AppConfigurationError) {
    if document.entries.isEmpty {
      warn(.noKeys, object.position, "the configuration holds no key")
    }
    var size = 0
    for entry in document.entries {
      size += entry.key.utf8.count + entry.value.size
      try check(entry)
    }
    guard size <= AppConfigurationReader.maximumSize else {
      throw failure(
        .tooLarge, object.position,
        "the configuration holds \(size) bytes, and a device takes "
          + "\(AppConfigurationReader.maximumSize)")
    }
  }

  private mutating func check(
    _ entry: AppConfigurationDocument.Entry
  ) throws(AppConfigurationError) {
    let trimmed = Self.trim(entry.key)
    guard !trimmed.isEmpty else {
      throw failure(.invalidValue, entry.position, "a key is empty")
    }
    if trimmed != entry.key {
      warn(
        .whiteSpace, entry.position,
        "the key `\(entry.key)` has white space around it, and is another key than `\(trimmed)`")
    }
    warnOfUnknownTokens(entry)
    guard channel == .managedApps, let token = TokenText.tokens(in: entry.value).first else {
      return
    }
    warn(
      .literalToken, entry.position,
      "the key `\(entry.key)` holds `\(token.spelling)`, which arrives as it stands: only "
        + "configurations for managed devices have tokens")
  }

  private mutating func warnOfUnknownTokens(_ entry: AppConfigurationDocument.Entry) {
    var hasOther = false
    for spelling in TokenText.unknown(in: entry.value) {
      guard
        let near = Self.tokens.nearest(
          to: String(spelling.dropFirst(2).dropLast(2)), &comparisons)
      else {
        hasOther = true
        continue
      }
      warn(
        .unknownToken, entry.position,
        "`\(spelling)` of the key `\(entry.key)` is no token\(Suggestion.text("{{\(near)}}"))")
    }
    // What else stands between braces may be a secret; nobody replaces it in managed apps.
    guard hasOther, channel == .managedDevices else { return }
    warn(
      .unknownToken, entry.position,
      "what stands between double braces in the key `\(entry.key)` is no token, and arrives as it "
        + "stands")
  }

  // MARK: apps and assignments

  private mutating func readMobileApps() throws(AppConfigurationError) {
    guard let member = member("targetedMobileApps") else { return }
    guard let elements = member.value.array else { throw wrongType(member, "a list") }
    document.mobileApps = elements.compactMap(\.string)
    guard !elements.isEmpty, !document.mobileApps.contains(where: { $0.contains(".") }) else {
      return
    }
    warn(
      .opaqueApps, member.position,
      "`targetedMobileApps` names its apps by identifiers of the tenant, which tell no bundle id; say for "
        + "which apps the configuration is where it is assigned")
  }

  private mutating func warnOfAssignments() {
    guard let member = member("assignments"), member.value.array?.isEmpty == true else { return }
    warn(
      .emptyAssignments, member.position,
      "the configuration is assigned to nobody: `assignments` is empty")
  }

  // MARK: values

  func member(_ name: String) -> JSONValue.Member? {
    object.members?.last { $0.name == name && !$0.value.isNull }
  }

  private func objects(_ name: String) throws(AppConfigurationError) -> [JSONValue] {
    guard let member = member(name) else { return [] }
    guard let elements = member.value.array, elements.allSatisfy({ $0.members != nil }) else {
      throw wrongType(member, "a list of objects")
    }
    return elements
  }

  private func text(
    _ name: String, of object: JSONValue, _ what: String
  ) throws(AppConfigurationError) -> JSONValue {
    guard let value = object[name], !value.isNull else {
      throw failure(.wrongType, object.position, "\(what) needs `\(name)`")
    }
    guard value.string != nil else {
      throw failure(
        .wrongType, value.position, "`\(name)` must be a string, found \(value.kindName)")
    }
    return value
  }

  func wrongType(_ member: JSONValue.Member, _ expected: String) -> AppConfigurationError {
    failure(
      .wrongType, member.value.position,
      "`\(member.name)` must be \(expected), found \(member.value.kindName)")
  }

  static func trim(_ text: some StringProtocol) -> String {
    var rest = Substring(text)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }

  mutating func warn(
    _ code: AppConfigurationWarningCode, _ position: Position, _ message: String
  ) {
    document.warnings.append(
      AppConfigurationWarning(code, file: file, at: position, message))
  }

  func failure(
    _ code: AppConfigurationError.Code, _ position: Position, _ message: String
  ) -> AppConfigurationError {
    AppConfigurationError(code, file: file, at: position, message)
  }
}
