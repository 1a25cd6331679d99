// The domain of MSAL's errors, and the keys of their user info. They are implicitly unwrapped, as
// Swift imports Objective-C constants without nullability annotations.

/// The domain of all errors in this module.
public let MSALErrorDomain: String! = "MSALErrorDomain"

/// The OAuth error code from the service, as a string.
public let MSALOAuthErrorKey: String! = "MSALOAuthErrorKey"
/// The OAuth suberror code from the service, as a string.
public let MSALOAuthSubErrorKey: String! = "MSALOAuthSubErrorKey"
/// This key is never set.
public let MSALOAuthSubErrorDescriptionKey: String! = "MSALOAuthSubErrorDescriptionKey"
/// A message for developers.
public let MSALErrorDescriptionKey: String! = "MSALErrorDescriptionKey"
/// This key is never set.
public let MSALSTSErrorCodesKey: String! = "MSALSTSErrorCodesKey"
/// The raw value of an ``MSALInternalError``. Only errors with the code ``MSALError/internal``
/// contain it.
public let MSALInternalErrorCodeKey: String! = "MSALInternalErrorCodeKey"
/// This key is never set.
public let MSALHTTPHeadersKey: String! = "MSALHTTPHeadersKey"
/// This key is never set.
public let MSALHTTPResponseCodeKey: String! = "MSALHTTPResponseCodeKey"
/// The correlation id of the call, as a UUID string.
public let MSALCorrelationIDKey: String! = "MSALCorrelationIDKey"
/// This key is never set, because the device's service grants all scopes.
public let MSALDeclinedScopesKey: String! = "MSALDeclinedScopesKey"
/// This key is never set, because the device's service grants all scopes.
public let MSALGrantedScopesKey: String! = "MSALGrantedScopesKey"
/// This key is never set.
public let MSALInvalidResultKey: String! = "MSALInvalidResultKey"
/// The account's user name. Only errors with the code
/// ``MSALError/serverProtectionPoliciesRequired`` contain it.
public let MSALDisplayableUserIdKey: String! = "MSALDisplayableUserIdKey"
/// This key is never set, because there is no broker.
public let MSALBrokerVersionKey: String! = "MSALBrokerVersionKey"
/// The account's identifier in the form `<OID>.<tenant>`. Only errors with the code
/// ``MSALError/serverProtectionPoliciesRequired`` contain it.
public let MSALHomeAccountIdKey: String! = "MSALHomeAccountIdKey"
/// This key is never set.
public let MSALThrottlingCacheHitKey: String! = "MSALThrottlingCacheHitKey"
