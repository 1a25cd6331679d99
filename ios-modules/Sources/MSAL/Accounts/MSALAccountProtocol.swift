public import Foundation

/// An account. In Objective-C, the protocol is called `MSALAccount`.
public protocol MSALAccountProtocol: NSObjectProtocol {
  /// The account's UPN.
  var username: String? { get }
  /// The identifier in the form `<OID>.<tenant>`, by which the app looks up the account.
  var identifier: String? { get }
  /// The host name of the authority.
  var environment: String { get }
  /// The claims of the ID token.
  var accountClaims: [String: Any]? { get }
  /// The account's tenant profiles; nil for the account of an `MSALResult`.
  var tenantProfiles: [MSALTenantProfile]? { get }
  var homeAccountId: MSALAccountId? { get }
  /// Whether the account comes from the SSO extension. Always false, because there is no such
  /// extension.
  var isSSOAccount: Bool { get }
}
