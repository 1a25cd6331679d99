internal import Foundation
internal import GRDB
internal import Model
internal import Wire

/// Generic passwords, by access group.
extension DeviceDatabase {
  /// Adds an item.
  ///
  /// - Parameter owner: the account for which the app acts that adds the item; nil: none.
  /// - Returns: false where the group has an item of that key already.
  func add(
    _ value: [UInt8], for key: KeychainKey, in group: String, owner: Account? = nil
  ) throws(HostError) -> Bool {
    try access { database in
      let ownerID = try owner.map { try Self.id(of: $0, in: database) }
      return try database.run(
        "INSERT INTO keychainItem VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        Self.arguments(key, group) + [Data(value), ownerID]) > 0
    }
  }

  /// Changes the value of the items of that key in all of `groups`. Their owners stay the same.
  ///
  /// - Returns: the number of such items.
  func update(
    _ value: [UInt8], for key: KeychainKey, in groups: [String]
  ) throws(HostError) -> Int {
    try access { database in
      try groups.reduce(0) { count, group in
        try count
          + database.run(
            """
            UPDATE keychainItem SET value = ?
            WHERE accessGroup = ? AND service = ? AND account = ?
            """, [Data(value)] + Self.arguments(key, group))
      }
    }
  }

  /// The value in the first of `groups` that has an item of that key; nil where none has.
  func value(for key: KeychainKey, in groups: [String]) throws(HostError) -> [UInt8]? {
    try look { database in
      for group in groups {
        let row = try database.row(
          """
          SELECT value FROM keychainItem WHERE accessGroup = ? AND service = ? AND account = ?
          """, Self.arguments(key, group))
        if let row { return row.bytes("value") }
      }
      return nil
    }
  }

  /// The items of `groups` that the query asks for, by group in the order given, the earliest first.
  func values(
    matching query: KeychainQuery, in groups: [String]
  ) throws(HostError) -> [KeychainItem] {
    try look { database in
      var found: [KeychainItem] = []
      for group in groups {
        let rest = query.limit.map { $0 - found.count }
        guard rest != 0 else { break }
        found += try Self.items(of: group, query, limit: rest ?? -1, database)
      }
      return found
    }
  }

  /// The items of one group.
  ///
  /// - Parameter limit: the largest number of items; -1 for all.
  private static func items(
    of group: String, _ query: KeychainQuery, limit: Int, _ database: Database
  ) throws -> [KeychainItem] {
    var sql = """
      SELECT keychainItem.*, upn, objectID, tenantID
      FROM keychainItem LEFT JOIN account ON account.id = ownerID WHERE accessGroup = ?
      """
    var arguments: StatementArguments = [group]
    if let service = query.service {
      sql += " AND service = ?"
      arguments += [service.stored]
    }
    if let account = query.account {
      sql += " AND account = ?"
      arguments += [account.stored]
    }
    return try database.rows(
      sql + " ORDER BY keychainItem.rowid LIMIT ?", arguments + [limit]
    ).map { KeychainItem(key: key(of: $0), owner: $0.account, value: $0.bytes("value")) }
  }

  /// Deletes the items of that key from all of `groups`.
  ///
  /// - Returns: the number of items that there were.
  func delete(_ key: KeychainKey, in groups: [String]) throws(HostError) -> Int {
    try access { database in
      try groups.reduce(0) { count, group in
        try count
          + database.run(
            "DELETE FROM keychainItem WHERE accessGroup = ? AND service = ? AND account = ?",
            Self.arguments(key, group))
      }
    }
  }

  /// Deletes the items that the account owns.
  ///
  /// - Parameters:
  ///   - groups: the groups to delete from; nil: all groups.
  ///   - limit: the largest number of items to delete; nil: all.
  /// - Returns: the number of items that were deleted.
  func deleteItems(
    ownedBy owner: Account, in groups: [String]? = nil, limit: Int? = nil
  ) throws(HostError) -> Int {
    try access { database in
      var count = 0
      for id in try Self.ids(of: owner, in: database) {
        for group in groups.map({ $0.map(Optional.some) }) ?? [nil] {
          let rest = limit.map { $0 - count } ?? -1
          count += try database.run(
            """
            DELETE FROM keychainItem WHERE rowid IN (
              SELECT rowid FROM keychainItem
              WHERE ownerID = ? AND accessGroup = coalesce(?, accessGroup) LIMIT ?)
            """, [id, group, rest])
        }
      }
      try Self.forget(owner, ifUnnamed: database)
      return count
    }
  }

  /// What is in `groups`: the number of items, and the bytes of their keys and values.
  func usage(of groups: [String]) throws(HostError) -> (items: Int, bytes: Int) {
    try look { database in
      var (items, bytes) = (0, 0)
      for group in groups {
        let row = try database.row(
          """
          SELECT count(*) AS items, coalesce(sum(
            length(value) + length(CAST(service AS BLOB)) + length(CAST(account AS BLOB))), 0) AS bytes
          FROM keychainItem WHERE accessGroup = ?
          """, [group])
        items += row?["items"] ?? 0
        bytes += row?["bytes"] ?? 0
      }
      return (items, bytes)
    }
  }

  /// Whether one of `groups` has an item that the account owns.
  func hasItems(ownedBy owner: Account, in groups: [String]) throws(HostError) -> Bool {
    try look { database in
      for id in try Self.ids(of: owner, in: database) {
        for group in groups {
          let row = try database.row(
            "SELECT 1 FROM keychainItem WHERE ownerID = ? AND accessGroup = ? LIMIT 1", [id, group])
          if row != nil { return true }
        }
      }
      return false
    }
  }

  /// Whether one of `groups` has an item of that key.
  func hasItem(_ key: KeychainKey, in groups: [String]) throws(HostError) -> Bool {
    try look { database in
      try groups.contains { group in
        try database.row(
          "SELECT 1 FROM keychainItem WHERE accessGroup = ? AND service = ? AND account = ?",
          Self.arguments(key, group)) != nil
      }
    }
  }

  /// All items of all groups, the earliest first, without their values.
  func items() throws(HostError) -> [KeychainItem.Summary] {
    try look { database in
      try database.rows(
        """
        SELECT accessGroup, service, account, length(value) AS size, upn, objectID, tenantID
        FROM keychainItem LEFT JOIN account ON account.id = ownerID ORDER BY keychainItem.rowid
        """
      ).map {
        KeychainItem.Summary(key: Self.key(of: $0), owner: $0.account, byteCount: $0["size"])
      }
    }
  }

  private static func arguments(_ key: KeychainKey, _ group: String) -> StatementArguments {
    [group, key.service.stored, key.account.stored]
  }

  private static func key(of row: Row) -> KeychainKey {
    KeychainKey(
      group: row["accessGroup"], service: row.text("service"), account: row.text("account"))
  }
}
