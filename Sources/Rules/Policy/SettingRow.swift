internal import Encodings
internal import GraphDocuments
import JSON
package import Model

/// A page of an app protection policy in the Intune admin centre.
package enum SettingPage: String, Sendable, CaseIterable {
  case dataProtection = "Data protection"
  case accessRequirements = "Access requirements"
  case conditionalLaunch = "Conditional launch"
}

/// The declaration of one setting: its label, its values in words, and how it is read and merged.
///
/// Merging takes the strictest value. It is a join (commutative, associative and idempotent), so neither the
/// order nor the repetition of policies matters.
struct SettingRow: Sendable {
  typealias Path<Value> = any WritableKeyPath<Settings, Value> & Sendable
  typealias Condition = @Sendable (Settings) -> Bool

  /// The admin centre's label; nil if the setting is known only by its key.
  let label: String?
  /// The page with the setting; nil if it is not a policy setting.
  let page: SettingPage?
  /// The value in the admin centre's words; nil if it is not a policy setting.
  private(set) var words: (@Sendable (Settings) -> String)?
  /// The value that a verdict cites for a setting outside policies; nil if none is cited.
  private(set) var citation: (@Sendable (TransferRequest) -> String)?
  /// The reading and merging of the property; nil if it is not a policy setting.
  private(set) var reading: Reading?
  /// The values of an enumerable setting, each as a change of settings; empty for numbers and texts.
  private(set) var variants: [@Sendable (inout Settings) -> Void] = []
  /// The first Intune App SDK release of each release line that reads the setting; empty for every release.
  private(set) var releases: [Version] = []

  struct Reading: Sendable {
    /// Reads the property into the settings. Its JSON type has already been checked.
    let read:
      @Sendable (JSONValue.Member, inout PropertyReader, inout Settings) throws(PolicyError) -> Void
    /// Sets the strictest of the values, ignoring the policies' other settings.
    let merge: @Sendable ([Settings], inout Settings) -> Void
    let agrees: @Sendable (Settings, Settings) -> Bool
    /// The value in Graph's form, which ``read`` accepts.
    let value: @Sendable (Settings) -> GraphValue
    /// The condition for a value to have an effect; nil for always. If no policy meets it, all are merged.
    fileprivate(set) var counts: Condition?
  }

  /// Creates the row of a setting outside policies.
  init(_ label: String? = nil) {
    self.label = label
    page = nil
  }

  init<Value: Equatable & Sendable>(
    _ label: String, _ page: SettingPage, _ path: Path<Value>,
    read: @escaping @Sendable (JSONValue.Member, inout PropertyReader) throws(PolicyError) -> Value,
    value: @escaping @Sendable (Value) -> GraphValue,
    join: @escaping @Sendable (Value, Value) -> Value
  ) {
    self.label = label
    self.page = page
    reading = Reading(
      read: { (member, reader, settings) throws(PolicyError) in
        settings[keyPath: path] = try read(member, &reader)
      },
      merge: { all, merged in
        guard let first = all.first else { return }
        merged[keyPath: path] = all.dropFirst().reduce(first[keyPath: path]) {
          join($0, $1[keyPath: path])
        }
      },
      agrees: { $0[keyPath: path] == $1[keyPath: path] },
      value: { value($0[keyPath: path]) })
  }

  /// Limits merging to the policies in which the setting has an effect. For merged policies, `condition` must
  /// hold exactly if it holds for one of them.
  func counting(where condition: @escaping Condition) -> SettingRow {
    var row = self
    row.reading?.counts = condition
    return row
  }

  /// Sets the first SDK release of each release line that reads the setting, oldest first.
  func since(_ releases: Version...) -> SettingRow {
    var row = self
    row.releases = releases
    return row
  }

  /// Sets the words for the setting's value.
  func saying(_ words: @escaping @Sendable (Settings) -> String) -> SettingRow {
    var row = self
    row.words = words
    return row
  }

  /// Sets the value that a verdict cites for a setting outside policies.
  func citing(_ value: @escaping @Sendable (TransferRequest) -> String) -> SettingRow {
    var row = self
    row.citation = value
    return row
  }
}

extension SettingRow {
  private func offering<Value: Sendable>(
    _ path: Path<Value>, _ values: some Sequence<Value>
  ) -> SettingRow {
    var row = self
    row.variants = values.map { value in { settings in settings[keyPath: path] = value } }
    return row
  }

  /// Creates the row of a restriction: true is stricter.
  static func flag(_ label: String, _ page: SettingPage, _ path: Path<Bool>) -> SettingRow {
    SettingRow(
      label, page, path, read: { $1.flag($0) }, value: GraphValue.flag, join: { $0 || $1 }
    ).offering(path, [false, true])
  }

  /// Creates the row of a relaxation: false is stricter.
  static func relaxation(_ label: String, _ page: SettingPage, _ path: Path<Bool>) -> SettingRow {
    SettingRow(
      label, page, path, read: { $1.flag($0) }, value: GraphValue.flag, join: { $0 && $1 }
    ).offering(path, [false, true])
  }

  /// Creates the row of an enumeration whose cases run from the most permissive to the strictest.
  static func choice<Value: RawRepresentable & CaseIterable & Equatable & Sendable>(
    _ label: String, _ page: SettingPage, _ path: Path<Value>
  ) -> SettingRow where Value.RawValue == String {
    SettingRow(
      label, page, path,
      read: { (member, reader) throws(PolicyError) in try reader.choice(member) },
      value: { .text($0.rawValue) }, join: Join.strictest
    ).offering(path, Value.allCases)
  }

  static func count(
    _ label: String, _ page: SettingPage, _ path: Path<Int>,
    strictest join: @escaping @Sendable (Int, Int) -> Int
  ) -> SettingRow {
    SettingRow(
      label, page, path,
      read: { (member, reader) throws(PolicyError) in try reader.count(member) },
      value: GraphValue.number, join: join)
  }

  /// Creates the row of a duration in seconds.
  static func period(
    _ label: String, _ page: SettingPage, _ path: Path<Int>,
    strictest join: @escaping @Sendable (Int, Int) -> Int
  ) -> SettingRow {
    SettingRow(
      label, page, path, read: { $1.seconds($0) },
      value: { .text(ISODuration.text($0)) }, join: join)
  }

  static func version(
    _ label: String, _ page: SettingPage, _ path: Path<Version?>,
    strictest join: @escaping @Sendable (Version, Version) -> Version
  ) -> SettingRow {
    SettingRow(
      label, page, path,
      read: { (member, reader) throws(PolicyError) in try reader.version(member) },
      value: { $0.map { .text($0.description) } ?? .null },
      join: { Join.present($0, $1, join) })
  }

  static func services<Value: RawRepresentable & CaseIterable & Hashable & Sendable>(
    _ label: String, _ page: SettingPage, _ path: Path<Set<Value>>
  ) -> SettingRow where Value.RawValue == String {
    SettingRow(
      label, page, path,
      read: { (member, reader) throws(PolicyError) in try reader.services(member) },
      value: { .texts($0.map(\.rawValue).sorted()) },
      join: { $0.intersection($1) })
  }

  static func links(_ label: String, _ page: SettingPage, _ path: Path<[LinkPattern]>) -> SettingRow
  {
    SettingRow(
      label, page, path, read: { $1.links($0) }, value: { .texts($0.map(\.text)) },
      join: Join.common)
  }

  static func remediation(
    _ label: String, _ page: SettingPage, _ path: Path<Settings.Remediation>
  ) -> SettingRow {
    SettingRow(
      label, page, path,
      read: { (member, reader) throws(PolicyError) in try reader.remediation(member) },
      value: { .text($0.rawValue) }, join: Join.strictest
    ).offering(path, Settings.Remediation.allCases)
  }

  static func remediation(
    _ label: String, _ page: SettingPage, _ path: Path<Settings.Remediation?>
  ) -> SettingRow {
    SettingRow(
      label, page, path,
      read: { (member, reader) throws(PolicyError) in try reader.remediation(member) },
      value: { $0.map { .text($0.rawValue) } ?? .null },
      join: { Join.present($0, $1, Join.strictest) }
    ).offering(path, Settings.Remediation.allCases.map { $0 })
  }

  static func state(
    _ label: String, _ page: SettingPage, _ path: Path<Settings.ConfigurationState?>
  ) -> SettingRow {
    SettingRow(
      label, page, path,
      read: { (member, reader) throws(PolicyError) in try reader.state(member) },
      value: { $0.map { .text($0.rawValue) } ?? .null }, join: Join.state
    ).offering(path, Settings.ConfigurationState.allCases.map { $0 })
  }

  /// Creates the row of a redirect level's scheme; empty for none. It is merged together with the level.
  static func scheme(_ label: String, _ page: SettingPage, _ path: Path<String>) -> SettingRow {
    SettingRow(
      label, page, path, read: { $1.scheme($0.value) }, value: GraphValue.text,
      join: { $0 == $1 ? $0 : "" })
  }
}

// MARK: - Table

/// The declarations of all settings, by setting.
enum SettingTable {
  /// A policy setting.
  struct Entry {
    let setting: Setting
    let reading: SettingRow.Reading
  }

  /// Every policy setting, in the order of ``Setting``.
  static let entries = Setting.allCases.compactMap { setting in
    row(of: setting).reading.map { Entry(setting: setting, reading: $0) }
  }

  static func row(of setting: Setting) -> SettingRow { rows[setting] ?? setting.declaration }

  private static let rows = Dictionary(
    uniqueKeysWithValues: Setting.allCases.map { ($0, $0.declaration) })
}

extension Setting {
  /// The setting's name for administrators: the admin centre's label, or the key if there is none.
  package var label: String { SettingTable.row(of: self).label ?? rawValue }

  /// The admin centre's page with the setting; nil if it is not a policy setting.
  package var page: SettingPage? { SettingTable.row(of: self).page }
}

extension Settings {
  /// Returns the value of `setting` in the admin centre's words; nil if it is not a policy setting.
  ///
  /// Settings that share a label share their words.
  package func words(for setting: Setting) -> String? { SettingTable.row(of: setting).words?(self) }

  /// Resets the settings that the app's SDK release is too old to read to their defaults.
  ///
  /// - Returns: The settings, and the configured ones that the SDK does not read.
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
