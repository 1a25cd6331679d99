internal import GraphDocuments
import JSON
import Model

/// A page of an app protection policy in the Intune admin centre.
package enum SettingPage: String, Sendable, CaseIterable {
  case dataProtection = "Data protection"
  case accessRequirements = "Access requirements"
  case conditionalLaunch = "Conditional launch"
}

/// What one setting means: what administrators call it and its values, how it is read, and what several policies come to.
///
/// Which value is the strictest is a join: commutative, associative and idempotent, so that neither the
/// order nor the repetition of policies matters.
struct SettingRow: Sendable {
  typealias Path<Value> = any WritableKeyPath<Settings, Value> & Sendable
  typealias Condition = @Sendable (Settings) -> Bool

  /// nil where administrators know it by its key alone.
  let label: String?
  /// nil where no policy holds it.
  let page: SettingPage?
  /// The value in the admin centre's words; nil where no policy holds it.
  private(set) var words: (@Sendable (Settings) -> String)?
  /// nil where no policy holds it.
  private(set) var reading: Reading?

  /// How a property of policies is read and merged.
  struct Reading: Sendable {
    /// Reads the property, whose JSON type is known to be right, into the settings.
    let read:
      @Sendable (JSONValue.Member, inout PropertyReader, inout Settings) throws(PolicyError) -> Void
    /// Sets the strictest of the values; what the policies state of other settings makes no difference.
    let merge: @Sendable ([Settings], inout Settings) -> Void
    /// Whether two policies agree on the setting.
    let agrees: @Sendable (Settings, Settings) -> Bool
    /// Whether a policy's value has any effect; nil: always. Where no policy's has, all are merged.
    fileprivate(set) var counts: Condition?
  }

  /// A setting that no policy holds.
  init(_ label: String? = nil) {
    self.label = label
    page = nil
  }

  init<Value: Equatable & Sendable>(
    _ label: String, _ page: SettingPage, _ path: Path<Value>,
    read: @escaping @Sendable (JSONValue.Member, inout PropertyReader) throws(PolicyError) -> Value,
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
      agrees: { $0[keyPath: path] == $1[keyPath: path] })
  }

  /// The same, with only those policies counted in which the setting has an effect.
  ///
  /// - Parameter condition: Holds of merged policies exactly where it holds of one of them.
  func counting(where condition: @escaping Condition) -> SettingRow {
    var row = self
    row.reading?.counts = condition
    return row
  }

  /// The same, with its value in words.
  func saying(_ words: @escaping @Sendable (Settings) -> String) -> SettingRow {
    var row = self
    row.words = words
    return row
  }
}

/// The kinds of settings.
extension SettingRow {
  /// A restriction: on is strict.
  static func flag(_ label: String, _ page: SettingPage, _ path: Path<Bool>) -> SettingRow {
    SettingRow(
      label, page, path, read: { $1.flag($0) }, join: { $0 || $1 })
  }

  /// A relaxation: off is strict.
  static func relaxation(_ label: String, _ page: SettingPage, _ path: Path<Bool>) -> SettingRow {
    SettingRow(
      label, page, path, read: { $1.flag($0) }, join: { $0 && $1 })
  }

  /// An enumeration whose cases are listed from the most permissive to the strictest.
  static func choice<Value: RawRepresentable & CaseIterable & Equatable & Sendable>(
    _ label: String, _ page: SettingPage, _ path: Path<Value>
  ) -> SettingRow where Value.RawValue == String {
    SettingRow(
      label, page, path,
      read: { (member, reader) throws(PolicyError) in try reader.choice(member) },
      join: Join.strictest)
  }

  static func count(
    _ label: String, _ page: SettingPage, _ path: Path<Int>,
    strictest join: @escaping @Sendable (Int, Int) -> Int
  ) -> SettingRow {
    SettingRow(
      label, page, path,
      read: { (member, reader) throws(PolicyError) in try reader.count(member) }, join: join)
  }

  /// A length of time, in seconds.
  static func period(
    _ label: String, _ page: SettingPage, _ path: Path<Int>,
    strictest join: @escaping @Sendable (Int, Int) -> Int
  ) -> SettingRow {
    SettingRow(
      label, page, path, read: { $1.seconds($0) }, join: join)
  }

  static func version(
    _ label: String, _ page: SettingPage, _ path: Path<Version?>,
    strictest join: @escaping @Sendable (Version, Version) -> Version
  ) -> SettingRow {
    SettingRow(
      label, page, path,
      read: { (member, reader) throws(PolicyError) in try reader.version(member) },
      join: { Join.present($0, $1, join) })
  }

  static func services<Value: RawRepresentable & CaseIterable & Hashable & Sendable>(
    _ label: String, _ page: SettingPage, _ path: Path<Set<Value>>
  ) -> SettingRow where Value.RawValue == String {
    SettingRow(
      label, page, path,
      read: { (member, reader) throws(PolicyError) in try reader.services(member) },
      join: { $0.intersection($1) })
  }

  static func links(_ label: String, _ page: SettingPage, _ path: Path<[LinkPattern]>) -> SettingRow
  {
    SettingRow(
      label, page, path, read: { $1.links($0) }, join: Join.common)
  }

  static func remediation(
    _ label: String, _ page: SettingPage, _ path: Path<Settings.Remediation>
  ) -> SettingRow {
    SettingRow(
      label, page, path,
      read: { (member, reader) throws(PolicyError) in try reader.remediation(member) },
      join: Join.strictest)
  }

  static func remediation(
    _ label: String, _ page: SettingPage, _ path: Path<Settings.Remediation?>
  ) -> SettingRow {
    SettingRow(
      label, page, path,
      read: { (member, reader) throws(PolicyError) in try reader.remediation(member) },
      join: { Join.present($0, $1, Join.strictest) })
  }

  static func state(
    _ label: String, _ page: SettingPage, _ path: Path<Settings.ConfigurationState?>
  ) -> SettingRow {
    SettingRow(
      label, page, path,
      read: { (member, reader) throws(PolicyError) in try reader.state(member) },
      join: Join.state)
  }

  /// The scheme of the one app that a level means, or of none. It is settled together with that level.
  static func scheme(_ label: String, _ page: SettingPage, _ path: Path<String>) -> SettingRow {
    SettingRow(
      label, page, path, read: { $1.scheme($0.value) }, join: { $0 == $1 ? $0 : "" })
  }
}
