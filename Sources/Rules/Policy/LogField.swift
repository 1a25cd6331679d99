package import Model

/// A field in the SDK's diagnostic log, which contains the settings of the effective policy.
///
/// Source: Microsoft Learn, "Review client app protection logs", iOS/iPadOS, and logs that apps print.
package struct LogField: Sendable {
  /// The field's name as the SDK spells it.
  package let name: String
  /// The settings that affect the logged value, apart from the field's own setting.
  package private(set) var otherSettings: [Setting] = []
  package let kind: Kind
  /// Returns the value that the SDK logs for a policy's settings; nil if the SDK logs none.
  package let value: @Sendable (Settings) -> LogValue?
  /// Whether the SDK writes the value as a string, although it is a number or flag.
  private var isQuoted = false
  /// Returns whether public documentation leaves open which value the SDK logs for a policy's settings. If so, any
  /// value is accepted.
  package private(set) var isOpen: @Sendable (Settings) -> Bool = { _ in false }

  /// The format of a field's value, with the words for showing it.
  package enum Kind: Sendable {
    /// A flag. The texts are for false and for true.
    case flag(String, String)
    /// A number that stands for a choice, with the text for each number.
    case level([Int: String])
    /// A count, with the noun for what it counts.
    case count(String)
    /// A period in minutes.
    case minutes
    /// A bit mask, with the name of the location for each bit.
    case locations([Int: String])
    /// A dotted version. `none` is the logged text if the policy sets no version.
    case version(none: String)
    case text
    /// A list of words. The character follows each word.
    case list(Character)

    static let allowOrBlock = flag("Allow", "Block")
    static let blockOrAllow = flag("Block", "Allow")
    static let falseOrTrue = flag("False", "True")
    static let notRequiredOrRequire = flag("Not required", "Require")
    static let sharing = level([0: "None", 1: "Policy managed apps", 2: "All apps"])
    static let state = level([0: "Allow", 1: "Block"])
    static let remediation = level([0: "Block access", 1: "Wipe data", 2: "Warn"])
    // Without a bound, logs contain `0.0` for minima and an empty string for maxima.
    static let minimum = version(none: "0.0")
    static let maximum = version(none: "")
  }

  init(_ name: String, _ kind: Kind, _ value: @escaping @Sendable (Settings) -> LogValue?) {
    self.name = name
    self.kind = kind
    self.value = value
  }

  /// A copy of the field that the SDK logs as a string.
  var quoted: LogField {
    var field = self
    field.isQuoted = true
    return field
  }

  /// Returns a copy of the field with `settings` as its ``otherSettings``.
  func also(_ settings: Setting...) -> LogField {
    var field = self
    field.otherSettings = settings
    return field
  }

  /// Returns a copy of the field that accepts any logged value if the policy's settings meet the condition.
  func open(for settings: @escaping @Sendable (Settings) -> Bool) -> LogField {
    var field = self
    field.isOpen = settings
    return field
  }

  /// All fields, each with its setting, sorted by the fields' names.
  package static let all: [(setting: Setting, field: LogField)] =
    Setting.allCases.flatMap { setting in
      SettingTable.row(of: setting).logFields.map { (setting, $0) }
    }.sorted { $0.field.name < $1.field.name }

  /// The fields by their names in lower case.
  package static let byName = Dictionary(
    uniqueKeysWithValues: all.map { ($0.field.name.lowercased(), $0.field) })
}

// MARK: - Values

/// A value in the SDK's diagnostic log.
package enum LogValue: Sendable, Hashable {
  case flag(Bool)
  case number(Int)
  /// A version limit; nil if there is no limit.
  case version(Version?)
  case text(String)
  /// Values of an enumeration, in lower case.
  case list(Set<String>)
  /// A value that does not have the field's format, as the log spells it.
  case unreadable(String)
}

extension LogField {
  /// Returns the value as JSON, spelled as the SDK writes it.
  package func spelling(of value: LogValue) -> String {
    let text =
      switch (value, kind) {
      case (.flag(let flag), _): flag ? "true" : "false"
      case (.number(let number), _): "\(number)"
      case (.version(let version), .version(let none)): version?.description ?? none
      case (.version(let version), _): version?.description ?? ""
      case (.list(let words), .list(let separator)):
        words.sorted().map { "\($0)\(separator)" }.joined()
      case (.list(let words), _): words.sorted().joined(separator: ";")
      case (.text(let text), _), (.unreadable(let text), _): text
      }
    let isBare =
      switch value {
      case .flag, .number: !isQuoted
      case .version, .text, .list, .unreadable: false
      }
    return isBare ? text : "\"\(Self.escape(text))\""
  }

  /// Escapes quotation marks, backslashes and slashes, as the SDK's JSON does.
  private static func escape(_ text: String) -> String {
    var escaped = ""
    for character in text {
      if "\"\\/".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }

  /// Parses a value from the log. Nil if the text stands for no value, such as `null`.
  package func value(from text: String) -> LogValue? {
    let word = text.lowercased()
    if ["null", "<null>", "(null)", "nil"].contains(word) { return nil }
    switch kind {
    case .flag:
      if ["1", "true", "yes"].contains(word) { return .flag(true) }
      if ["0", "false", "no"].contains(word) { return .flag(false) }
    case .level, .count, .minutes, .locations:
      if word.isEmpty { return nil }
      if let number = Int(word) { return .number(number) }
    case .version:
      if word.isEmpty { return .version(nil) }
      if let version = Version(word) { return .bound(version) }
    case .text: return .text(word)
    case .list(let separator):
      let words = word.split(separator: separator).map { $0.filter { !$0.isWhitespace } }
      return .list(Set(words.filter { !$0.isEmpty }))
    }
    return .unreadable(text)
  }

  /// Returns the value in the admin centre's words, such as `Policy managed apps` or `30 minutes`.
  package func words(for value: LogValue) -> String {
    switch (value, kind) {
    case (.flag(let flag), .flag(let off, let on)): return flag ? on : off
    case (.number(let number), .level(let words)): return words[number] ?? "unknown value \(number)"
    case (.number(let number), .count(let unit)): return "\(number) \(unit)"
    case (.number(let number), .minutes):
      let (seconds, isTooLong) = number.multipliedReportingOverflow(by: 60)
      return number == 0 || isTooLong
        ? "\(number) minutes" : PeriodText.words(ofSeconds: seconds)
    case (.number(let number), .locations(let names)):
      let chosen = names.keys.sorted().filter { number & $0 != 0 }.compactMap { names[$0] }
      return chosen.isEmpty ? "none" : chosen.joined(separator: ", ")
    case (.version(let version), _): return version?.description ?? "none"
    case (.list(let list), _):
      return list.isEmpty ? "none" : list.sorted().joined(separator: ", ")
    case (.text(let text), _): return text.isEmpty ? "none" : text
    case (.unreadable(let text), _): return "unreadable `\(text)`"
    case (.flag(let flag), _): return "\(flag)"
    case (.number(let number), _): return "\(number)"
    }
  }

  /// Returns whether two values of the field mean the same. In a bit mask of locations, undocumented bits are ignored.
  package func isSame(_ left: LogValue, _ right: LogValue) -> Bool {
    if case .locations(let names) = kind, case .number(let left) = left,
      case .number(let right) = right
    {
      let mask = names.keys.reduce(0, |)
      return left & mask == right & mask
    }
    return left == right
  }
}

// MARK: - Logged values of settings

extension LogValue {
  /// Creates a list from values of an enumeration, in lower case.
  static func words(_ words: some Sequence<String>) -> LogValue {
    .list(Set(words.map { $0.lowercased() }))
  }

  /// Creates the value for a version limit. Version 0 limits nothing; logs contain it if there is no limit.
  static func bound(_ version: Version?) -> LogValue {
    .version(version == Version() ? nil : version)
  }

  static func state(_ state: Settings.ConfigurationState?) -> LogValue? {
    state.map { .number($0 == .blocked ? 1 : 0) }
  }

  /// Returns the number that stands for an action in the log. Microsoft's table has 0 and 1; 2 for a warning is
  /// assumed.
  static func action(_ action: Settings.Remediation) -> LogValue {
    switch action {
    case .block: .number(0)
    case .wipe: .number(1)
    case .warn: .number(2)
    }
  }
}

extension Settings {
  /// Returns the allowed device models as the SDK logs them for `action`. The list is empty if the policy takes another
  /// action on models that are not allowed.
  func loggedModels(unless action: Remediation) -> LogValue {
    guard appActionIfIosDeviceModelNotAllowed == action else { return .list([]) }
    return .words(allowedIosDeviceModels ?? [])
  }
}

/// A service that a policy can list as a place to save data to or to open data from.
protocol SettingService: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// The service's name in the admin centre.
  var words: String { get }
  /// The service's bit in the logged bit mask; 0 if no bit is documented.
  var bit: Int { get }
}

extension Settings.StorageService: SettingService {
  var bit: Int {
    switch self {
    case .oneDriveForBusiness: 1
    case .sharePoint: 2
    case .box: 4
    case .localStorage: 32
    case .photoLibrary: 128
    case .iManage, .egnyte: 0
    }
  }
}

extension Settings.IngestionService: SettingService {
  var bit: Int {
    switch self {
    case .oneDriveForBusiness: 1
    case .sharePoint: 2
    case .camera: 4
    case .photoLibrary: 16
    case .box, .iManage, .egnyte: 0
    }
  }
}
