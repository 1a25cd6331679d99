internal import Encodings
internal import GraphDocuments
internal import Model
internal import Output

/// A reader of one app configuration, a JSON object of Graph.
struct DocumentReader {
  private var properties: ObjectReader<ConfigurationKind>
  private var document: AppConfigurationDocument
  /// The line of each key that has been read, to report duplicates.
  private var lines: [String: Int] = [:]
  private var errors = ConfigurationKind.ErrorCollector()

  private static let tokens = Vocabulary(ConfigurationToken.allCases.map(\.rawValue))

  init(
    _ object: JSONValue, _ channel: AppConfigurationDocument.Channel,
    in file: DocumentFile<ConfigurationKind>
  ) {
    properties = ObjectReader(object, in: file)
    document = AppConfigurationDocument(
      displayName: object["displayName"]?.string ?? file.shortName, file: file.name,
      position: object.position, channel: channel)
    document.id = object["id"]?.string
  }

  /// Returns the configuration. If it has errors, adds them to `errors` and returns nil.
  mutating func read(
    collecting errors: inout ConfigurationKind.ErrorCollector
  ) -> AppConfigurationDocument? {
    properties.noteUnknown(among: ConfigurationKind.properties(of: document.channel))
    switch document.channel {
    case .managedApps:
      readEach("customSettings") { reader, pair throws(AppConfigurationError) in
        try reader.readCustomSetting(pair)
      }
      document.targeting = properties.targeting()
      if !document.isDefault { properties.warn(ofNoAppIn: document.targeting) }
    case .managedDevices:
      readEach("settings") { reader, setting throws(AppConfigurationError) in
        try reader.readSetting(setting)
      }
      collect { reader throws(AppConfigurationError) in try reader.readList() }
      collect { reader throws(AppConfigurationError) in try reader.readMobileApps() }
    }
    for entry in document.entries {
      collect { reader throws(AppConfigurationError) in try reader.check(entry) }
    }
    collect { reader throws(AppConfigurationError) in try reader.checkSize() }
    document.assignments = properties.assignments()
    properties.warnOfEmptyAssignments()
    document.warnings = properties.sortedWarnings
    document.unknownProperties = properties.unknown
    errors.add(properties.errors)
    errors.add(self.errors)
    return properties.errors.isEmpty && self.errors.isEmpty ? document : nil
  }

  private mutating func collect(
    _ read: (inout Self) throws(AppConfigurationError) -> Void
  ) {
    do throws(AppConfigurationError) { try read(&self) } catch { errors.add(error) }
  }

  private mutating func readEach(
    _ list: String, _ read: (inout Self, JSONValue) throws(AppConfigurationError) -> Void
  ) {
    let objects = properties.read { reader throws(AppConfigurationError) in
      try reader.member(list, .objects)?.value.array
    }
    for object in (objects ?? nil) ?? [] {
      collect { reader throws(AppConfigurationError) in try read(&reader, object) }
    }
  }

  // MARK: Entries

  private mutating func readCustomSetting(_ pair: JSONValue) throws(AppConfigurationError) {
    let key = try text("name", of: pair)
    let value = ConfigurationValue.text(try text("value", of: pair).text)
    // The service marks the tenant's default with the same key.
    if key.text == DeliveredConfiguration.defaultMark {
      document.isDefault = value.boolean ?? false
    } else {
      try add(key.text, value, at: key.position)
    }
  }

  private mutating func readSetting(_ setting: JSONValue) throws(AppConfigurationError) {
    let key = try text("appConfigKey", of: setting)
    let value = try text("appConfigKeyValue", of: setting)
    let type = try keyType(of: setting)
    guard let typed = type.value(value.text) else {
      throw properties.failure(
        .invalidValue, value.position,
        "the value of `\(key.text)` must be \(type.noun), because its type is `\(type.rawValue)`")
    }
    try add(key.text, typed, at: key.position)
  }

  private mutating func readList() throws(AppConfigurationError) {
    guard let member = try properties.member("encodedSettingXml", .text),
      let text = member.value.string, !text.isEmpty
    else { return }
    if let first = document.entries.first {
      properties.warn(
        .twoForms, first.position,
        "`settings` and `encodedSettingXml` both contain keys; the admin centre writes only one of them"
      )
    }
    guard let bytes = Base64.bytes(text, spaces: .ignored) else {
      throw properties.failure(
        .invalidXML, member.value.position, "`encodedSettingXml` must be base64")
    }
    let list = WrappedList(bytes)
    let entries: [EncodedSettings.Entry]
    do throws(EncodedSettings.ReadError) {
      entries = try EncodedSettings.read(list.bytes)
    } catch {
      let place = error.position.map(list.position).map {
        ", line \($0.line), column \($0.column) of its XML"
      }
      throw properties.failure(
        .invalidXML, member.value.position,
        "`encodedSettingXml`\(place ?? ""): \(error.message)")
    }
    for entry in entries {
      try add(
        entry.key, entry.value, at: member.value.position,
        listPosition: list.position(entry.position))
    }
  }

  private mutating func add(
    _ key: String, _ value: ConfigurationValue, at position: Position,
    listPosition: Position? = nil
  ) throws(AppConfigurationError) {
    if let line = lines.updateValue(position.line, forKey: key) {
      throw properties.failure(
        .duplicateKey, position, "the key `\(key)` appears twice, first on line \(line)")
    }
    document.entries.append(
      AppConfigurationDocument.Entry(
        key: key, value: value, position: position, listPosition: listPosition))
  }

  private mutating func checkSize() throws(AppConfigurationError) {
    if document.entries.isEmpty {
      properties.warn(.noKeys, document.position, "the configuration has no key")
    }
    let size = document.entries.reduce(0) { $0 + $1.key.utf8.count + $1.value.size }
    guard size <= AppConfigurationReader.maximumSize else {
      throw properties.failure(
        .tooLarge, document.position,
        "the configuration has \(size) bytes, but a device accepts "
          + "\(AppConfigurationReader.maximumSize)")
    }
  }

  private mutating func check(
    _ entry: AppConfigurationDocument.Entry
  ) throws(AppConfigurationError) {
    let trimmed = entry.key.trimmed
    guard !trimmed.isEmpty else {
      throw properties.failure(.invalidValue, entry.position, "a key is empty")
    }
    if trimmed != entry.key {
      properties.warn(
        .whiteSpace, entry.position,
        "the key `\(entry.key)` is surrounded by white space, and does not match `\(trimmed)`")
    }
    warnOfSDKKey(entry)
    warnOfUnknownTokens(entry)
    guard
      let token = TokenText.tokens(in: entry.value).first(where: {
        !$0.isReplaced(in: document.channel)
      })
    else { return }
    properties.warn(
      .literalToken, entry.position,
      "the value of the key `\(entry.key)` contains `\(token.spelling)`, which is delivered unchanged: only "
        + "configurations for managed \(document.channel == .managedApps ? "devices" : "apps") have this token"
    )
  }

  private mutating func warnOfSDKKey(_ entry: AppConfigurationDocument.Entry) {
    if let near = SDKKey(miswritten: entry.key) {
      properties.warn(.meaninglessValue, entry.position, near.mistake(inKey: entry.key))
    }
    guard let key = SDKKey(rawValue: entry.key) else { return }
    if let mistake = key.mistake(in: entry.value) {
      properties.warn(.meaninglessValue, entry.position, mistake)
    }
    guard document.channel == .managedApps, !key.isForManagedApps else { return }
    properties.warn(
      .ineffectiveKey, entry.position,
      "`\(key.rawValue)` has an effect only in configurations for managed devices")
  }

  private mutating func warnOfUnknownTokens(_ entry: AppConfigurationDocument.Entry) {
    var hasOther = false
    for spelling in TokenText.unknown(in: entry.value) {
      let word = String(spelling.dropFirst(2).dropLast(2))
      guard let near = properties.nearest(to: word, among: Self.tokens) else {
        hasOther = true
        continue
      }
      properties.warn(
        .unknownToken, entry.position,
        "`\(spelling)` in the value of the key `\(entry.key)` is not a token\(Suggestion.text("{{\(near)}}"))"
      )
    }
    // Other text in braces may be a secret, so the message does not quote it. Only configurations for managed devices
    // have many tokens.
    guard hasOther, document.channel == .managedDevices else { return }
    properties.warn(
      .unknownToken, entry.position,
      "the value of the key `\(entry.key)` has text in double braces that is not a token, and is "
        + "delivered unchanged")
  }

  private mutating func readMobileApps() throws(AppConfigurationError) {
    guard let member = try properties.member("targetedMobileApps", .any) else { return }
    // IntuneCD writes a single app as an object with the app's name and type.
    let isObject = member.value.members != nil
    if !isObject { try properties.check(member, is: .list) }
    let apps = isObject ? [member.value] : member.value.array ?? []
    document.mobileApps = apps.compactMap { $0.string ?? $0["appName"]?.string }
    guard !apps.isEmpty,
      !document.mobileApps.contains(where: { $0.contains(".") })
    else { return }
    properties.warn(
      .opaqueApps, member.position,
      "`targetedMobileApps` names its apps by the tenant's identifiers, which do not contain bundle ids; "
        + "state the apps where the configuration is assigned")
  }

  // MARK: Values

  private func text(
    _ name: String, of setting: JSONValue
  ) throws(AppConfigurationError) -> (position: Position, text: String) {
    guard let value = setting.property(name)?.value else {
      throw properties.failure(.wrongType, setting.position, "a setting needs `\(name)`")
    }
    guard let text = value.string else {
      throw properties.file.mismatch("`\(name)` must be a string", value)
    }
    return (value.position, text)
  }

  /// Returns the type that a setting states for its key. Case does not matter, because exports differ.
  private func keyType(of setting: JSONValue) throws(AppConfigurationError) -> KeyType {
    let name = "appConfigKeyType"
    let word = try text(name, of: setting)
    let known = KeyType.allCases.first { $0.rawValue.lowercased() == word.text.lowercased() }
    guard let known else {
      throw properties.unknownValue(word.text, of: name, at: word.position, among: KeyType.self)
    }
    return known
  }
}

// MARK: - Forms of values

/// The type that an element of `settings` states for its key (`mdmAppConfigKeyType`).
private enum KeyType: String, CaseIterable {
  case stringType, integerType, realType, booleanType, tokenType

  var noun: String {
    switch self {
    case .stringType, .tokenType: "a string"
    case .integerType: "an integer"
    case .realType: "a number"
    case .booleanType: "`true` or `false`"
    }
  }

  /// Parses `text` as a value of this type; nil if it is not one.
  func value(_ text: String) -> ConfigurationValue? {
    let trimmed = text.trimmed
    return switch self {
    case .stringType, .tokenType: .text(text)
    case .integerType: Int(trimmed).map { .integer($0) }
    case .realType: ConfigurationNumber(trimmed).map { .real($0.doubleValue) }
    case .booleanType:
      switch trimmed.lowercased() {
      case "true": .boolean(true)
      case "false": .boolean(false)
      default:  // open: any other text
        nil
      }
    }
  }
}

/// An XML property list. The admin centre accepts lists without the element `plist`; if the element is missing, the
/// initializer adds it.
private struct WrappedList {
  let bytes: [UInt8]
  /// The number of bytes that were added to the first line.
  private let offset: Int

  private static let head = Array("<plist version=\"1.0\">".utf8)
  private static let tail = Array("</plist>".utf8)

  init(_ bytes: [UInt8]) {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let start = text.drop { " \t\r\n".utf8.contains($0) }
    guard start.starts(with: "<dict".utf8) else {
      self.bytes = bytes
      offset = 0
      return
    }
    self.bytes = Self.head + Array(text) + Self.tail
    offset = Self.head.count
  }

  /// Converts a position in ``bytes`` to the position in the original text.
  func position(_ position: Position) -> Position {
    guard position.line == 1 else { return position }
    return Position(line: 1, column: max(1, position.column - offset))
  }
}
