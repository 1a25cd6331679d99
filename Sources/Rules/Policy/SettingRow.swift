internal import Encodings
internal import GraphDocuments
package import Model

/// A page of an app protection policy in the Intune admin centre.
package enum SettingPage: String, Sendable, CaseIterable {
  case dataProtection = "Data protection"
  case accessRequirements = "Access requirements"
  case conditionalLaunch = "Conditional launch"
}

/// The values that a policy setting can have, and the property that stores them.
package enum SettingDomain: Sendable {
  package typealias Path<Value> = any WritableKeyPath<Settings, Value> & Sendable
  package typealias Change = @Sendable (inout Settings) -> Void

  /// A flag with its stricter value.
  case flag(Path<Bool>, strictest: Bool)
  /// One of several values. Each element sets one value, from the most permissive to the strictest.
  case choice([Change])
  /// A number from 0 to 65535.
  case count(Path<Int>)
  /// A period in seconds, with the unit in which the admin centre shows it.
  case period(Path<Int>, PeriodText.Unit)
  case version(Path<Version?>)
  /// One URL scheme; empty if there is none.
  case scheme(Path<String>)
  case schemes(Path<Set<String>>)
  case links(Path<[LinkPattern]>)
  /// A set of services. Each element has a change that adds one service and a change that removes it.
  case services([(add: Change, remove: Change)])
  /// Identifiers of device models; nil for any.
  case models(Path<Set<String>?>)

  /// The values of a flag or choice, from the most permissive to the strictest; empty for other kinds.
  package var values: [Change] {
    switch self {
    case .flag(let path, let strictest):
      [{ $0[keyPath: path] = !strictest }, { $0[keyPath: path] = strictest }]
    case .choice(let changes): changes
    case .count, .period, .version, .scheme, .schemes, .links, .services, .models: []
    }
  }

  /// The JSON type of the Graph property.
  var type: PropertyType {
    switch self {
    case .flag: .boolean
    case .count: .integer
    case .choice, .version, .scheme, .models: .text
    case .period: .duration
    case .links, .services: .texts
    case .schemes: .objects
    }
  }
}

/// The declaration of one setting: its label, the texts of its values, its names in the SDK's log, the functions that
/// read and merge it, and the channels on which it decides.
///
/// Merging takes the strictest value. It is commutative, associative and idempotent, so neither the order nor the
/// repetition of policies matters.
struct SettingRow: Sendable {
  typealias Path<Value> = SettingDomain.Path<Value>
  typealias Condition = @Sendable (Settings) -> Bool

  /// The admin centre's label; nil if the setting is known only by its key.
  let label: String?
  /// The page with the setting; nil if it is not a policy setting.
  let page: SettingPage?
  /// Returns the value in the admin centre's words; nil if the setting is not a policy setting.
  private(set) var words: (@Sendable (Settings) -> String)?
  /// Returns the value that a verdict cites for a setting that belongs to no policy; nil if verdicts cite no value.
  private(set) var citation: (@Sendable (TransferRequest) -> String)?
  /// The functions that read, merge and write the setting's Graph property; nil if it is not a policy setting.
  private(set) var reading: Reading?
  /// A text that distinguishes the setting's line from other lines with the same label on its page, such as `block
  /// access`.
  private(set) var qualifier: String?
  /// The names under which the SDK logs the setting.
  private(set) var logFields: [LogField] = []
  /// Returns the value that the SDK usually logs for a property of this kind; nil if it logs none.
  private var logValue: @Sendable (Settings) -> LogValue? = { _ in nil }
  /// The channels on which changing only this setting may change the verdict, and the sides on which the setting is
  /// evaluated there.
  private(set) var decisions: (channels: [Channel], sides: [Side]) = ([], [])
  /// The Intune App SDK releases that first read the setting, one per release line; empty if every release reads it.
  private(set) var releases: [Version] = []

  struct Reading: Sendable {
    let domain: SettingDomain
    /// Reads the property into the settings. Its JSON type has already been checked.
    let read:
      @Sendable (JSONValue.Member, inout PropertyReader, inout Settings) throws(PolicyError) -> Void
    /// Sets the property in the second argument to the strictest of the policies' values. Reads no other setting of the
    /// policies.
    let merge: @Sendable ([Settings], inout Settings) -> Void
    let agrees: @Sendable (Settings, Settings) -> Bool
    /// The value in Graph's form, which ``read`` accepts.
    let value: @Sendable (Settings) -> GraphValue
    /// The condition under which a policy's value has an effect and is therefore merged; nil if it always has one. If
    /// no policy meets the condition, the values of all policies are merged.
    fileprivate(set) var counts: Condition?
  }

  /// Creates the row of a setting outside of policies, such as an entitlement.
  init(_ label: String? = nil) {
    self.label = label
    page = nil
  }

  /// Creates the row of a policy setting.
  ///
  /// - Parameters:
  ///   - words: The usual wording of the property's values.
  ///   - logged: The value that the SDK usually logs for the property.
  init<Value: Equatable & Sendable>(
    _ label: String, _ page: SettingPage, _ path: Path<Value>, _ domain: SettingDomain,
    words: (@Sendable (Value) -> String)? = nil,
    logged: @escaping @Sendable (Value) -> LogValue? = { _ in nil },
    read: @escaping @Sendable (JSONValue.Member, inout PropertyReader) throws(PolicyError) -> Value,
    value: @escaping @Sendable (Value) -> GraphValue,
    merge: @escaping @Sendable (Value, Value) -> Value
  ) {
    self.label = label
    self.page = page
    if let words { self.words = { words($0[keyPath: path]) } }
    logValue = { logged($0[keyPath: path]) }
    reading = Reading(
      domain: domain,
      read: { (member, reader, settings) throws(PolicyError) in
        settings[keyPath: path] = try read(member, &reader)
      },
      merge: { all, merged in
        guard let first = all.first else { return }
        merged[keyPath: path] = all.dropFirst().reduce(first[keyPath: path]) {
          merge($0, $1[keyPath: path])
        }
      },
      agrees: { $0[keyPath: path] == $1[keyPath: path] },
      value: { value($0[keyPath: path]) })
  }

  /// Limits merging to the policies that meet `condition`, because the setting has no effect in the others. If one of
  /// the policies meets `condition`, the merged policy must meet it too; if none does, the merged policy must not.
  func counting(where condition: @escaping Condition) -> SettingRow {
    var row = self
    row.reading?.counts = condition
    return row
  }

  /// Sets the Intune App SDK releases that first read the setting: one per release line, oldest first.
  func since(_ releases: Version...) -> SettingRow {
    var row = self
    row.releases = releases
    return row
  }

  /// Replaces the usual texts of the setting's values with those that `words` returns.
  func saying(_ words: @escaping @Sendable (Settings) -> String) -> SettingRow {
    var row = self
    row.words = words
    return row
  }

  /// Adds a qualifier that distinguishes the setting's line from lines with the same label on its page.
  func qualified(_ qualifier: String) -> SettingRow {
    var row = self
    row.qualifier = qualifier
    return row
  }

  /// Adds a name under which the SDK logs the setting. `value` returns the logged value; nil if the SDK logs none.
  func logged(
    _ name: String, _ kind: LogField.Kind, _ value: @escaping @Sendable (Settings) -> LogValue?
  ) -> SettingRow { logged(LogField(name, kind, value)) }

  /// Adds a name under which the SDK logs the setting, with the value that it usually logs for a property of this kind.
  func logged(_ name: String, _ kind: LogField.Kind) -> SettingRow {
    logged(LogField(name, kind, logValue))
  }

  func logged(_ field: LogField) -> SettingRow {
    var row = self
    row.logFields.append(field)
    return row
  }

  func deciding(_ channels: Channel..., on sides: [Side] = [.owner, .sender]) -> SettingRow {
    var row = self
    row.decisions = (channels, sides)
    return row
  }

  func citing(_ value: @escaping @Sendable (TransferRequest) -> String) -> SettingRow {
    var row = self
    row.citation = value
    return row
  }

  /// Creates the row of a flag that restricts: true is the stricter value.
  static func flag(_ label: String, _ page: SettingPage, _ path: Path<Bool>) -> SettingRow {
    SettingRow(
      label, page, path, .flag(path, strictest: true), words: DisplayText.block,
      logged: LogValue.flag, read: { $1.flag($0) }, value: GraphValue.flag, merge: { $0 || $1 })
  }

  /// Creates the row of a flag that permits: false is the stricter value.
  static func relaxation(_ label: String, _ page: SettingPage, _ path: Path<Bool>) -> SettingRow {
    SettingRow(
      label, page, path, .flag(path, strictest: false), words: { DisplayText.block(!$0) },
      logged: LogValue.flag, read: { $1.flag($0) }, value: GraphValue.flag, merge: { $0 && $1 })
  }

  private static func domain<Value: Sendable>(
    _ path: Path<Value>, _ values: [Value]
  ) -> SettingDomain {
    .choice(values.map { value in { settings in settings[keyPath: path] = value } })
  }

  /// Creates the row of an enumeration. Its cases must run from the most permissive to the strictest.
  static func choice<Value: RawRepresentable & CaseIterable & Equatable & Sendable>(
    _ label: String, _ page: SettingPage, _ path: Path<Value>
  ) -> SettingRow where Value.RawValue == String {
    SettingRow(
      label, page, path, domain(path, Array(Value.allCases)),
      read: { (member, reader) throws(PolicyError) in try reader.choice(member) },
      value: { .text($0.rawValue) }, merge: MergeRule.strictest)
  }

  static func count(
    _ label: String, _ page: SettingPage, _ path: Path<Int>,
    strictest merge: @escaping @Sendable (Int, Int) -> Int
  ) -> SettingRow {
    SettingRow(
      label, page, path, .count(path), words: { "\($0)" }, logged: LogValue.number,
      read: { (member, reader) throws(PolicyError) in try reader.count(member) },
      value: GraphValue.number, merge: merge)
  }

  /// Creates the row of a duration in seconds. The SDK logs most durations in minutes.
  ///
  /// - Parameters:
  ///   - unit: The unit in which the admin centre shows it.
  ///   - zero: The text for 0.
  static func period(
    _ label: String, _ page: SettingPage, _ path: Path<Int>, in unit: PeriodText.Unit,
    zero: String, strictest merge: @escaping @Sendable (Int, Int) -> Int
  ) -> SettingRow {
    SettingRow(
      label, page, path, .period(path, unit), words: { DisplayText.period($0, zero: zero) },
      logged: { .number($0 / 60) }, read: { $1.seconds($0) },
      value: { .text(ISODuration.text($0)) }, merge: merge)
  }

  /// Creates the row of a lowest permitted version: a higher bound is stricter.
  static func minimum(_ label: String, _ path: Path<Version?>) -> SettingRow {
    bound(label, path, strictest: { max($0, $1) })
  }

  /// Creates the row of a highest permitted version: a lower bound is stricter.
  static func maximum(_ label: String, _ path: Path<Version?>) -> SettingRow {
    bound(label, path, strictest: { min($0, $1) })
  }

  private static func bound(
    _ label: String, _ path: Path<Version?>,
    strictest merge: @escaping @Sendable (Version, Version) -> Version
  ) -> SettingRow {
    SettingRow(
      label, .conditionalLaunch, path, .version(path), words: DisplayText.version,
      logged: LogValue.bound,
      read: { (member, reader) throws(PolicyError) in try reader.version(member) },
      value: { $0.map { .text($0.description) } ?? .null },
      merge: { MergeRule.present($0, $1, merge) })
  }

  static func services<Value: SettingService>(
    _ label: String, _ page: SettingPage, _ path: Path<Set<Value>>
  ) -> SettingRow {
    SettingRow(
      label, page, path,
      .services(
        Value.allCases.map { value in
          ({ $0[keyPath: path].insert(value) }, { $0[keyPath: path].remove(value) })
        }),
      words: { DisplayText.list(Value.allCases.filter($0.contains).map(\.words)) },
      logged: { .number($0.reduce(0) { $0 | $1.bit }) },
      read: { (member, reader) throws(PolicyError) in try reader.services(member) },
      value: { .texts($0.map(\.rawValue).sorted()) },
      merge: { $0.intersection($1) })
  }

  static func links(_ label: String, _ page: SettingPage, _ path: Path<[LinkPattern]>) -> SettingRow
  {
    SettingRow(
      label, page, path, .links(path),
      words: { DisplayText.list($0.map(\.text), separator: ";") },
      logged: { .words($0.map(\.text)) }, read: { $1.links($0) },
      value: { .texts($0.map(\.text)) }, merge: MergeRule.common)
  }

  static func remediation(
    _ label: String, _ page: SettingPage, _ path: Path<Settings.Remediation>
  ) -> SettingRow {
    SettingRow(
      label, page, path, domain(path, Settings.Remediation.allCases), words: \.words,
      logged: LogValue.action,
      read: { (member, reader) throws(PolicyError) in try reader.remediation(member) },
      value: { .text($0.rawValue) }, merge: MergeRule.strictest)
  }

  static func remediation(
    _ label: String, _ page: SettingPage, _ path: Path<Settings.Remediation?>
  ) -> SettingRow {
    SettingRow(
      label, page, path, domain(path, [nil] + Settings.Remediation.allCases),
      words: DisplayText.action, logged: { $0.map(LogValue.action) },
      read: { (member, reader) throws(PolicyError) in try reader.remediation(member) },
      value: { $0.map { .text($0.rawValue) } ?? .null },
      merge: { MergeRule.present($0, $1, MergeRule.strictest) })
  }

  static func state(
    _ label: String, _ page: SettingPage, _ path: Path<Settings.ConfigurationState?>
  ) -> SettingRow {
    SettingRow(
      label, page, path, domain(path, [.notBlocked, nil, .blocked]), words: DisplayText.state,
      logged: LogValue.state,
      read: { (member, reader) throws(PolicyError) in try reader.state(member) },
      value: { $0.map { .text($0.rawValue) } ?? .null }, merge: MergeRule.state)
  }

  /// Creates the row of a setting that contains the URL scheme of a designated app. If policies contain different
  /// schemes, the merged scheme is empty, which means no app. ``Redirect`` and ``BrowserChoice`` then choose the
  /// stricter level.
  static func scheme(_ label: String, _ page: SettingPage, _ path: Path<String>) -> SettingRow {
    SettingRow(
      label, page, path, .scheme(path), words: DisplayText.scheme,
      logged: { .text($0.lowercased()) }, read: { $1.scheme($0.value) }, value: GraphValue.text,
      merge: { $0 == $1 ? $0 : "" })
  }
}

// MARK: - Table

/// The declarations of all settings, by setting.
enum SettingTable {
  struct Entry {
    let setting: Setting
    let reading: SettingRow.Reading
  }

  /// Every policy setting, in the order of ``Setting``.
  static let entries = Setting.allCases.compactMap { setting in
    row(of: setting).reading.map { Entry(setting: setting, reading: $0) }
  }

  static func row(of setting: Setting) -> SettingRow { rows[setting.index] }

  private static let rows = Setting.allCases.map(\.declaration)

  /// The settings whose rows declare a channel, by channel and in the order of ``Setting``. Each setting has the sides
  /// on which it is evaluated.
  static let deciders = Dictionary(
    uniqueKeysWithValues: Channel.allCases.map { channel in
      let settings = Setting.allCases.filter { $0.decidedChannels.contains(channel) }
      return (channel, settings.map { (setting: $0, sides: row(of: $0).decisions.sides) })
    })

  /// All properties of a policy: the settings and Graph's other documented properties.
  static let properties = PolicyProperties.others.adding(
    Dictionary(
      uniqueKeysWithValues: entries.map { ($0.setting.rawValue, $0.reading.domain.type) }))
}

extension Setting {
  /// The setting's name for administrators: the admin centre's label, or the key if there is none.
  package var label: String { SettingTable.row(of: self).label ?? rawValue }

  /// The admin centre's page with the setting; nil if it is not a policy setting.
  package var page: SettingPage? { SettingTable.row(of: self).page }

  /// The values that the setting can have; nil if it is not a policy setting.
  package var domain: SettingDomain? { SettingTable.row(of: self).reading?.domain }

  /// The channels on which changing only this setting may change the answer, as declared by its row. A setting that
  /// acts only together with other settings or with the content declares no channels.
  package var decidedChannels: [Channel] { SettingTable.row(of: self).decisions.channels }
}

extension SettingPage {
  /// A line on a page of the admin centre: one setting, or several settings that share a label and a value.
  package struct Line: Sendable {
    /// The settings. The first determines the line's label and text.
    package fileprivate(set) var settings: [Setting]
    /// The text that distinguishes lines with the same label, such as `block access`; nil if the label alone identifies
    /// the line.
    package let qualifier: String?
  }

  /// The lines of the page in the order of the admin centre.
  package var lines: [Line] {
    let settings = Setting.allCases.filter { $0.page == self }
    let places = Dictionary(uniqueKeysWithValues: zip(Self.order, 0...))
    var lines: [Line] = []
    for setting in settings {
      let qualifier = SettingTable.row(of: setting).qualifier
      let line = lines.firstIndex {
        $0.settings[0].label == setting.label && $0.qualifier == qualifier
      }
      if let line {
        lines[line].settings.append(setting)
      } else {
        lines.append(Line(settings: [setting], qualifier: qualifier))
      }
    }
    let placed = lines.enumerated().map { (places[$1.settings[0]] ?? .max, $0, $1) }
    return placed.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }
}

extension Settings {
  /// Returns the value of `setting` in the admin centre's words; nil if it is not a policy setting.
  ///
  /// Settings that share a label share their words.
  package func words(for setting: Setting) -> String? { SettingTable.row(of: setting).words?(self) }

  /// Returns the settings as the app's SDK release applies them. A setting that this release cannot read has its
  /// default value.
  ///
  /// - Returns: The settings, and those configured settings that the release cannot read.
  package func known(to app: AppState) -> (settings: Settings, unread: [Setting]) {
    guard app.sdkVersion != nil else { return (self, []) }
    let defaults = Settings()
    var known = self
    var unread: [Setting] = []
    for entry in SettingTable.entries
    where !app.reads(entry.setting) && !entry.reading.agrees(self, defaults) {
      entry.reading.merge([defaults], &known)
      unread.append(entry.setting)
    }
    return (known, unread)
  }
}
