public import Foundation

/// An account; the protocol `MSALAccount` of Objective-C.
public protocol MSALAccountProtocol: NSObjectProtocol {
  /// The UPN.
  var username: String? { get }
  /// `<OID>.<tenant>`, for later look-ups.
  var identifier: String? { get }
  /// The host of the authority.
  var environment: String { get }
  /// The claims of the ID token.
  var accountClaims: [String: Any]? { get }
  /// nil for the account of an `MSALResult`.
  var tenantProfiles: [MSALTenantProfile]? { get }
  var homeAccountId: MSALAccountId? { get }
  /// false here: there is no SSO extension.
  var isSSOAccount: Bool { get }
}
