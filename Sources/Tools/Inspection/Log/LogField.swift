import Model
import Policy

/// A name under which the SDK logs a setting of its effective policy.
///
/// Source: Microsoft Learn, "Review client app protection logs", iOS/iPadOS, and logs that apps print.
struct LogField: Sendable {
  /// The name in the SDK's spelling.
  let name: String
  /// The Graph property behind the name.
  let setting: Setting
  /// Further Graph properties that lead to the value.
  private(set) var otherSettings: [Setting] = []
  let kind: Kind
  /// The value that the SDK logs for the settings; nil: it logs none.
  let value: @Sendable (Settings) -> LogValue?
  /// Whether the SDK writes the number or the flag as a string.
  private(set) var isQuoted = false
  /// Whether public documents leave open what the SDK logs for the settings, so that no value is wrong.
  private(set) var isOpen: @Sendable (Settings) -> Bool = { _ in false }

  /// The spelling of the value, and its meaning.
  enum Kind: Sendable {
    /// The words for false and for true.
    case flag(String, String)
    /// The words for the numbers.
    case level([Int: String])
    /// A count, and the noun of the counted things.
    case count(String)
    /// A sum of powers of two, each with the word of a location.
    case locations([Int: String])
    /// Dotted numbers, and the text that stands for none.
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

  /// The field for a value that the SDK writes as a string.
  var quoted: LogField {
    var field = self
    field.isQuoted = true
    return field
  }

  /// The field for a value that other Graph properties lead to as well.
  func also(_ settings: Setting...) -> LogField {
    var field = self
    field.otherSettings = settings
    return field
  }

  /// The field with settings for which no value is wrong.
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
