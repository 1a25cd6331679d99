internal import Foundation
internal import GRDB

/// Keys that the device made for identities, and their certificates, among the device's secrets.
extension DeviceDatabase {
  /// The beginning of every place of an identity.
  private static let prefix = "managedIdentity "
  private static let certificatePrefix = "certificate of "

  /// The identity at `place`; nil where there is none.
  func identity(
    at place: String
  ) throws(HostError) -> (key: [UInt8], certificate: [UInt8])? {
    try access { database in
      let sql = "SELECT value FROM secret WHERE name = ?"
      guard let key = try database.row(sql, [place]),
        let certificate = try database.row(sql, [Self.certificatePrefix + place])
      else { return nil }
      return (key.bytes("value"), certificate.bytes("value"))
    }
  }

  func save(
    _ identity: (key: [UInt8], certificate: [UInt8]), at place: String
  ) throws(HostError) {
    try access { database in
      try database.run("INSERT INTO secret VALUES (?, ?)", [place, Data(identity.key)])
      try database.run(
        "INSERT INTO secret VALUES (?, ?)",
        [Self.certificatePrefix + place, Data(identity.certificate)])
    }
  }

  /// Deletes the identities at all other places.
  ///
  /// - Returns: whether any was deleted.
  func keepIdentities(at places: Set<String>) throws(HostError) -> Bool {
    let kept = places.union(places.map { Self.certificatePrefix + $0 })
    return try access { database in
      let names = try database.rows("SELECT name FROM secret").map { row -> String in row["name"] }
      let outdated = names.filter { name in
        [Self.prefix, Self.certificatePrefix + Self.prefix].contains { name.hasPrefix($0) }
          && !kept.contains(name)
      }
      for name in outdated { try database.run("DELETE FROM secret WHERE name = ?", [name]) }
      return !outdated.isEmpty
    }
  }
}
