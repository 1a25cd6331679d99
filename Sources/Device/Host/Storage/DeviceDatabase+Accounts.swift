internal import Cryptography
internal import Foundation
internal import GRDB
internal import JSON
internal import Model

/// Who is signed in where, and what the device calls them.
extension DeviceDatabase {
  /// Who is signed in to `app`, first come first.
  func accounts(of app: String) throws(HostError) -> [Account] {
    try enrollment(of: app).map(\.account)
  }

  /// The account is not enrolled then. Who is signed in already comes last now, and by the new name.
  func add(_ account: Account, to app: String) throws(HostError) {
    try access { database in
      try Self.removeSignIns(of: account, app, database)
      try database.run(
        "INSERT INTO signIn (app, accountID) VALUES (?, ?)",
        [app, try Self.id(of: account, in: database)])
    }
  }

  func remove(_ account: Account, from app: String) throws(HostError) {
    try access { database in
      try Self.removeSignIns(of: account, app, database)
      try Self.forgetUnnamedAccounts(database)
    }
  }

  private static func removeSignIns(
    of account: Account, _ app: String, _ database: Database
  ) throws {
    for id in try ids(of: account, in: database) {
      try database.run("DELETE FROM signIn WHERE app = ? AND accountID = ?", [app, id])
    }
  }

  /// Says what the service answered for an account that is signed in to `app`.
  ///
  /// - Parameter policies: names of the policies that target it; nil: it is not enrolled.
  /// - Returns: false where it is not signed in there; nothing has changed then.
  @discardableResult
  func setEnrollment(
    of account: Account, in app: String, policies: [String]?
  ) throws(HostError) -> Bool {
    var writer = JSONWriter()
    writer.array { writer in (policies ?? []).forEach { writer.string($0) } }
    let text = writer.text
    return try access { database in
      var count = 0
      for id in try Self.ids(of: account, in: database) {
        count += try database.run(
          "UPDATE signIn SET enrolled = ?, policies = ? WHERE app = ? AND accountID = ?",
          [policies != nil, text, app, id])
      }
      return count > 0
    }
  }

  /// Everybody who is signed in to `app`, first come first.
  func enrollment(of app: String) throws(HostError) -> [Enrollment] {
    try look { database in
      try database.rows(
        """
        SELECT upn, objectID, tenantID, enrolled, policies
        FROM signIn JOIN account ON account.id = accountID WHERE app = ? ORDER BY signIn.id
        """, [app]
      ).compactMap { row in
        guard let account = row.account else { return nil }
        let policies = try JSONReader.read(row["policies"] as String).array ?? []
        return Enrollment(
          account: account, isEnrolled: row["enrolled"], policies: policies.compactMap(\.string))
      }
    }
  }

  /// The app must not act for the account until it signs in anew.
  func block(_ account: Account, in app: String) throws(HostError) {
    try access { database in
      for id in try Self.ids(of: account, in: database) {
        try database.run(
          "UPDATE signIn SET blocked = 1 WHERE app = ? AND accountID = ?", [app, id])
      }
    }
  }

  /// The account is to be removed from the app, whatever happens to the device meanwhile.
  func markWipe(of account: Account, in app: String) throws(HostError) {
    try access { database in
      for id in try Self.ids(of: account, in: database) {
        try database.run("UPDATE signIn SET wiping = 1 WHERE app = ? AND accountID = ?", [app, id])
      }
    }
  }

  /// Accounts whose removal from the app has begun.
  func accountsBeingWiped(in app: String) throws(HostError) -> [Account] {
    try look { database in
      try database.rows(
        """
        SELECT upn, objectID, tenantID FROM signIn JOIN account ON account.id = accountID
        WHERE app = ? AND wiping = 1 ORDER BY signIn.id
        """, [app]
      ).compactMap(\.account)
    }
  }

  func blockedAccounts(of app: String) throws(HostError) -> [Account] {
    try look { database in
      try database.rows(
        """
        SELECT upn, objectID, tenantID FROM signIn JOIN account ON account.id = accountID
        WHERE app = ? AND blocked = 1 ORDER BY signIn.id
        """, [app]
      ).compactMap(\.account)
    }
  }

  /// The apps that `account` is signed in to, in alphabetical order.
  func apps(signedInTo account: Account) throws(HostError) -> [String] {
    try look { database in
      var apps: Set<String> = []
      for id in try Self.ids(of: account, in: database) {
        for row in try database.rows("SELECT app FROM signIn WHERE accountID = ?", [id]) {
          apps.insert(row["app"])
        }
      }
      return apps.sorted()
    }
  }

  /// Everybody whom the device knows: who is signed in, has a key, owns something, or has checked in. Of one
  /// person it names the first spelling that states an object id, where one does.
  func accounts() throws(HostError) -> [Account] {
    try look { database in
      let all = try database.rows(
        """
        SELECT upn, objectID, tenantID FROM account WHERE \(Self.isNamed)
        ORDER BY objectID IS NULL, id
        """)
      return all.compactMap(\.account).reduce(into: []) { known, account in
        if !known.contains(where: { $0.isSame(as: account) }) { known.append(account) }
      }
    }
  }

  // MARK: new names

  /// Calls an account by another name from now on, wherever it stands. What `new` does not state stays.
  ///
  /// - Parameter wrap: what the accounts' keys are wrapped with.
  /// - Throws: ``HostError`` also where the device knows somebody else by the new name, or several by the old
  ///   one.
  func rename(
    _ old: Account, to new: Account, wrap: AES256GCM
  ) throws(HostError) {
    try access { database in
      try Self.forgetUnnamedAccounts(database)
      let all = try Self.known(in: database)
      let named = all.filter { $0.account.isSame(as: old) }
      for one in named where named.contains(where: { !$0.account.isSame(as: one.account) }) {
        throw HostError(.duplicateName, "the device knows several accounts named `\(old.upn)`")
      }
      let others = all.filter { !$0.account.isSame(as: old) }
      let renamed = named.map { (former: $0, account: Self.rename($0.account, old, new)) }
      for (_, account) in renamed where others.contains(where: { $0.account.isSame(as: account) }) {
        throw HostError(
          .duplicateName,
          "cannot rename `\(old.upn)`: the device knows another account named `\(new.upn)`")
      }
      for (former, account) in renamed {
        try Self.rename(former, to: account, wrap, database)
      }
    }
  }

  private static func rename(_ former: Account, _ old: Account, _ new: Account) -> Account {
    Account(
      upn: new.upn, objectID: new.objectID ?? old.objectID ?? former.objectID,
      tenantID: new.tenantID ?? old.tenantID ?? former.tenantID)
  }

  private static func rename(
    _ former: KnownAccount, to account: Account, _ wrap: AES256GCM, _ database: Database
  ) throws {
    try database.run(
      "UPDATE account SET upn = ?, objectID = ?, tenantID = ? WHERE id = ?",
      [
        account.upn.stored, account.objectID?.stored, account.tenantID?.stored, former.id,
      ])
    guard let wrapped = former.wrappedKey else { return }
    let key = try unwrap(wrapped, of: former.account, with: wrap)
    try setKey(Self.wrap(key, of: account, with: wrap), of: former.id, database)
  }

  // MARK: rows of accounts

  /// A row of the table `account`: one spelling of an account.
  struct KnownAccount {
    var id: Int64
    var account: Account
    var wrappedKey: [UInt8]?
  }

  /// Whether anything names the account of a row of `account`.
  private static let isNamed = """
    (wrappedKey IS NOT NULL
      OR EXISTS (SELECT 1 FROM signIn WHERE accountID = account.id)
      OR EXISTS (SELECT 1 FROM fileOwner WHERE accountID = account.id)
      OR EXISTS (SELECT 1 FROM keychainItem WHERE ownerID = account.id)
      OR EXISTS (SELECT 1 FROM checkIn WHERE accountID = account.id))
    """

  static func forgetUnnamedAccounts(_ database: Database) throws {
    try database.run("DELETE FROM account WHERE NOT \(isNamed)")
  }

  /// All spellings of all accounts.
  static func known(in database: Database) throws -> [KnownAccount] {
    try database.rows("SELECT * FROM account ORDER BY id").compactMap { row in
      row.account.map {
        KnownAccount(
          id: row["id"], account: $0,
          wrappedKey: (row["wrappedKey"] as Data?).map { Array($0) })
      }
    }
  }

  /// The rows of all spellings of `account`.
  static func ids(of account: Account, in database: Database) throws -> [Int64] {
    try known(in: database).filter { $0.account.isSame(as: account) }.map(\.id)
  }

  /// The row of this very spelling, made where there is none.
  static func id(of account: Account, in database: Database) throws -> Int64 {
    let arguments: StatementArguments = [
      account.upn.stored, account.objectID?.stored, account.tenantID?.stored,
    ]
    let found = try database.row(
      "SELECT id FROM account WHERE upn = ? AND objectID IS ? AND tenantID IS ?", arguments)
    if let found { return found["id"] }
    try database.run(
      "INSERT INTO account (upn, objectID, tenantID) VALUES (?, ?, ?)", arguments)
    return database.lastInsertedRowID
  }
}
