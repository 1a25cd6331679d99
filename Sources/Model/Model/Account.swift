/// An account of a person with an organisation.
///
/// Two accounts are the same when both state an object id and the ids agree, whatever their names (a UPN
/// may be renamed, or given to another person); otherwise when their UPNs agree. Case never matters
/// (Intune App SDK for iOS, stage 5, "Identity overview").
public struct Account: Sendable {
  /// One reference instead of seven strings: every decision copies and compares accounts.
  private let storage: Storage

  /// An account with a UPN, which must not be empty.
  public init(upn: String, objectID: String? = nil, tenantID: String? = nil) {
    storage = Storage(upn: upn, objectID: objectID, tenantID: tenantID)
  }

  /// The user principal name as it was written, such as `anna@contoso.com`. Not empty.
  public var upn: String { storage.upn }
  /// The Entra object id, a GUID; nil when not known.
  public var objectID: String? { storage.objectID }
  /// The Entra tenant, a GUID or a domain; nil when not known.
  public var tenantID: String? { storage.tenantID }

  /// Whether both are the same account.
  public func isSame(as other: Account) -> Bool {
    if storage === other.storage { return true }
    if let key = storage.objectKey, let otherKey = other.storage.objectKey {
      return key == otherKey
    }
    return storage.upnKey == other.storage.upnKey
  }

  /// Whether `identity`, a UPN or an object id in any casing, names this account.
  public func isNamed(_ identity: String) -> Bool {
    let key = identity.lowercased()
    return key == storage.upnKey || key == storage.objectKey
  }

  /// Whether both are known to belong to one organisation: the tenants where both state one, else the
  /// domains of the UPNs.
  public func isSameTenant(as other: Account) -> Bool {
    if let key = storage.tenantKey, let otherKey = other.storage.tenantKey {
      return key == otherKey
    }
    guard let domain = storage.domainKey, let otherDomain = other.storage.domainKey else {
      return false
    }
    return domain == otherDomain
  }
}

extension Account {
  /// The names as they were written, and the keys by which accounts compare, made once.
  private final class Storage: Sendable {
    let upn: String
    let objectID: String?
    let tenantID: String?
    let upnKey: String
    let objectKey: String?
    let tenantKey: String?
    /// The part of the UPN after its last `@`; nil where it has none.
    let domainKey: String?

    init(upn: String, objectID: String?, tenantID: String?) {
      self.upn = upn
      self.objectID = objectID
      self.tenantID = tenantID
      let key = upn.lowercased()
      upnKey = key
      objectKey = objectID?.lowercased()
      tenantKey = tenantID?.lowercased()
      domainKey = key.lastIndex(of: "@").map { String(key[key.index(after: $0)...]) }
    }
  }
}

/// The identity that a task acts for.
///
/// The SDK's identities are strings; here the two special ones have names. `nil` is ``unset`` and falls
/// back to the next level; `""` is ``unknown``, a personal, unmanaged account (semantics: the
/// header of `IntuneMAMPolicyManager`).
public enum Identity: Sendable {
  case unset
  case unknown
  case account(Account)

  /// The account; nil where the identity is unset or unknown.
  public var account: Account? {
    if case .account(let account) = self { account } else { nil }
  }

  /// The string that the SDK's calls take: nil when unset, `""` when unknown, else the UPN.
  public var accountID: String? {
    switch self {
    case .unset: nil
    case .unknown: ""
    case .account(let account): account.upn
    }
  }

  /// Whether both name the same account, or neither names any.
  public func isSame(as other: Identity) -> Bool {
    switch (account, other.account) {
    case (let mine?, let theirs?): mine.isSame(as: theirs)
    case (nil, nil): true
    case (nil, _?), (_?, nil): false
    }
  }
}

/// The account that web views of an app act for.
///
/// Source: Intune App SDK for iOS, stage 5, web views.
public enum WebViewPolicy: String, Sendable, CaseIterable {
  /// The account that the app acts for.
  case currentIdentity
  /// The account that the app acts for, but nothing may be uploaded or pasted.
  case currentIdentityWithoutUpload
  /// No account: `TreatAllWebViewsAsUnmanaged`, or the app declares the web view unmanaged.
  case unmanaged
}
