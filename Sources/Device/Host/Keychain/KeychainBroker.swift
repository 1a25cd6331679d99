internal import Model
internal import Policy
internal import Wire

/// The limits of an app in the keychain.
///
/// No public source states limits. Apple's source calls secrets of more than a few thousand bytes unreasonable, and
/// apps report failures with megabytes (https://github.com/square/Valet/issues/246,
/// https://github.com/square/Valet/pull/248).
public struct KeychainQuota: Sendable {
  /// Bytes of one value.
  public var valueBytes = 64 << 10
  /// Number of items in all groups of an app.
  public var items = 1_024
  /// Bytes of keys and values in all groups of an app.
  public var bytes = 4 << 20

  /// Creates the default quota.
  public init() {}
}

/// The keychain: generic passwords, kept by access group.
final class KeychainBroker {
  private let quota: KeychainQuota
  private let database: DeviceDatabase
  private let replies: Replies

  init(quota: KeychainQuota, database: DeviceDatabase, replies: Replies) {
    self.quota = quota
    self.database = database
    self.replies = replies
  }

  /// `errSecDuplicateItem`, `errSecItemNotFound`, `errSecDataTooLarge` and `errSecDiskFull` of Apple's Security
  /// framework (https://developer.apple.com/documentation/security/security-framework-result-codes).
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
      // Of what grows with the device's files, the guest that adds most is ended when the disk is nearly full.
      pending.guest.recordedBytes += value.count
      return .success(nil)
    }
  }

  /// The reason why an item exceeds the limits; nil if it does not, or if it exists already.
  ///
  /// All groups of the app count, because any app of a group can add items to it.
  private func refusal(
    of key: KeychainKey, _ value: [UInt8], in groups: [String], _ app: AppDescription
  ) throws(HostError) -> Found? {
    guard value.count <= quota.valueBytes else {
      return .failure(
        Status.dataTooLarge,
        "the value has \(value.count) bytes; a keychain item takes \(quota.valueBytes) at most")
    }
    let (items, bytes) = try database.usage(of: (try? app.keychainGroups().groups) ?? groups)
    let size = value.count + key.service.utf8.count + key.account.utf8.count
    guard items >= quota.items || bytes + size > quota.bytes,
      try !database.hasItem(key, in: Array(groups.prefix(1)))
    else { return nil }
    return .failure(
      Status.diskFull,
      items >= quota.items
        ? "the app's keychain groups hold \(items) items, the most that they may"
        : "the app's keychain groups hold \(bytes) bytes; they may hold \(quota.bytes)")
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

  /// The owner of an item: the account that it names, or else the one that the task acts for; nil where neither is
  /// signed in.
  private func owner(of key: KeychainKey, _ pending: PendingRequest) -> Account? {
    let accounts = pending.guest.accounts.signedIn.map(\.account)
    if let named = accounts.first(where: { $0.isNamed(key.account) }) { return named }
    guard let acting = pending.actingIdentity.identity.account else { return nil }
    return accounts.first { $0.isSame(as: acting) }
  }

  private enum Found {
    case success([UInt8]?)
    /// A status of the Security framework.
    case failure(Int, String? = nil)
  }

  private func access(
    _ key: KeychainKey, _ operation: Operation, _ pending: PendingRequest,
    _ body: ([String]) throws(HostError) -> Found
  ) {
    let app = pending.guest.app
    let subject = key.group.isEmpty ? nil : key.group
    // Installing the app has checked its entitlements.
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
