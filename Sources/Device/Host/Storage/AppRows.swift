internal import Cryptography
internal import Encodings
internal import Foundation
internal import GRDB
internal import Model
internal import Policy

// MARK: - Configurations

extension DeviceDatabase {
  /// Saves an app's configuration after it has been changed while the device is running. At later starts of the device,
  /// the saved configuration applies instead of the one in the scenario.
  func setConfiguration(
    _ configuration: [String: String], of app: String
  ) throws(HostError) {
    var writer = JSONWriter()
    writer.object { $0.members(of: configuration) { $0.string($1) } }
    let text = writer.text
    try access { database in
      try database.run(
        """
        INSERT INTO configuration VALUES (?, ?)
        ON CONFLICT (app) DO UPDATE SET entries = excluded.entries
        """, [app, text])
    }
  }

  /// Returns the app's configuration; nil if it never changed while the device was running.
  func configuration(of app: String) throws(HostError) -> [String: String]? {
    try read { database in
      let row = try database.row("SELECT entries FROM configuration WHERE app = ?", [app])
      guard let row else { return nil }
      let entries = try JSONReader.read(row["entries"] as String).members ?? []
      return entries.reduce(into: [:]) { $0[$1.name] = $1.value.string }
    }
  }
}

// MARK: - PINs and check-ins

/// Stores the states of PINs by publisher, and the times of apps' last contact with the service.
extension DeviceDatabase {
  /// The SQL of a migration that deletes the PINs of earlier versions, because those PINs do not belong to an account.
  /// Users must then set new PINs.
  static let accessStatesByAccount = """
    DROP TABLE accessState;
    CREATE TABLE accessState (
      team TEXT NOT NULL, number INTEGER NOT NULL, sealed BLOB NOT NULL,
      PRIMARY KEY (team, number)) STRICT;
    """

  /// Saves one of a team's access states, encrypted with the device's secret `state`. The account is encrypted too,
  /// because its PIN remains in the database after the account has left.
  ///
  /// - Parameter number: The index of the state among the team's states.
  func saveAccess(
    _ entry: PublisherAccess.Entry, number: Int, team: String
  ) throws(HostError) {
    var writer = JSONWriter()
    entry.write(to: &writer)
    let plain = writer.bytes
    try access { database in
      let sealed = Self.wrap(
        plain, for: Self.sealName(number, team), with: try Self.stateCipher(in: database))
      try database.run(
        """
        INSERT INTO accessState VALUES (?, ?, ?)
        ON CONFLICT (team, number) DO UPDATE SET sealed = excluded.sealed
        """, [team, number, Data(sealed)])
    }
  }

  /// Returns the access states in the order of their numbers, keyed by team.
  ///
  /// - Throws: ``HostError``, for example if an access state was altered.
  func accessStates() throws(HostError) -> [String: [PublisherAccess.Entry]] {
    try access { database in
      let cipher = try Self.stateCipher(in: database)
      return try database.rows(
        "SELECT team, number, sealed FROM accessState ORDER BY team, number"
      ).reduce(into: [:]) { states, row in
        let team: String = row["team"]
        let name = Self.sealName(row["number"], team)
        guard let plain = Self.unwrap(row.bytes("sealed"), for: name, with: cipher),
          let entry = PublisherAccess.Entry(try JSONReader.read(plain))
        else {
          throw HostError(.database, "the PIN of `\(team)` in the device's database was altered")
        }
        states[team, default: []].append(entry)
      }
    }
  }

  private static func sealName(_ number: Int, _ team: String) -> String { "\(number) \(team)" }

  private static func stateCipher(in database: Database) throws -> AES256GCM {
    AES256GCM(
      key: try secret("state", make: { randomBytes(AES256GCM.keyByteCount) }, in: database))
  }

  // MARK: Check-ins

  func saveCheckIn(_ checkIn: CheckIn) throws(HostError) {
    try access { database in
      for id in try Self.ids(of: checkIn.account, in: database) {
        try database.run("DELETE FROM checkIn WHERE app = ? AND accountID = ?", [checkIn.app, id])
      }
      try database.run(
        "INSERT INTO checkIn VALUES (?, ?, ?)",
        [checkIn.app, try Self.id(of: checkIn.account, in: database), checkIn.time])
    }
  }

  func forgetCheckIn(of account: Account, in app: String) throws(HostError) {
    try access { database in
      for id in try Self.ids(of: account, in: database) {
        try database.run("DELETE FROM checkIn WHERE app = ? AND accountID = ?", [app, id])
      }
      try Self.forget(account, ifUnnamed: database)
    }
  }

  func checkIns() throws(HostError) -> [CheckIn] {
    try read { database in
      try database.rows(
        """
        SELECT app, time, upn, objectID, tenantID
        FROM checkIn JOIN account ON account.id = accountID ORDER BY app, account.id
        """
      ).compactMap { row in
        row.account.map { CheckIn(app: row["app"], account: $0, time: row["time"]) }
      }
    }
  }
}
