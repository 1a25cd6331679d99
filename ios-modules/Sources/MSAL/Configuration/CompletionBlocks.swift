// The types of MSAL's callbacks.

public typealias MSALCompletionBlock = (MSALResult?, (any Error)?) -> Void
public typealias MSALAccountsCompletionBlock = ([MSALAccount]?, (any Error)?) -> Void
/// Takes the account and the one before it.
public typealias MSALCurrentAccountCompletionBlock = (
  MSALAccount?, MSALAccount?, (any Error)?
) -> Void
public typealias MSALSignoutCompletionBlock = (Bool, (any Error)?) -> Void
public typealias MSALDeviceInformationCompletionBlock = (
  MSALDeviceInformation?, (any Error)?
) -> Void
/// Takes a level, a line, and whether it may name people.
public typealias MSALLogCallback = (MSALLogLevel, String?, Bool) -> Void
public typealias MSALTelemetryCallback = ([String: String]) -> Void
