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
  /// account's rows the first is taken that states an object id, or else the first.
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
      try Self.merge(try Self.known(as: new, in: database), database)
    }
  }

  /// The account of that name that only guests' claims have made: it has no object id, and no other account of the
  /// device has the name.
  func claim(of upn: String) throws(HostError) -> (account: Account, row: Int64)? {
    try look { database in
      let known = try Self.known(as: Account(upn: upn), in: database)
      guard let first = known.first, known.allSatisfy({ $0.account.objectID == nil }) else {
        return nil
      }
      return (first.account, first.id)
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
      arguments(account) + [former.id])
    try setKeys(of: account, former.id, database)
    guard let wrapped = former.wrappedKey else { return }
    let key = try unwrap(wrapped, of: former.account, with: wrap)
    try setKey(Self.wrap(key, of: account, with: wrap), of: former.id, database)
  }

  // MARK: rows of accounts

  /// A row of the table `account`: an account as it was stated, whatever the casing.
  struct KnownAccount {
    var id: Int64
    var account: Account
    var wrappedKey: [UInt8]?

    /// Swift compares characters, a wrapped key bytes.
    fileprivate func isSpelled(as other: Account) -> Bool {
      account.upn.utf8.elementsEqual(other.upn.utf8) && account.objectID == other.objectID
        && account.tenantID == other.tenantID
    }
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

  /// Forgets the rows of one account that nothing refers to any more.
  static func forget(_ account: Account, ifUnnamed database: Database) throws {
    for id in try ids(of: account, in: database) { try forget(id, ifUnnamed: database) }
  }

  static func forget(_ id: Int64, ifUnnamed database: Database) throws {
    try database.run("DELETE FROM account WHERE id = ? AND NOT \(isNamed)", [id])
  }

  /// The rows of all accounts.
  static func known(in database: Database) throws -> [KnownAccount] {
    try database.rows("SELECT * FROM account ORDER BY id").compactMap(\.knownAccount)
  }

  /// The rows of `account`: it may have been stated with and without ids. Other accounts' rows are not read: a guest
  /// chooses how many there are.
  private static func known(as account: Account, in database: Database) throws -> [KnownAccount] {
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

  /// Ids of the rows of `account`.
  static func ids(of account: Account, in database: Database) throws -> [Int64] {
    try known(as: account, in: database).map(\.id)
  }

  /// Id of the account's row, made where there is none.
  static func id(of account: Account, in database: Database) throws -> Int64 {
    try row(of: account, in: database).id
  }

  /// The account's row, made where there is none. Casing makes no other row: the first spelling stays as long as
  /// anything refers to it, since a guest can think of 2ⁿ spellings of one name.
  private static func row(of account: Account, in database: Database) throws -> KnownAccount {
    let keys = Keys(account)
    let rows = try database.rows(
      "SELECT * FROM account WHERE upnKey = ? AND objectKey IS ? ORDER BY id",
      [keys.upn, keys.objectID])
    guard var found = rows.compactMap(\.knownAccount).first(where: { Keys($0.account) == keys })
    else {
      try database.run(
        "INSERT INTO account (upn, objectID, tenantID) VALUES (?, ?, ?)", arguments(account))
      let id = database.lastInsertedRowID
      try setKeys(of: account, id, database)
      return KnownAccount(id: id, account: account)
    }
    if !found.isSpelled(as: account) {
      let count = try database.run(
        "UPDATE account SET upn = ?, objectID = ?, tenantID = ? WHERE id = ? AND NOT \(isNamed)",
        arguments(account) + [found.id])
      if count > 0 { found.account = account }
    }
    return found
  }

  private static func arguments(_ account: Account) -> StatementArguments {
    [account.upn.stored, account.objectID?.stored, account.tenantID?.stored]
  }

  // MARK: spellings

  /// The migration that leaves one row of all spellings of an account.
  static func mergeSpellings(_ database: Database) throws {
    try merge(try known(in: database), database)
  }

  /// Has everything refer to one row of those that have the same keys. A further one stays where it has a wrapped key of
  /// its own, which opens only for the spelling that it was wrapped for.
  private static func merge(_ rows: [KnownAccount], _ database: Database) throws {
    for spellings in Dictionary(grouping: rows, by: { Keys($0.account) }).values {
      guard let kept = spellings.first(where: { $0.wrappedKey != nil }) ?? spellings.first
      else { continue }
      for row in spellings where row.id != kept.id {
        try moveReferences(from: row.id, to: kept.id, database)
        try forget(row.id, ifUnnamed: database)
      }
    }
  }

  private static func moveReferences(
    from id: Int64, to other: Int64, _ database: Database
  ) throws {
    for (table, column) in [
      ("signIn", "accountID"), ("fileOwner", "accountID"), ("keychainItem", "ownerID"),
      ("checkIn", "accountID"),
    ] {
      try database.run(
        "UPDATE OR IGNORE \(table) SET \(column) = ? WHERE \(column) = ?", [other, id])
    }
    // Where both rows have a check-in of one app.
    try database.run("DELETE FROM checkIn WHERE accountID = ?", [id])
  }

  // MARK: keys by which accounts are found

  /// The texts that accounts are looked up by. Two that are the same account have one of them in common; whether two
  /// are the same is compared in Swift, as everywhere else.
  private struct Keys: Hashable {
    let upn: String
    let objectID: String?
    let tenantID: String?

    init(_ account: Account) {
      upn = Self.key(account.upn)
      objectID = account.objectID.map(Self.key)
      tenantID = account.tenantID.map(Self.key)
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

// MARK: - Enrollments

/// The states of enrollments.
extension DeviceDatabase {
  static let registrationColumn =
    "ALTER TABLE signIn ADD COLUMN registration TEXT NOT NULL DEFAULT ''"

  /// Saves the account's registration where the account is signed in to the app; else does nothing.
  func setRegistration(
    of account: Account, in app: String, _ text: String
  ) throws(HostError) {
    try access { database in
      for id in try Self.ids(of: account, in: database) {
        try database.run(
          "UPDATE signIn SET registration = ? WHERE app = ? AND accountID = ?", [text, app, id])
      }
    }
  }

  /// The registrations that were saved for the app, in the order of sign-in.
  func registrations(of app: String) throws(HostError) -> [(account: Account, text: String)] {
    try look { database in
      try database.rows(
        """
        SELECT upn, objectID, tenantID, registration
        FROM signIn JOIN account ON account.id = accountID
        WHERE app = ? AND registration != '' ORDER BY signIn.id
        """, [app]
      ).compactMap { row in row.account.map { ($0, row["registration"]) } }
    }
  }
}

// MARK: - Keys

/// The key of each account, under which the account's files are encrypted.
extension DeviceDatabase {
  /// The account's key, made on first use.
  ///
  /// - Parameters:
  ///   - wrap: the key that wraps the accounts' keys.
  ///   - make: returns 32 random bytes.
  /// - Throws: ``HostError``, also where the key was altered, or wrapped with another key or for another account.
  func accountKey(
    of account: Account, wrap: AES256GCM, make: () -> [UInt8]
  ) throws(HostError) -> [UInt8] {
    try access { database in
      if let found = try Self.keyHolder(for: account, in: database) {
        let key = try Self.unwrap(found.wrapped, of: found.holder.account, with: wrap)
        if found.holder.account.objectID == nil, account.objectID != nil {
          // Another account that gets this UPN one day must not get the key.
          try Self.setKey(nil, of: found.holder.id, database)
          try Self.setKey(key, of: account, wrap, database)
        }
        return key
      }
      let key = make()
      try Self.setKey(key, of: account, wrap, database)
      return key
    }
  }

  /// The account's key; nil where it has none.
  ///
  /// - Throws: ``HostError`` as ``accountKey(of:wrap:make:)`` does.
  func existingAccountKey(
    of account: Account, wrap: AES256GCM
  ) throws(HostError) -> [UInt8]? {
    try look { database in
      try Self.keyHolder(for: account, in: database).map {
        try Self.unwrap($0.wrapped, of: $0.holder.account, with: wrap)
      }
    }
  }

  /// Destroys the account's key: nobody can read any more what is encrypted under it, once ``vacuum()`` has run.
  func destroyAccountKey(of account: Account) throws(HostError) {
    try access { database in
      for id in try Self.ids(of: account, in: database) {
        try Self.setKey(nil, of: id, database)
      }
      try Self.forget(account, ifUnnamed: database)
    }
  }

  private static func keyHolder(
    for account: Account, in database: Database
  ) throws -> (holder: KnownAccount, wrapped: [UInt8])? {
    for known in try known(as: account, in: database) {
      if let wrapped = known.wrappedKey { return (known, wrapped) }
    }
    return nil
  }

  private static func setKey(
    _ key: [UInt8], of account: Account, _ wrap: AES256GCM, _ database: Database
  ) throws {
    let row = try row(of: account, in: database)
    try setKey(Self.wrap(key, of: row.account, with: wrap), of: row.id, database)
  }

  private static func setKey(_ wrapped: [UInt8]?, of id: Int64, _ database: Database) throws {
    try database.run(
      "UPDATE account SET wrappedKey = ? WHERE id = ?", [wrapped.map { Data($0) }, id])
  }

  // MARK: wrapping

  /// Seals `bytes` so that they open only for the same name: a row that is put in another's place does not open.
  static func wrap(_ bytes: [UInt8], for name: String, with wrap: AES256GCM) -> [UInt8] {
    wrap.seal(prefix(name) + bytes, nonce: randomBytes(AES256GCM.nonceByteCount))
  }

  /// Opens what ``wrap(_:for:with:)`` has sealed; nil where it is not as it was, or is for another name.
  static func unwrap(_ sealed: [UInt8], for name: String, with wrap: AES256GCM) -> [UInt8]? {
    let prefix = prefix(name)
    guard let plain = wrap.open(sealed), plain.starts(with: prefix) else { return nil }
    return Array(plain.dropFirst(prefix.count))
  }

  private static func prefix(_ name: String) -> [UInt8] {
    withUnsafeBytes(of: UInt32(name.utf8.count).littleEndian, Array.init) + name.utf8
  }

  static func wrap(_ key: [UInt8], of account: Account, with wrap: AES256GCM) -> [UInt8] {
    Self.wrap(key, for: canonicalID(of: account), with: wrap)
  }

  private static func unwrap(
    _ wrapped: [UInt8], of account: Account, with wrap: AES256GCM
  ) throws(HostError) -> [UInt8] {
    guard let key = unwrap(wrapped, for: canonicalID(of: account), with: wrap) else {
      throw HostError(.database, "the key of `\(account.upn)` in the device's database was altered")
    }
    return key
  }

  private static func canonicalID(of account: Account) -> String {
    account.objectID.map { "objectID \($0.lowercased())" } ?? "upn \(account.upn.lowercased())"
  }
}
