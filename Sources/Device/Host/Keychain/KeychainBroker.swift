internal import Foundation
internal import GRDB
internal import Model
internal import Policy
internal import Wire

/// The limits of an app's keychain data.
///
/// No public source states limits, so these values are assumptions. Apple's source calls secrets above a few thousand
/// bytes unreasonable, and apps have reported failures with megabytes (https://github.com/square/Valet/issues/246,
/// https://github.com/square/Valet/pull/248).
package struct KeychainQuota: Sendable {
  /// The maximum size of one value, in bytes.
  package var valueBytes = 64 << 10
  /// The maximum number of items in all groups of an app.
  package var items = 1_024
  /// The maximum total size of keys and values in all groups of an app, in bytes.
  package var bytes = 4 << 20

  package init() {}
}

/// Handles apps' requests to the keychain. The keychain contains generic passwords in access groups.
final class KeychainBroker {
  private let quota: KeychainQuota
  private let database: DeviceDatabase
  private let replies: Replies

  init(quota: KeychainQuota, database: DeviceDatabase, replies: Replies) {
    self.quota = quota
    self.database = database
    self.replies = replies
  }

  /// The statuses `errSecDuplicateItem`, `errSecItemNotFound`, `errSecDataTooLarge` and `errSecDiskFull` of Apple's
  /// Security framework (https://developer.apple.com/documentation/security/security-framework-result-codes).
  private enum Status {
    static let duplicateItem = -25299
    static let itemNotFound = -25300
    static let dataTooLarge = -25302
    static let diskFull = -34
  }

  func add(_ key: KeychainKey, _ value: [UInt8], _ pending: PendingRequest) {
    access(key, .keychainAdd, pending) { groups throws(HostError) in
      if let refusal = try refusal(of: key, value, in: groups, pending.guest.app) { return refusal }
      guard let group = groups.first,
        try database.add(value, for: key, in: group, owner: owner(of: key, pending))
      else {
        return .failure(Status.duplicateItem)
      }
      // Values count, because the database is on the same disk as the journal. If the disk is nearly full, the
      // device ends the guest that has added most.
      pending.guest.recordedBytes += value.count
      return .success(nil)
    }
  }

  /// Returns the failure if adding the item would exceed a limit; otherwise nil. If the first group already contains
  /// the item, checks only the size of the value.
  ///
  /// The limits apply to all of the app's groups together, and count items that other apps added to these groups.
  private func refusal(
    of key: KeychainKey, _ value: [UInt8], in groups: [String], _ app: AppDescription
  ) throws(HostError) -> Found? {
    guard value.count <= quota.valueBytes else {
      return .failure(
        Status.dataTooLarge,
        "the value has \(value.count) bytes; the maximum is \(quota.valueBytes)")
    }
    let (items, bytes) = try database.usage(of: (try? app.keychainGroups().groups) ?? groups)
    let size = value.count + key.service.utf8.count + key.account.utf8.count
    guard items >= quota.items || bytes + size > quota.bytes,
      try !database.hasItem(key, in: Array(groups.prefix(1)))
    else { return nil }
    return .failure(
      Status.diskFull,
      items >= quota.items
        ? "the app's keychain groups have \(items) items; the maximum is \(quota.items)"
        : "the app's keychain groups have \(bytes) bytes; the maximum is \(quota.bytes)")
  }

  func query(_ key: KeychainKey, _ pending: PendingRequest) {
    access(key, .keychainQuery, pending) { groups throws(HostError) in
      guard let value = try database.value(for: key, in: groups) else {
        return .failure(Status.itemNotFound)
      }
      return .success(value)
    }
  }

  func delete(_ key: KeychainKey, _ pending: PendingRequest) {
    access(key, .keychainDelete, pending) { groups throws(HostError) in
      try database.delete(key, in: groups) > 0 ? .success(nil) : .failure(Status.itemNotFound)
    }
  }

  /// Returns the owner of a new item: the account that the item's key names or, if this account is not signed in, the
  /// account for which the app makes the request. Returns nil if neither account is signed in.
  private func owner(of key: KeychainKey, _ pending: PendingRequest) -> Account? {
    let accounts = pending.guest.accounts.signedIn.map(\.account)
    if let named = accounts.first(where: { $0.matches(identifier: key.account) }) { return named }
    guard let acting = pending.actingIdentity.identity.account else { return nil }
    return accounts.first { $0.isSameUser(as: acting) }
  }

  private enum Found {
    case success([UInt8]?)
    /// A failure, with the status of the Security framework and a text for the journal.
    case failure(Int, String? = nil)
  }

  private func access(
    _ key: KeychainKey, _ operation: Model.Operation, _ pending: PendingRequest,
    _ body: ([String]) throws(HostError) -> Found
  ) {
    let app = pending.guest.app
    let subject = key.group.isEmpty ? nil : key.group
    // Installation has already checked the entitlements.
    guard let groups = try? app.keychainGroups() else {
      return replies.refuse(pending, operation, .keychainNoGroup, subject: subject)
    }
    let decision = groups.decide(group: subject, operation: operation)
    let citations: [Setting: Explainer.Citation] = [
      .keychainAccessGroups: Explainer.Citation(
        value: groups.groups.joined(separator: ", "), source: "entitlements of `\(app.name)`")
    ]
    guard decision.verdict.outcome != .blocked else {
      return replies.answer(
        pending, operation, decision.verdict, subject: subject, citing: citations, end: .refused,
        status: decision.status ?? 0)
    }
    let found: Found
    do throws(HostError) {
      found = try body(decision.groups)
    } catch {
      return replies.answer(
        pending, operation, decision.verdict, subject: subject, citing: citations, end: .failed,
        detail: error.description)
    }
    switch found {
    case .success(let value):
      let items = value.map { [Item(type: "public.data", payload: .inline($0))] } ?? []
      replies.answer(
        pending, operation, decision.verdict, subject: subject, citing: citations,
        end: .delivered, items: items)
    case .failure(let status, let detail):
      replies.answer(
        pending, operation, decision.verdict, subject: subject, citing: citations, end: .failed,
        status: status, detail: detail)
    }
  }
}

// MARK: - Database

/// A generic password, without its value.
struct KeychainItem: Sendable {
  /// The item's key, including its access group.
  var key: KeychainKey
  /// The item's owner, determined when the item was added. It is the account that the item's key named or, if this
  /// account was not signed in, the account that the app acted for. Nil if neither account was signed in.
  var owner: Account?
  /// The size of the value in bytes.
  var byteCount: Int
}

/// Stores the keychain's generic passwords.
extension DeviceDatabase {
  /// Adds an item, unless the group already has an item with that key.
  ///
  /// - Parameter owner: The account that owns the item; nil if there is none.
  /// - Returns: Whether the item was added.
  func add(
    _ value: [UInt8], for key: KeychainKey, in group: String, owner: Account? = nil
  ) throws(HostError) -> Bool {
    try changeKeychain { database in
      let ownerID = try owner.map { try Self.id(of: $0, in: database) }
      return try database.run(
        "INSERT INTO keychainItem VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        Self.arguments(key, group) + [Data(value), ownerID])
    } > 0
  }

  /// Returns the key's value in the first of `groups` that contains the key; nil if no group contains it.
  func value(for key: KeychainKey, in groups: [String]) throws(HostError) -> [UInt8]? {
    try read { database in
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

  /// Deletes the items with that key from all `groups`.
  ///
  /// - Returns: The number of deleted items.
  func delete(_ key: KeychainKey, in groups: [String]) throws(HostError) -> Int {
    try changeKeychain { database in
      try groups.reduce(0) { count, group in
        try count
          + database.run(
            "DELETE FROM keychainItem WHERE accessGroup = ? AND service = ? AND account = ?",
            Self.arguments(key, group))
      }
    }
  }

  /// Deletes items that the account owns. Then deletes the account's rows in the table `account` that have no key and
  /// that no other table references.
  ///
  /// - Parameters:
  ///   - groups: The groups to delete from; nil for all groups.
  ///   - limit: The maximum number of items to delete; nil for no limit.
  /// - Returns: The number of deleted items.
  func deleteItems(
    ownedBy owner: Account, in groups: [String]? = nil, limit: Int? = nil
  ) throws(HostError) -> Int {
    try changeKeychain { database in
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

  /// Changes the keychain in one transaction, and returns the number of changed items. If the number is not 0, drops
  /// the cached usage of all groups.
  ///
  /// - Parameter body: Makes the change, and returns the number of changed items.
  private func changeKeychain(_ body: (Database) throws -> Int) throws(HostError) -> Int {
    let count = try access(body)
    if count > 0 { keychainUsage.removeAll() }
    return count
  }

  /// Returns the number of items in `groups`, and the total size of their keys and values in bytes.
  func usage(of groups: [String]) throws(HostError) -> (items: Int, bytes: Int) {
    var total = (items: 0, bytes: 0)
    for group in groups {
      let usage = try usage(of: group)
      total.items += usage.items
      total.bytes += usage.bytes
    }
    return total
  }

  /// Returns the number of items in a group, and the total size of their keys and values in bytes. The result is cached
  /// until the keychain changes, so an app that repeatedly adds to a full keychain does not cause repeated counting.
  private func usage(of group: String) throws(HostError) -> (items: Int, bytes: Int) {
    if let known = keychainUsage[group] { return known }
    let row = try read { database in
      try database.row(
        """
        SELECT count(*) AS items, coalesce(sum(
          length(value) + length(CAST(service AS BLOB)) + length(CAST(account AS BLOB))), 0) AS bytes
        FROM keychainItem WHERE accessGroup = ?
        """, [group])
    }
    let usage = (items: (row?["items"] ?? 0) as Int, bytes: (row?["bytes"] ?? 0) as Int)
    keychainUsage[group] = usage
    return usage
  }

  func hasItems(ownedBy owner: Account, in groups: [String]) throws(HostError) -> Bool {
    try read { database in
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

  func hasItem(_ key: KeychainKey, in groups: [String]) throws(HostError) -> Bool {
    try read { database in
      try groups.contains { group in
        try database.row(
          "SELECT 1 FROM keychainItem WHERE accessGroup = ? AND service = ? AND account = ?",
          Self.arguments(key, group)) != nil
      }
    }
  }

  /// Returns all items without their values, the earliest first.
  func items() throws(HostError) -> [KeychainItem] {
    try read { database in
      try database.rows(
        """
        SELECT accessGroup, service, account, length(value) AS size, upn, objectID, tenantID
        FROM keychainItem LEFT JOIN account ON account.id = ownerID ORDER BY keychainItem.rowid
        """
      ).map {
        KeychainItem(key: Self.key(of: $0), owner: $0.account, byteCount: $0["size"])
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
