public import Foundation

/// An account; in Objective-C, the protocol `MSALAccount`.
public protocol MSALAccountProtocol: NSObjectProtocol {
  /// The UPN.
  var username: String? { get }
  /// `<OID>.<tenant>`, for lookups.
  var identifier: String? { get }
  /// The host of the authority.
  var environment: String { get }
  /// The claims of the ID token.
  var accountClaims: [String: Any]? { get }
  /// The account's tenant profiles; nil for the account of an `MSALResult`.
  var tenantProfiles: [MSALTenantProfile]? { get }
  var homeAccountId: MSALAccountId? { get }
  /// Always false: there is no SSO extension.
  var isSSOAccount: Bool { get }
}
