internal import Foundation
internal import GRDB
internal import Model

/// The rows of a device's database, whatever tables it has.
struct ResidueRows {
  /// The accounts that the database names, one for each row that names one.
  let accounts: [Account]
  /// The accounts that have a key; nil where the database keeps no keys.
  let keyHolders: [Account]?
  let rows: [ResidueRow]

  /// Reads the whole database without changing it; the database may be in use.
  init(path: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    let tables = try DeviceDatabase.reading(path) {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? queue.close() }
      return try queue.read(Self.tables)
    }
    let known = tables.first { $0.name == "account" }?.rows
    let byID = (known ?? []).reduce(into: [Int64: Account]()) { accounts, row in
      if let id = row["id"].flatMap(Int64.fromDatabaseValue),
        let account = Self.account(of: row, [:])
      {
        accounts[id] = account
      }
    }
    rows = tables.flatMap { table in
      table.rows.map {
        ResidueRow(table: table.name, values: $0, owner: Self.account(of: $0, byID))
      }
    }
    accounts = rows.compactMap(\.owner)
    keyHolders = known?.filter { $0["wrappedKey"]?.isNull == false }
      .compactMap { Self.account(of: $0, [:]) }
  }

  private typealias Values = [String: DatabaseValue]

  private static func tables(
    _ database: Database
  ) throws -> [(name: String, rows: [[String: DatabaseValue]])] {
    let names = try String.fetchAll(
      database,
      sql: """
        SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
          AND name <> 'grdb_migrations' ORDER BY name
        """)
    return try names.map { name in
      let rows = try Row.fetchAll(database, sql: "SELECT * FROM \(name.quotedDatabaseIdentifier)")
      return (name, rows.map { row in Dictionary(row, uniquingKeysWith: { first, _ in first }) })
    }
  }

  /// The account that a row belongs to, because it refers to the account or states it itself; nil: none.
  private static func account(of row: [String: DatabaseValue], _ known: [Int64: Account])
    -> Account?
  {
    for column in ["accountID", "ownerID"] {
      if let id = row[column].flatMap(Int64.fromDatabaseValue), let account = known[id] {
        return account
      }
    }
    for (upn, objectID) in [("upn", "objectID"), ("ownerUPN", "ownerObjectID")] {
      guard let name = row[upn].flatMap(String.fromDatabaseValue) else { continue }
      return Account(upn: name, objectID: row[objectID].flatMap(String.fromDatabaseValue))
    }
    return nil
  }
}

/// A row of any table.
struct ResidueRow {
  let table: String
  private let values: [String: DatabaseValue]
  /// The account that the row belongs to; nil: none.
  let owner: Account?

  fileprivate init(table: String, values: [String: DatabaseValue], owner: Account?) {
    self.table = table
    self.values = values
    self.owner = owner
  }

  func text(_ column: String) -> String? { values[column].flatMap(String.fromDatabaseValue) }

  /// The bytes of every column that has text or bytes, by the column's name.
  var contents: [(column: String, bytes: [UInt8])] {
    values.sorted { $0.key < $1.key }.compactMap { column, value in
      switch value.storage {
      case .string(let text): (column, Array(text.utf8))
      case .blob(let data): (column, Array(data))
      case .null, .int64, .double: nil
      }
    }
  }

  /// The meaning of the fact that the row is the account's.
  var meaning: String {
    switch table {
    case "account": "the device knows the account"
    case "signIn": "the account is signed in to `\(text("app") ?? "")`"
    case "fileOwner": "`\(text("scope") ?? "")/\(path)` is the account's"
    case "keychainItem":
      "item `\(text("service") ?? "")` in the keychain group `\(text("accessGroup") ?? "")`"
    case "checkIn": "`\(text("app") ?? "")` has checked in for the account"
    default: "a row of the account"  // open: the name of any other table
    }
  }

  private var path: String {
    guard let bytes = contents.first(where: { $0.column == "path" })?.bytes else { return "" }
    return PathText.shown(bytes)
  }
}
