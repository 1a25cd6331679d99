/// A person's account in an organisation.
///
/// Two accounts that both state an object id are the same if the ids match. Otherwise, they are the
/// same if their UPNs match. Object ids take precedence because a UPN may be renamed or reassigned.
/// All comparisons ignore case (Intune App SDK for iOS, stage 5, "Identity overview").
public struct Account: Sendable {
  /// The account's values. They are in one object, so copying an account copies only one reference. Accounts are copied
  /// for every decision.
  private let storage: Storage

  /// Creates an account. `upn` must not be empty.
  public init(upn: String, objectID: String? = nil, tenantID: String? = nil) {
    storage = Storage(upn: upn, objectID: objectID, tenantID: tenantID)
  }

  /// Creates an account from the fields of a message, in which `""` means unknown; nil without a UPN.
  package init?(ownerUPN upn: String, ownerObjectID objectID: String, ownerTenantID tenant: String)
  {
    guard !upn.isEmpty else { return nil }
    self.init(
      upn: upn, objectID: objectID.isEmpty ? nil : objectID,
      tenantID: tenant.isEmpty ? nil : tenant)
  }

  /// The user principal name in its original casing, such as `anna@contoso.com`. Never empty.
  public var upn: String { storage.upn }
  /// The Entra object id, a GUID; nil if unknown.
  public var objectID: String? { storage.objectID }
  /// The Entra tenant, a GUID or a domain; nil if unknown.
  public var tenantID: String? { storage.tenantID }

  /// Returns whether both values denote the same account. If both state an object id, the ids are compared, otherwise
  /// the UPNs.
  public func isSameUser(as other: Account) -> Bool {
    if storage === other.storage { return true }
    if let key = storage.objectKey, let otherKey = other.storage.objectKey {
      return key == otherKey
    }
    return storage.upnKey == other.storage.upnKey
  }

  /// Returns whether `identifier`, a UPN or an object id in any casing, denotes this account.
  public func matches(identifier: String) -> Bool {
    let key = identifier.lowercased()
    return key == storage.upnKey || key == storage.objectKey
  }

  /// Returns whether both accounts belong to one organisation. If both state a tenant, the tenants are compared,
  /// otherwise the domains of the UPNs.
  public func isSameTenant(as other: Account) -> Bool {
    if let key = storage.tenantKey, let otherKey = other.storage.tenantKey {
      return key == otherKey
    }
    guard let domain = storage.domainKey, let otherDomain = other.storage.domainKey else {
      return false
    }
    return domain == otherDomain
  }

  /// The original names, and lower-case keys for comparison, computed once.
  private final class Storage: Sendable {
    let upn: String
    let objectID: String?
    let tenantID: String?
    let upnKey: String
    let objectKey: String?
    let tenantKey: String?
    /// The part of the UPN after its last `@`; nil if the UPN has no `@`.
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
/// The SDK's identities are strings, with two special values. `nil` is ``unset``: the identity of the next level,
/// such as the process's, applies. `""` is ``unknown``, a personal, unmanaged account.
///
/// Source: Intune App SDK for iOS, `IntuneMAMPolicyManager.h`.
public enum Identity: Sendable {
  case unset
  case unknown
  case account(Account)

  /// The account; nil if the identity is unset or unknown.
  public var account: Account? {
    if case .account(let account) = self { account } else { nil }
  }

  /// The argument for the SDK's calls: nil if unset, `""` if unknown, otherwise the UPN.
  public var accountID: String? {
    switch self {
    case .unset: nil
    case .unknown: ""
    case .account(let account): account.upn
    }
  }

  /// Returns whether both identities denote the same account, or neither denotes an account.
  public func isSameUser(as other: Identity) -> Bool {
    switch (account, other.account) {
    case (let mine?, let theirs?): mine.isSameUser(as: theirs)
    case (nil, nil): true
    case (nil, _?), (_?, nil): false
    }
  }
}

/// The account that an app's web views act for.
///
/// Source: Intune App SDK for iOS, stage 5, web views.
public enum WebViewPolicy: String, Sendable, CaseIterable {
  case currentIdentity
  /// Web views act for the app's acting identity, and block uploading and pasting.
  case currentIdentityWithoutUpload
  /// Web views act for no account: `TreatAllWebViewsAsUnmanaged` is set, or the app declares the web view unmanaged.
  case unmanaged
}
