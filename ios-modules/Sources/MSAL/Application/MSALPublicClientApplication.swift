internal import AppProcess
public import Foundation

/// The app as a client of the token service: gets tokens, and knows who has signed in.
open class MSALPublicClientApplication: NSObject, @unchecked Sendable {
  public let configuration: MSALPublicClientApplicationConfig
  let client: TokenClient

  /// - Throws: an `NSError`, `MSALInternalError.internalErrorInvalidParameter` without a client id and
  ///   `internalErrorInvalidRedirectURI` where the redirect URI is not as it must be.
  public init(configuration: MSALPublicClientApplicationConfig) throws {
    let copy = configuration.copy() as! MSALPublicClientApplicationConfig
    self.configuration = configuration
    client = try rethrowing { () throws(Failure) in
      let client = try TokenClient(
        copy, on: AppDevice(), cache: .ofProcess, sessions: .ofProcess)
      try MSALRedirectUri.validate(copy, bundleIdentifier: AppProcess.current.bundleIdentifier)
      return client
    }
    super.init()
    client.tell(copy.ineffective)
  }

  /// - Throws: as ``init(configuration:)`` does.
  public convenience init(clientId: String) throws {
    try self.init(clientId: clientId, authority: nil)
  }

  /// - Parameter authority: nil: any account of Microsoft's public cloud.
  /// - Throws: as ``init(configuration:)`` does.
  public convenience init(clientId: String, authority: MSALAuthority?) throws {
    try self.init(
      configuration: MSALPublicClientApplicationConfig(
        clientId: clientId, redirectUri: nil, authority: authority))
  }

  /// The version of MSAL whose headers this module follows.
  public class var sdkVersion: String? { "2.13.0" }

  /// false: there is no broker on the device.
  open var isCompatibleAADBrokerAvailable: Bool { false }

  // MARK: responses

  /// - Returns: false: a sign-in is answered by a step of the scenario, and never by a URL.
  @discardableResult
  open class func handleMSALResponse(_ response: URL, sourceApplication: String?) -> Bool { false }

  /// Takes the sign-in off the screen, whose call ends with `MSALError.userCanceled`.
  ///
  /// - Returns: whether one was shown.
  @discardableResult
  open class func cancelCurrentWebAuthSession() -> Bool { InteractiveSessions.ofProcess.cancel() }
}

/// Does what apps call, whose errors are `NSError`s.
func rethrowing<Result>(_ body: () throws(Failure) -> Result) throws -> Result {
  do throws(Failure) {
    return try body()
  } catch {
    throw error.nsError
  }
}
