import Policy
import Model

/// A name under which the SDK logs a setting of its effective policy.
///
/// Source: Microsoft Learn, "Review client app protection logs", iOS/iPadOS, and logs that apps print.
struct LogField: Sendable {
  /// As the SDK spells it.
  let name: String
  /// The Graph property behind it.
  let setting: Setting
  /// Others that lead to its value.
  private(set) var otherSettings: [Setting] = []
  let kind: Kind
  /// What the SDK logs for the settings; nil: it logs nothing.
  let value: @Sendable (Settings) -> LogValue?
  /// Whether the SDK writes the number or the flag as a string.
  private(set) var isQuoted = false
  /// Whether public facts leave open what the SDK logs for the settings, so that no value is wrong.
  private(set) var isOpen: @Sendable (Settings) -> Bool = { _ in false }

  /// How the value is spelt, and what it means.
  enum Kind: Sendable {
    /// The words for false and for true.
    case flag(String, String)
    /// The words for the numbers.
    case level([Int: String])
    /// A count, and what it counts.
    case count(String)
    /// A sum of powers of two, each with the word of a location.
    case locations([Int: String])
    /// Dotted numbers, and what stands for none.
    case version(none: String)
    case text
    /// Words with a separator after each.
    case list(Character)
  }

  init(
    _ name: String, _ setting: Setting, _ kind: Kind,
    _ value: @escaping @Sendable (Settings) -> LogValue?
  ) {
    self.name = name
    self.setting = setting
    self.kind = kind
    self.value = value
  }

  /// The same, for a value that the SDK writes as a string.
  var quoted: LogField {
    var field = self
    field.isQuoted = true
    return field
  }

  /// The same, for a value that other Graph properties lead to as well.
  func also(_ settings: Setting...) -> LogField {
    var field = self
    field.otherSettings = settings
    return field
  }

  /// The same, with settings for which no value is wrong.
  func open(for settings: @escaping @Sendable (Settings) -> Bool) -> LogField {
    var field = self
    field.isOpen = settings
    return field
  }

  /// Every field, in alphabetical order.
  static let all: [LogField] =
    (transferFields + functionalityFields + accessFields + launchFields + versionFields)
    .sorted { $0.name < $1.name }

  /// The fields by their names in lower case.
  static let byName = Dictionary(
    uniqueKeysWithValues: all.map { ($0.name.lowercased(), $0) })
}
