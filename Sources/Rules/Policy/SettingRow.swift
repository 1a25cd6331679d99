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

/// The meaning of one setting: its label and its values' words for administrators, its reading, and its merging.
///
/// The choice of the strictest value is a join: commutative, associative and idempotent, so that neither the
/// order nor the repetition of policies matters.
struct SettingRow: Sendable {
  typealias Path<Value> = any WritableKeyPath<Settings, Value> & Sendable
  typealias Condition = @Sendable (Settings) -> Bool

  /// The administrators' label; nil where they know the setting by its key alone.
  let label: String?
  /// The page with the setting; nil where no policy holds the setting.
  let page: SettingPage?
  /// The value in the admin centre's words; nil where no policy holds the setting.
  private(set) var words: (@Sendable (Settings) -> String)?
  /// The value that a verdict cites where no policy holds the setting; nil where a policy does, or none is cited.
  private(set) var citation: (@Sendable (TransferRequest) -> String)?
  /// The reading and merging of the property; nil where no policy holds the setting.
  private(set) var reading: Reading?
  /// The values of a short list, each as a change of settings; empty where any number or text is a value.
  private(set) var variants: [@Sendable (inout Settings) -> Void] = []
  /// The first release of the Intune App SDK, of each line of releases, that reads the setting; empty: every release.
  private(set) var releases: [Version] = []

  /// The reading and merging of a property of policies.
  struct Reading: Sendable {
    /// Reads the property, whose JSON type is known to be right, into the settings.
    let read:
      @Sendable (JSONValue.Member, inout PropertyReader, inout Settings) throws(PolicyError) -> Void
    /// Sets the strictest of the values; the policies' other settings make no difference.
    let merge: @Sendable ([Settings], inout Settings) -> Void
    /// Whether two policies agree on the setting.
    let agrees: @Sendable (Settings, Settings) -> Bool
    /// The value as Graph writes it, which ``read`` reads back.
    let value: @Sendable (Settings) -> GraphValue
    /// The condition under which a policy's value has an effect; nil: always. Where none has one, all are merged.
    fileprivate(set) var counts: Condition?
  }

  /// Creates the row of a setting that no policy holds.
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

  /// The row, with only those policies counted in which the setting has an effect.
  ///
  /// - Parameter condition: The condition of an effect, which holds for merged policies exactly where it holds for one
  ///   of them.
  func counting(where condition: @escaping Condition) -> SettingRow {
    var row = self
    row.reading?.counts = condition
    return row
  }

  /// The row of a setting that the SDK reads from these releases on, the first of each line, oldest first.
  func since(_ releases: Version...) -> SettingRow {
    var row = self
    row.releases = releases
    return row
  }

  /// The row, with the setting's value in words.
  func saying(_ words: @escaping @Sendable (Settings) -> String) -> SettingRow {
    var row = self
    row.words = words
    return row
  }

  /// The row, with the value of a setting that no policy holds.
  func citing(_ value: @escaping @Sendable (TransferRequest) -> String) -> SettingRow {
    var row = self
    row.citation = value
    return row
  }
}

/// The rows of the kinds of settings.
extension SettingRow {
  /// The row, with the list of the setting's values.
  private func offering<Value: Sendable>(
    _ path: Path<Value>, _ values: some Sequence<Value>
  ) -> SettingRow {
    var row = self
    row.variants = values.map { value in { settings in settings[keyPath: path] = value } }
    return row
  }

  /// The row of a restriction: on is strict.
  static func flag(_ label: String, _ page: SettingPage, _ path: Path<Bool>) -> SettingRow {
    SettingRow(
      label, page, path, read: { $1.flag($0) }, value: GraphValue.flag, join: { $0 || $1 }
    ).offering(path, [false, true])
  }

  /// The row of a relaxation: off is strict.
  static func relaxation(_ label: String, _ page: SettingPage, _ path: Path<Bool>) -> SettingRow {
    SettingRow(
      label, page, path, read: { $1.flag($0) }, value: GraphValue.flag, join: { $0 && $1 }
    ).offering(path, [false, true])
  }

  /// The row of an enumeration whose cases are listed from the most permissive to the strictest.
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

  /// The row of a length of time, in seconds.
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

  /// The row of the scheme of the one app that a level means, or of none. It is merged together with that level.
  static func scheme(_ label: String, _ page: SettingPage, _ path: Path<String>) -> SettingRow {
    SettingRow(
      label, page, path, read: { $1.scheme($0.value) }, value: GraphValue.text,
      join: { $0 == $1 ? $0 : "" })
  }
}

// MARK: - Table

/// The declarations of all settings, looked up by setting.
enum SettingTable {
  /// A setting that policies hold.
  struct Entry {
    let setting: Setting
    let reading: SettingRow.Reading
  }

  /// Every setting that policies hold, in the order of ``Setting``.
  static let entries = Setting.allCases.compactMap { setting in
    row(of: setting).reading.map { Entry(setting: setting, reading: $0) }
  }

  static func row(of setting: Setting) -> SettingRow { rows[setting] ?? setting.declaration }

  private static let rows = Dictionary(
    uniqueKeysWithValues: Setting.allCases.map { ($0, $0.declaration) })
}

extension Setting {
  /// The name of the setting where an administrator finds it: the Intune admin centre's label, or the key
  /// itself where there is none.
  package var label: String { SettingTable.row(of: self).label ?? rawValue }

  /// The page of the admin centre with the setting; nil where no policy holds it.
  package var page: SettingPage? { SettingTable.row(of: self).page }
}

extension Settings {
  /// The value of `setting` in the admin centre's words; nil where no policy holds the setting.
  ///
  /// Settings that share a label share their words.
  package func words(for setting: Setting) -> String? { SettingTable.row(of: setting).words?(self) }

  /// The settings that the app's SDK reads: those that are younger than its release have their defaults.
  ///
  /// - Returns: The settings, and the stated ones that the SDK does not read.
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
