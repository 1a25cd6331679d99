internal import Cryptography
internal import Encodings
internal import Foundation
internal import GRDB
internal import Model

/// Stores sign-ins and account names.
extension DeviceDatabase {
  /// Returns the accounts that are signed in to `app`, in order of sign-in.
  func accounts(of app: String) throws(HostError) -> [Account] {
    try enrollment(of: app).map(\.account)
  }

  /// Records that the account is signed in to `app`. The account is then last in the order of sign-ins. If it was signed
  /// in already, the earlier sign-in is deleted, together with the account's enrollment and block in the app and the
  /// mark of a wipe in progress.
  ///
  /// - Parameter policies: Names of the policies that target the account; nil if it is not enrolled.
  func add(_ account: Account, to app: String, policies: [String]? = nil) throws(HostError) {
    let text = Self.text(policies)
    try access { database in
      try Self.removeSignIns(of: account, app, database)
      try database.run(
        "INSERT INTO signIn (app, accountID, enrolled, policies) VALUES (?, ?, ?, ?)",
        [app, try Self.id(of: account, in: database), policies != nil, text])
    }
  }

  /// Returns the form in which the names of policies are stored.
  private static func text(_ policies: [String]?) -> String {
    var writer = JSONWriter()
    writer.array { writer in (policies ?? []).forEach { writer.string($0) } }
    return writer.text
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

  /// Saves the enrollment and the policies of an account that is signed in to `app`.
  ///
  /// - Parameter policies: Names of the policies that target the account; nil if it is not enrolled.
  /// - Returns: Whether the account is signed in to the app. If not, nothing is changed.
  @discardableResult
  func setEnrollment(
    of account: Account, in app: String, policies: [String]?
  ) throws(HostError) -> Bool {
    try changeSignIns(
      of: account, in: app, "enrolled = ?, policies = ?", [policies != nil, Self.text(policies)])
  }

  /// Changes the columns of the account's sign-in to an app.
  ///
  /// - Parameter assignments: SQL assignments of `values` to columns, such as `blocked = ?`.
  /// - Returns: Whether the account is signed in to the app. If not, nothing is changed.
  @discardableResult
  private func changeSignIns(
    of account: Account, in app: String, _ assignments: String, _ values: StatementArguments = []
  ) throws(HostError) -> Bool {
    try access { database in
      try Self.ids(of: account, in: database).reduce(0) { count, id in
        try count
          + database.run(
            "UPDATE signIn SET \(assignments) WHERE app = ? AND accountID = ?", values + [app, id])
      } > 0
    }
  }

  /// Returns the enrollments of the accounts that are signed in to `app`, in order of sign-in.
  func enrollment(of app: String) throws(HostError) -> [StoredEnrollment] {
    try read { database in
      try database.rows(
        """
        SELECT upn, objectID, tenantID, enrolled, policies
        FROM signIn JOIN account ON account.id = accountID WHERE app = ? ORDER BY signIn.id
        """, [app]
      ).compactMap { row in
        guard let account = row.account else { return nil }
        let policies = try JSONReader.read(row["policies"] as String).array ?? []
        return StoredEnrollment(
          account: account, isEnrolled: row["enrolled"], policies: policies.compactMap(\.string))
      }
    }
  }

  /// Blocks the account in the app until its next sign-in.
  func block(_ account: Account, in app: String) throws(HostError) {
    try changeSignIns(of: account, in: app, "blocked = 1")
  }

  /// Marks the account as being wiped from the app. If the device stops before the wipe has ended, the next run of the
  /// device completes the wipe.
  func markWipe(of account: Account, in app: String) throws(HostError) {
    try changeSignIns(of: account, in: app, "wiping = 1")
  }

  func accountsBeingWiped(in app: String) throws(HostError) -> [Account] {
    try accounts(of: app, where: "wiping = 1")
  }

  func blockedAccounts(of app: String) throws(HostError) -> [Account] {
    try accounts(of: app, where: "blocked = 1")
  }

  /// Returns the accounts that are signed in to `app` and meet an SQL condition, in order of sign-in.
  private func accounts(of app: String, where condition: String) throws(HostError) -> [Account] {
    try read { database in
      try database.rows(
        """
        SELECT upn, objectID, tenantID FROM signIn JOIN account ON account.id = accountID
        WHERE app = ? AND \(condition) ORDER BY signIn.id
        """, [app]
      ).compactMap(\.account)
    }
  }

  /// Returns the apps that `account` is signed in to, in alphabetical order.
  func apps(signedInTo account: Account) throws(HostError) -> [String] {
    try read { database in
      var apps: Set<String> = []
      for id in try Self.ids(of: account, in: database) {
        for row in try database.rows("SELECT app FROM signIn WHERE accountID = ?", [id]) {
          apps.insert(row["app"])
        }
      }
      return apps.sorted()
    }
  }

  /// Returns the accounts that are signed in, have a key, own data, or have checked in. If an account has several rows,
  /// the result contains the first row with an object id, or else the first row.
  func accounts() throws(HostError) -> [Account] {
    try read { database in
      let all = try database.rows(
        """
        SELECT upn, objectID, tenantID FROM account WHERE \(Self.isNamed)
        ORDER BY objectID IS NULL, id
        """)
      return all.compactMap(\.account).reduce(into: []) { known, account in
        if !known.contains(where: { $0.isSameUser(as: account) }) { known.append(account) }
      }
    }
  }

  // MARK: Renaming

  /// Renames an account in all tables. If `new` has no object id or tenant id, the account keeps the id that it has.
  ///
  /// - Parameter wrap: The key that wraps the accounts' keys.
  /// - Throws: ``HostError``, for example if another account already has the new name, or if several accounts have the
  ///   old name.
  func rename(
    _ old: Account, to new: Account, wrap: AES256GCM
  ) throws(HostError) {
    try access { database in
      try Self.forgetUnnamedAccounts(database)
      let all = try Self.known(in: database)
      let named = all.filter { $0.account.isSameUser(as: old) }
      for one in named where named.contains(where: { !$0.account.isSameUser(as: one.account) }) {
        throw HostError(.duplicateName, "the device knows several accounts named `\(old.upn)`")
      }
      let others = all.filter { !$0.account.isSameUser(as: old) }
      let renamed = named.map { (former: $0, account: Self.rename($0.account, old, new)) }
      for (_, account) in renamed
      where others.contains(where: { $0.account.isSameUser(as: account) }) {
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

  /// Returns the account with this UPN and no object id, and the id of its row. This account exists only because a
  /// guest used the UPN. Returns nil if no account has this UPN, or if an account with an object id has it.
  func claim(of upn: String) throws(HostError) -> (account: Account, row: Int64)? {
    try read { database in
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

  // MARK: Rows of accounts

  /// A row of the table `account`. The UPN and the ids have the spelling in which they were stored first.
  struct KnownAccount {
    var id: Int64
    var account: Account
    var wrappedKey: [UInt8]?

    /// Returns whether the UPN of `other` has the same bytes, and its ids are equal. Swift's `==` is not sufficient,
    /// because it compares characters, while a wrapped key is bound to the bytes of the UPN.
    fileprivate func isSpelled(as other: Account) -> Bool {
      account.upn.utf8.elementsEqual(other.upn.utf8) && account.objectID == other.objectID
        && account.tenantID == other.tenantID
    }
  }

  /// The SQL condition that a row of `account` is in use: it has a key, or another table references it.
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

  /// Deletes those rows of the account that have no key and that no other table references.
  static func forget(_ account: Account, ifUnnamed database: Database) throws {
    for id in try ids(of: account, in: database) { try forget(id, ifUnnamed: database) }
  }

  static func forget(_ id: Int64, ifUnnamed database: Database) throws {
    try database.run("DELETE FROM account WHERE id = ? AND NOT \(isNamed)", [id])
  }

  static func known(in database: Database) throws -> [KnownAccount] {
    try database.rows("SELECT * FROM account ORDER BY id").compactMap(\.knownAccount)
  }

  /// Returns an account's rows in the table `account`. There may be several, with and without an object id. The query
  /// uses an index, because guests can make the table large.
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
    return rows.compactMap(\.knownAccount).filter { $0.account.isSameUser(as: account) }
  }

  static func ids(of account: Account, in database: Database) throws -> [Int64] {
    try known(as: account, in: database).map(\.id)
  }

  /// Returns the id of the account's row. Creates the row if it does not exist.
  static func id(of account: Account, in database: Database) throws -> Int64 {
    try row(of: account, in: database).id
  }

  /// Returns the account's row. Creates the row if it does not exist. Names that differ only in case share a row,
  /// because a guest could otherwise create 2ⁿ rows for a name with n letters. A row with a key or with references from
  /// other tables keeps its spelling.
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

  // MARK: Spellings

  /// Merges rows of accounts whose names and ids differ only in spelling. This is a migration.
  static func mergeSpellings(_ database: Database) throws {
    try merge(try known(in: database), database)
  }

  /// Merges rows with equal lookup keys: redirects all references to one of them, and deletes the others. Rows with a
  /// wrapped key are not deleted, because the key can be unwrapped only with the spelling in the row.
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
    // Both rows may have a check-in of the same app.
    try database.run("DELETE FROM checkIn WHERE accountID = ?", [id])
  }

  // MARK: Lookup keys

  /// The values by which SQL queries find an account's rows. Rows of one account have the same UPN key or the same
  /// object id key. A query may find rows of other accounts too, so Swift code then compares the accounts.
  private struct Keys: Hashable {
    let upn: String
    let objectID: String?
    let tenantID: String?

    init(_ account: Account) {
      upn = Self.key(account.upn)
      objectID = account.objectID.map(Self.key)
      tenantID = account.tenantID.map(Self.key)
    }

    /// Returns the lookup key of a text. SQLite compares bytes and Swift compares characters, so canonically
    /// equivalent strings must have the same key.
    private static func key(_ text: String) -> String {
      let text = text.lowercased()
      // ASCII text needs no normalisation, which is slow in Foundation.
      let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
      return (isASCII ? text : text.precomposedStringWithCanonicalMapping).stored
    }
  }

  private static func setKeys(of account: Account, _ id: Int64, _ database: Database) throws {
    let keys = Keys(account)
    try database.run(
      "UPDATE account SET upnKey = ?, objectKey = ? WHERE id = ?", [keys.upn, keys.objectID, id])
  }

  /// Adds the lookup keys, as a migration.
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

// MARK: - Enrollment states

extension DeviceDatabase {
  static let registrationColumn =
    "ALTER TABLE signIn ADD COLUMN registration TEXT NOT NULL DEFAULT ''"

  /// Saves the state of the account's registration. Does nothing if the account is not signed in to the app.
  func setRegistration(
    of account: Account, in app: String, _ text: String
  ) throws(HostError) {
    try changeSignIns(of: account, in: app, "registration = ?", [text])
  }

  /// Returns the app's saved registrations, in order of sign-in.
  func registrations(of app: String) throws(HostError) -> [(account: Account, text: String)] {
    try read { database in
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

// MARK: - Account keys

/// Stores the keys that encrypt accounts' files.
extension DeviceDatabase {
  /// Returns the account's key, which the first call creates.
  ///
  /// - Parameters:
  ///   - wrap: The key that wraps the accounts' keys.
  ///   - make: Returns 32 random bytes.
  /// - Throws: ``HostError``, for example if the key was altered, or wrapped with another key or
  ///   for another account.
  func accountKey(
    of account: Account, wrap: AES256GCM, make: () -> [UInt8]
  ) throws(HostError) -> [UInt8] {
    // Usually the key exists and needs no change, so no transaction is needed.
    let existing: [UInt8]? = try read { database in
      guard let found = try Self.keyHolder(for: account, in: database),
        found.holder.account.objectID != nil || account.objectID == nil
      else { return nil }
      return try Self.unwrap(found.wrapped, of: found.holder.account, with: wrap)
    }
    if let existing { return existing }
    return try access { database in
      if let found = try Self.keyHolder(for: account, in: database) {
        let key = try Self.unwrap(found.wrapped, of: found.holder.account, with: wrap)
        if found.holder.account.objectID == nil, account.objectID != nil {
          // Another account that later takes this UPN must not get the key.
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

  /// Returns the account's key; nil if it has none.
  ///
  /// - Throws: ``HostError``, as ``accountKey(of:wrap:make:)`` does.
  func existingAccountKey(
    of account: Account, wrap: AES256GCM
  ) throws(HostError) -> [UInt8]? {
    try read { database in
      try Self.keyHolder(for: account, in: database).map {
        try Self.unwrap($0.wrapped, of: $0.holder.account, with: wrap)
      }
    }
  }

  /// Deletes the account's key. Once ``vacuum()`` has also removed it from the database's file, data that is encrypted
  /// with the key is unreadable.
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

  // MARK: Wrapping

  /// Encrypts and authenticates `bytes` together with a name. ``unwrap(_:for:with:)`` rejects the result under any
  /// other name, so a value cannot be moved to another row.
  static func wrap(_ bytes: [UInt8], for name: String, with wrap: AES256GCM) -> [UInt8] {
    wrap.seal(prefix(name) + bytes, nonce: randomBytes(AES256GCM.nonceByteCount))
  }

  /// Decrypts a result of ``wrap(_:for:with:)``. Returns nil if it was altered, or wrapped for another name.
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
