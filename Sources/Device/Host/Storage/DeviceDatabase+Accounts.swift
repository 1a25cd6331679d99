internal import Cryptography
internal import Foundation
internal import GRDB
internal import JSON
internal import Model

/// The accounts that are signed in to each app, and their names.
extension DeviceDatabase {
  /// The accounts that are signed in to `app`, in the order of their sign-in.
  func accounts(of app: String) throws(HostError) -> [Account] {
    try enrollment(of: app).map(\.account)
  }

  /// Signs the account in, without enrolling it. An account that is signed in already becomes the last, under its new
  /// name.
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
      try Self.forget(account, ifUnnamed: database)
    }
  }

  private static func removeSignIns(
    of account: Account, _ app: String, _ database: Database
  ) throws {
    for id in try ids(of: account, in: database) {
      try database.run("DELETE FROM signIn WHERE app = ? AND accountID = ?", [app, id])
    }
  }

  /// Saves the service's answer for an account that is signed in to `app`.
  ///
  /// - Parameter policies: names of the policies that target the account; nil: the account is not enrolled.
  /// - Returns: false where the account is not signed in there; nothing has changed then.
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

  /// The accounts that are signed in to `app` with their enrollment, in the order of their sign-in.
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

  /// Forbids the app to act for the account until the account signs in anew.
  func block(_ account: Account, in app: String) throws(HostError) {
    try access { database in
      for id in try Self.ids(of: account, in: database) {
        try database.run(
          "UPDATE signIn SET blocked = 1 WHERE app = ? AND accountID = ?", [app, id])
      }
    }
  }

  /// Marks the account as one to be removed from the app, whatever happens to the device meanwhile.
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

  /// All accounts that the device knows: those that are signed in, have a key, own something, or have checked in. Of an
  /// account's spellings the first is taken that states an object id, or else the first.
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

  /// Renames an account wherever it stands. Ids that `new` does not state stay.
  ///
  /// - Parameter wrap: the key that wraps the accounts' keys.
  /// - Throws: ``HostError``, also where the device knows another account by the new name, or several by the old one.
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
    try setKeys(of: account, former.id, database)
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

  /// The SQL condition that something refers to a row of `account`.
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

  /// Forgets the spellings of one account that nothing refers to any more.
  static func forget(_ account: Account, ifUnnamed database: Database) throws {
    for id in try ids(of: account, in: database) { try forget(id, ifUnnamed: database) }
  }

  static func forget(_ id: Int64, ifUnnamed database: Database) throws {
    try database.run("DELETE FROM account WHERE id = ? AND NOT \(isNamed)", [id])
  }

  /// All spellings of all accounts.
  static func known(in database: Database) throws -> [KnownAccount] {
    try database.rows("SELECT * FROM account ORDER BY id").compactMap(\.knownAccount)
  }

  /// The spellings of `account`. Other accounts' rows are not read: a guest chooses how many there are.
  static func known(as account: Account, in database: Database) throws -> [KnownAccount] {
    let keys = Keys(account)
    let rows =
      if let objectKey = keys.objectID {
        try database.rows(
          "SELECT * FROM account WHERE objectKey = ? OR upnKey = ? ORDER BY id",
          [objectKey, keys.upn])
      } else {
        try database.rows("SELECT * FROM account WHERE upnKey = ? ORDER BY id", [keys.upn])
      }
    return rows.compactMap(\.knownAccount).filter { $0.account.isSame(as: account) }
  }

  /// Ids of the rows of all spellings of `account`.
  static func ids(of account: Account, in database: Database) throws -> [Int64] {
    try known(as: account, in: database).map(\.id)
  }

  /// Id of the row of this very spelling, made where there is none.
  static func id(of account: Account, in database: Database) throws -> Int64 {
    let arguments: StatementArguments = [
      account.upn.stored, account.objectID?.stored, account.tenantID?.stored,
    ]
    let found = try database.row(
      "SELECT id FROM account WHERE upn = ? AND objectID IS ? AND tenantID IS ?", arguments)
    if let found { return found["id"] }
    try database.run(
      "INSERT INTO account (upn, objectID, tenantID) VALUES (?, ?, ?)", arguments)
    let id = database.lastInsertedRowID
    try setKeys(of: account, id, database)
    return id
  }

  // MARK: keys by which accounts are found

  /// The texts that accounts are looked up by. Two that are the same account have one of them in common; whether two
  /// are the same is compared in Swift, as everywhere else.
  private struct Keys {
    let upn: String
    let objectID: String?

    init(_ account: Account) {
      upn = Self.key(account.upn)
      objectID = account.objectID.map(Self.key)
    }

    /// The database compares bytes, Swift characters: canonically equal texts have one key.
    private static func key(_ text: String) -> String {
      text.lowercased().precomposedStringWithCanonicalMapping.stored
    }
  }

  private static func setKeys(of account: Account, _ id: Int64, _ database: Database) throws {
    let keys = Keys(account)
    try database.run(
      "UPDATE account SET upnKey = ?, objectKey = ? WHERE id = ?", [keys.upn, keys.objectID, id])
  }

  /// The migration that adds the keys.
  static func addAccountKeys(_ database: Database) throws {
    try database.execute(
      sql: """
        ALTER TABLE account ADD COLUMN upnKey TEXT NOT NULL DEFAULT '';
        ALTER TABLE account ADD COLUMN objectKey TEXT;
        CREATE INDEX accountByUPNKey ON account (upnKey);
        CREATE INDEX accountByObjectKey ON account (objectKey);
        """)
    for known in try known(in: database) { try setKeys(of: known.account, known.id, database) }
  }
}

extension Row {
  fileprivate var knownAccount: DeviceDatabase.KnownAccount? {
    account.map {
      DeviceDatabase.KnownAccount(
        id: self["id"], account: $0, wrappedKey: (self["wrappedKey"] as Data?).map { Array($0) })
    }
  }
}
