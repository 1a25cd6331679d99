internal import Foundation
internal import GRDB

/// Keys that the device made for identities, and their certificates: among the device's secrets.
extension DeviceDatabase {
  /// What every place of an identity begins with.
  private static let prefix = "managedIdentity "
  private static let certificateSuffix = " certificate"

  /// nil where there is none at `place`.
  func identity(
    at place: String
  ) throws(HostError) -> (key: [UInt8], certificate: [UInt8])? {
    try access { database in
      let sql = "SELECT value FROM secret WHERE name = ?"
      guard let key = try database.row(sql, [place]),
        let certificate = try database.row(sql, [place + Self.certificateSuffix])
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
        [place + Self.certificateSuffix, Data(identity.certificate)])
    }
  }

  /// Deletes the identities at all other places.
  ///
  /// - Returns: whether there were any.
  func keepIdentities(at places: Set<String>) throws(HostError) -> Bool {
    let kept = places.union(places.map { $0 + Self.certificateSuffix })
    return try access { database in
      let names = try database.rows("SELECT name FROM secret").map { row -> String in row["name"] }
      let outdated = names.filter { $0.hasPrefix(Self.prefix) && !kept.contains($0) }
      for name in outdated { try database.run("DELETE FROM secret WHERE name = ?", [name]) }
      return !outdated.isEmpty
    }
  }
}
