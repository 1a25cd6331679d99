internal import Foundation

/// An error of a call. Apps receive it as ``nsError``.
struct Failure: Error, Sendable, Equatable {
  var code: MSALError
  /// The code with the details; nil if ``code`` is not `internal`.
  var internalCode: MSALInternalError?
  /// A message for developers.
  var description: String
  var oauthError: String?
  var oauthSubError: String?
  var homeAccountId: String?
  var username: String?
  var correlationId: UUID?

  private init(_ code: MSALError, _ description: String) {
    self.code = code
    self.description = description
  }
}

extension Failure {
  static func `internal`(_ internalCode: MSALInternalError, _ description: String) -> Failure {
    var failure = Failure(.internal, description)
    failure.internalCode = internalCode
    return failure
  }

  static func invalidParameter(_ description: String) -> Failure {
    .internal(.internalErrorInvalidParameter, description)
  }

  static func interactionRequired(_ description: String) -> Failure {
    Failure(.interactionRequired, description)
  }

  static func userCanceled(_ description: String) -> Failure { Failure(.userCanceled, description) }

  /// Returns the error for an account that needs app protection first. The OAuth errors are
  /// Microsoft Entra's, and the code is MSAL's code for these errors.
  static func protectionRequired(homeAccountId: String?, username: String?) -> Failure {
    var failure = Failure(
      .serverProtectionPoliciesRequired, "conditional access requires an app protection policy")
    failure.oauthError = "unauthorized_client"
    failure.oauthSubError = "protection_policy_required"
    failure.homeAccountId = homeAccountId
    failure.username = username
    return failure
  }
}

extension Failure {
  /// The error in the form that apps receive.
  var nsError: NSError {
    NSError(domain: MSALErrorDomain, code: code.rawValue, userInfo: userInfo)
  }

  private var userInfo: [String: Any] {
    let pairs: [(String, Any?)] = [
      (MSALErrorDescriptionKey, description),
      (MSALInternalErrorCodeKey, internalCode?.rawValue),
      (MSALOAuthErrorKey, oauthError),
      (MSALOAuthSubErrorKey, oauthSubError),
      (MSALHomeAccountIdKey, homeAccountId),
      (MSALDisplayableUserIdKey, username),
      (MSALCorrelationIDKey, correlationId?.uuidString),
    ]
    return pairs.reduce(into: [:]) { info, pair in info[pair.0] = pair.1 }
  }
}
