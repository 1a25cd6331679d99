// The types of MSAL's completion blocks and callbacks.

public typealias MSALCompletionBlock = (MSALResult?, (any Error)?) -> Void
public typealias MSALAccountsCompletionBlock = ([MSALAccount]?, (any Error)?) -> Void
/// A closure that receives the current account, the account that the previous call returned, and an
/// error.
public typealias MSALCurrentAccountCompletionBlock = (
  MSALAccount?, MSALAccount?, (any Error)?
) -> Void
public typealias MSALSignoutCompletionBlock = (Bool, (any Error)?) -> Void
public typealias MSALDeviceInformationCompletionBlock = (
  MSALDeviceInformation?, (any Error)?
) -> Void
/// A closure that receives a log level, a line, and whether the line may contain personal data.
public typealias MSALLogCallback = (MSALLogLevel, String?, Bool) -> Void
public typealias MSALTelemetryCallback = ([String: String]) -> Void
