// The domain of MSAL's errors, and the keys of their user info. They are implicitly unwrapped as the importer of
// Objective-C makes them, whose headers say nothing of nil.

/// The domain of all errors of this module.
public let MSALErrorDomain: String! = "MSALErrorDomain"

/// The OAuth error of the service, a string.
public let MSALOAuthErrorKey: String! = "MSALOAuthErrorKey"
/// The suberror of the service, a string.
public let MSALOAuthSubErrorKey: String! = "MSALOAuthSubErrorKey"
/// Never set here.
public let MSALOAuthSubErrorDescriptionKey: String! = "MSALOAuthSubErrorDescriptionKey"
/// A sentence for developers.
public let MSALErrorDescriptionKey: String! = "MSALErrorDescriptionKey"
/// Never set here.
public let MSALSTSErrorCodesKey: String! = "MSALSTSErrorCodesKey"
/// A raw value of ``MSALInternalError``, with ``MSALError/internal``.
public let MSALInternalErrorCodeKey: String! = "MSALInternalErrorCodeKey"
/// Never set here.
public let MSALHTTPHeadersKey: String! = "MSALHTTPHeadersKey"
/// Never set here.
public let MSALHTTPResponseCodeKey: String! = "MSALHTTPResponseCodeKey"
/// The id of the call, a UUID as a string.
public let MSALCorrelationIDKey: String! = "MSALCorrelationIDKey"
/// Never set here: the device's service grants all scopes.
public let MSALDeclinedScopesKey: String! = "MSALDeclinedScopesKey"
/// Never set here: the device's service grants all scopes.
public let MSALGrantedScopesKey: String! = "MSALGrantedScopesKey"
/// Never set here.
public let MSALInvalidResultKey: String! = "MSALInvalidResultKey"
/// The user name of the account, with ``MSALError/serverProtectionPoliciesRequired``.
public let MSALDisplayableUserIdKey: String! = "MSALDisplayableUserIdKey"
/// Never set here: there is no broker.
public let MSALBrokerVersionKey: String! = "MSALBrokerVersionKey"
/// The account's id, `<OID>.<tenant>`, with ``MSALError/serverProtectionPoliciesRequired``.
public let MSALHomeAccountIdKey: String! = "MSALHomeAccountIdKey"
/// Never set here.
public let MSALThrottlingCacheHitKey: String! = "MSALThrottlingCacheHitKey"
