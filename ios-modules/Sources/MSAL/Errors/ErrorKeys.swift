// The domain of MSAL's errors, and the keys of their user info. They are implicitly unwrapped, like imported
// Objective-C constants without nullability annotations.

/// The domain of all errors in this module.
public let MSALErrorDomain: String! = "MSALErrorDomain"

/// The OAuth error code of the service, a string.
public let MSALOAuthErrorKey: String! = "MSALOAuthErrorKey"
/// The OAuth suberror code of the service, a string.
public let MSALOAuthSubErrorKey: String! = "MSALOAuthSubErrorKey"
/// Never set here.
public let MSALOAuthSubErrorDescriptionKey: String! = "MSALOAuthSubErrorDescriptionKey"
/// A message for developers.
public let MSALErrorDescriptionKey: String! = "MSALErrorDescriptionKey"
/// Never set here.
public let MSALSTSErrorCodesKey: String! = "MSALSTSErrorCodesKey"
/// The raw value of an ``MSALInternalError``, set with ``MSALError/internal``.
public let MSALInternalErrorCodeKey: String! = "MSALInternalErrorCodeKey"
/// Never set here.
public let MSALHTTPHeadersKey: String! = "MSALHTTPHeadersKey"
/// Never set here.
public let MSALHTTPResponseCodeKey: String! = "MSALHTTPResponseCodeKey"
/// The correlation ID of the call, a UUID string.
public let MSALCorrelationIDKey: String! = "MSALCorrelationIDKey"
/// Never set here: the device's service grants all scopes.
public let MSALDeclinedScopesKey: String! = "MSALDeclinedScopesKey"
/// Never set here: the device's service grants all scopes.
public let MSALGrantedScopesKey: String! = "MSALGrantedScopesKey"
/// Never set here.
public let MSALInvalidResultKey: String! = "MSALInvalidResultKey"
/// The account's user name, set with ``MSALError/serverProtectionPoliciesRequired``.
public let MSALDisplayableUserIdKey: String! = "MSALDisplayableUserIdKey"
/// Never set here: there is no broker.
public let MSALBrokerVersionKey: String! = "MSALBrokerVersionKey"
/// The account's identifier, `<OID>.<tenant>`, set with ``MSALError/serverProtectionPoliciesRequired``.
public let MSALHomeAccountIdKey: String! = "MSALHomeAccountIdKey"
/// Never set here.
public let MSALThrottlingCacheHitKey: String! = "MSALThrottlingCacheHitKey"
