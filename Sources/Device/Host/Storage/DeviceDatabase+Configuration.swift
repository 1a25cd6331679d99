internal import GRDB
internal import JSON
internal import Model

/// The settings of the administrator and the user, and the device that the database belongs to.
extension DeviceDatabase {
  /// Saves the configuration that an app got while the device ran.
  func setConfiguration(
    _ configuration: [String: String], of app: String
  ) throws(HostError) {
    var writer = JSONWriter()
    writer.object { writer in
      for (key, value) in configuration.sorted(by: { $0.key < $1.key }) {
        writer.member(named: key) { $0.string(value) }
      }
    }
    let text = writer.text
    try access { database in
      try database.run(
        """
        INSERT INTO configuration VALUES (?, ?)
        ON CONFLICT (app) DO UPDATE SET entries = excluded.entries
        """, [app, text])
    }
  }

  /// The configuration of the app; nil: it never changed while the device ran.
  func configuration(of app: String) throws(HostError) -> [String: String]? {
    try look { database in
      let row = try database.row("SELECT entries FROM configuration WHERE app = ?", [app])
      guard let row else { return nil }
      let entries = try JSONReader.read(row["entries"] as String).members ?? []
      return entries.reduce(into: [:]) { $0[$1.name] = $1.value.string }
    }
  }

  // MARK: the device

  /// Saves the time of the virtual clock, in seconds.
  func setClock(_ now: Int) throws(HostError) {
    try access { try Self.setMeta("clock", String(now), $0) }
  }

  /// The time of the virtual clock, in seconds; nil: none was saved.
  var clock: Int? {
    get throws(HostError) {
      guard let text = try look({ try Self.meta("clock", $0) }) else { return nil }
      guard let time = Int(text), Timestamp.range.contains(time) else {
        throw HostError(
          .database, "the clock in the device's database is damaged: it shows `\(text)`")
      }
      return time
    }
  }

  static let deviceKey = "device"

  /// Name of the device that the database belongs to; nil: nobody has claimed it.
  var deviceName: String? {
    get throws(HostError) { try look { try Self.meta(Self.deviceKey, $0) } }
  }

  /// Makes this the database of the device of that name.
  ///
  /// - Throws: ``HostError``, also where the database is another device's, or half erased.
  func claim(for device: String) throws(HostError) {
    try access { database in
      guard try !Self.isHalfErased(database) else {
        throw HostError(
          .folder, "the device of `\(path)` is half erased: `sluice device reset` finishes that")
      }
      if let owner = try Self.meta(Self.deviceKey, database) {
        guard owner != device else { return }
        throw HostError(
          .folder,
          "the database `\(path)` belongs to the device `\(owner)`, and not to `\(device)`")
      }
      try Self.setMeta(Self.deviceKey, device, database)
    }
  }

  static func meta(_ name: String, _ database: Database) throws -> String? {
    try database.row("SELECT value FROM meta WHERE name = ?", [name])?.optionalText("value")
  }

  static func setMeta(_ name: String, _ value: String, _ database: Database) throws {
    try database.run(
      "INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      [name, value.stored])
  }
}
