internal import Foundation
internal import GRDB
internal import Model

/// Stores the owners of files.
extension DeviceDatabase {
  func owner(of place: FileLocation) throws(HostError) -> Account? {
    try read { database in
      try database.row(
        """
        SELECT upn, objectID, tenantID FROM fileOwner JOIN account ON account.id = accountID
        WHERE scope = ? AND path = ?
        """, Self.arguments(place))?.account
    }
  }

  func setOwner(_ owner: Account?, of place: FileLocation) throws(HostError) {
    let more = try access { database in
      guard let owner else { return -(try Self.forget(place, database)) }
      let isKnown = try Self.hasOwner(place, database)
      try database.run(
        """
        INSERT INTO fileOwner VALUES (?, ?, ?)
        ON CONFLICT (scope, path) DO UPDATE SET accountID = excluded.accountID
        """, Self.arguments(place) + [try Self.id(of: owner, in: database)])
      return isKnown ? 0 : 1
    }
    ownerCounts?[place.scope, default: 0] += more
  }

  func hasOwner(_ place: FileLocation) throws(HostError) -> Bool {
    try read { try Self.hasOwner(place, $0) }
  }

  private static func hasOwner(_ place: FileLocation, _ database: Database) throws -> Bool {
    try database.row("SELECT 1 FROM fileOwner WHERE scope = ? AND path = ?", arguments(place))
      != nil
  }

  /// Returns the number of files in `scope` that have an owner. The first call counts the rows; later calls use a
  /// cached number.
  func ownerCount(in scope: String) throws(HostError) -> Int {
    if ownerCounts == nil {
      let counts: [String: Int] = try read { database in
        try database.rows("SELECT scope, count(*) AS count FROM fileOwner GROUP BY scope")
          .reduce(into: [:]) { counts, row in counts[row["scope"] as String] = row["count"] as Int }
      }
      ownerCounts = counts
    }
    return ownerCounts?[scope] ?? 0
  }

  /// Returns files in `scope` that have an owner, ordered by path.
  ///
  /// - Parameters:
  ///   - last: The path after which the listing starts.
  ///   - limit: The maximum number of files.
  func ownedPlaces(
    in scope: String, after last: [UInt8], limit: Int
  ) throws(HostError) -> [FileLocation] {
    try read { database in
      try database.rows(
        "SELECT path FROM fileOwner WHERE scope = ? AND path > ? ORDER BY path LIMIT ?",
        [scope, Data(last), limit]
      ).compactMap { FileLocation(scope: scope, path: $0.bytes("path")) }
    }
  }

  /// Returns the account's files in `scope`, ordered by path.
  ///
  /// - Parameters:
  ///   - last: The path after which the listing starts.
  ///   - limit: The maximum number of files.
  func files(
    ownedBy owner: Account, in scope: String, after last: [UInt8], limit: Int
  ) throws(HostError) -> [FileLocation] {
    try read { database in
      let ids = try Self.ids(of: owner, in: database)
      guard !ids.isEmpty else { return [] }
      return try database.rows(
        """
        SELECT path FROM fileOwner WHERE scope = ? AND path > ?
        AND accountID IN (\(databaseQuestionMarks(count: ids.count))) ORDER BY path LIMIT ?
        """, [scope, Data(last)] + StatementArguments(ids) + [limit]
      ).compactMap { FileLocation(scope: scope, path: $0.bytes("path")) }
    }
  }

  /// Returns the accounts that own files but are not signed in to any app.
  func ownersSignedInNowhere() throws(HostError) -> [Account] {
    try read { database in
      try database.rows(
        """
        SELECT upn, objectID, tenantID FROM account
        WHERE id IN (SELECT accountID FROM fileOwner) AND id NOT IN (SELECT accountID FROM signIn)
        """
      ).compactMap(\.account)
    }
  }

  /// Deletes the stored owners of these files in one transaction.
  func forgetFiles(_ places: [FileLocation]) throws(HostError) {
    let gone = try access { database in
      var owners: Set<Int64> = []
      var counts: [String: Int] = [:]
      for place in places {
        let gone = try database.row(
          "DELETE FROM fileOwner WHERE scope = ? AND path = ? RETURNING accountID",
          Self.arguments(place))
        if let gone {
          owners.insert(gone["accountID"])
          counts[place.scope, default: 0] += 1
        }
      }
      for id in owners.sorted() { try Self.forget(id, ifUnnamed: database) }
      return counts
    }
    for (scope, count) in gone { ownerCounts?[scope, default: 0] -= count }
  }

  // MARK: Moves

  /// Records that a file is about to be moved. Until ``finishMove(from:to:)``, the database keeps the owner under the
  /// old location.
  func beginMove(from: FileLocation, to: FileLocation) throws(HostError) {
    try access { database in
      try database.run(
        "INSERT INTO fileMove VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        Self.arguments(from) + Self.arguments(to))
    }
  }

  /// Records that a file has been moved: its owner is now recorded for the new location. If the move has overwritten a
  /// file there, the recorded owner of that file is deleted.
  func finishMove(from: FileLocation, to: FileLocation) throws(HostError) {
    let (replaced, moved) = try access { database in
      var (replaced, moved) = (0, 0)
      if from != to {
        replaced = try Self.forget(to, database)
        moved = try database.run(
          "UPDATE fileOwner SET scope = ?, path = ? WHERE scope = ? AND path = ?",
          Self.arguments(to) + Self.arguments(from))
      }
      try Self.endMove(from, to, database)
      return (replaced, moved)
    }
    ownerCounts?[from.scope, default: 0] -= moved
    ownerCounts?[to.scope, default: 0] += moved - replaced
  }

  /// Records that a file was not moved.
  func cancelMove(from: FileLocation, to: FileLocation) throws(HostError) {
    try access { try Self.endMove(from, to, $0) }
  }

  /// Returns the file moves that have begun and have been neither finished nor cancelled.
  func pendingMoves() throws(HostError) -> [FileMove] {
    try read { database in
      try database.rows("SELECT * FROM fileMove").compactMap { row in
        guard let from = FileLocation(scope: row["fromScope"], path: row.bytes("fromPath")),
          let to = FileLocation(scope: row["toScope"], path: row.bytes("toPath"))
        else { return nil }
        return FileMove(from: from, to: to)
      }
    }
  }

  private static func endMove(
    _ from: FileLocation, _ to: FileLocation, _ database: Database
  ) throws {
    try database.run(
      """
      DELETE FROM fileMove WHERE fromScope = ? AND fromPath = ? AND toScope = ? AND toPath = ?
      """, arguments(from) + arguments(to))
  }

  /// Deletes the stored owner of a file, but not the account's row.
  ///
  /// - Returns: The number of deleted rows.
  private static func forget(_ place: FileLocation, _ database: Database) throws -> Int {
    try database.run("DELETE FROM fileOwner WHERE scope = ? AND path = ?", arguments(place))
  }

  private static func arguments(_ place: FileLocation) -> StatementArguments {
    [place.scope, Data(place.path)]
  }
}
