internal import AppProcess
public import Foundation

/// The app as a client of the token service. It acquires tokens and manages signed-in accounts.
open class MSALPublicClientApplication: NSObject, @unchecked Sendable {
  public let configuration: MSALPublicClientApplicationConfig
  let client: TokenClient

  /// Creates a client.
  ///
  /// - Throws: An `NSError`: `MSALInternalError.internalErrorInvalidParameter` if the client id is
  ///   empty, or `internalErrorInvalidRedirectURI` if the redirect URI is invalid.
  public init(configuration: MSALPublicClientApplicationConfig) throws {
    let copy = configuration.copy() as! MSALPublicClientApplicationConfig
    self.configuration = configuration
    client = try rethrowing { () throws(Failure) in
      do throws(Failure) {
        let client = try TokenClient(
          copy, on: AppDevice(), cache: .ofProcess, sessions: .ofProcess)
        try MSALRedirectUri.validate(copy, bundleIdentifier: AppProcess.current.bundleIdentifier)
        return client
      } catch {
        // `localizedDescription`, which most apps print, lacks the reason.
        AppProcess.current.log("MSAL: no client application: \(error.description)")
        throw error
      }
    }
    super.init()
    client.tell(copy.ineffective)
  }

  /// Creates a client with the default configuration.
  ///
  /// - Throws: The same errors as ``init(configuration:)``.
  public convenience init(clientId: String) throws {
    try self.init(clientId: clientId, authority: nil)
  }

  /// Creates a client for an authority.
  ///
  /// - Parameter authority: The authority; nil for any account in Microsoft's public cloud.
  /// - Throws: The same errors as ``init(configuration:)``.
  public convenience init(clientId: String, authority: MSALAuthority?) throws {
    try self.init(
      configuration: MSALPublicClientApplicationConfig(
        clientId: clientId, redirectUri: nil, authority: authority))
  }

  /// The version of MSAL that this module follows.
  public class var sdkVersion: String? { "2.13.0" }

  /// Whether the device has a broker. Always false, because there is none.
  open var isCompatibleAADBrokerAvailable: Bool { false }

  // MARK: Responses

  /// Handles the URL that returns the user from a browser to the app after a sign-in.
  ///
  /// - Returns: Always false. In the simulation, sign-ins are answered by a step of the scenario,
  ///   not by a URL.
  @discardableResult
  open class func handleMSALResponse(_ response: URL, sourceApplication: String?) -> Bool { false }

  /// Dismisses the sign-in prompt. The call that shows it fails with `MSALError.userCanceled`.
  ///
  /// - Returns: Whether a prompt was shown.
  @discardableResult
  open class func cancelCurrentWebAuthSession() -> Bool { InteractiveSessions.ofProcess.cancel() }
}

/// Runs `body`, and converts an error that it throws to the error that apps receive.
func rethrowing<Result>(_ body: () throws(Failure) -> Result) throws -> Result {
  do throws(Failure) {
    return try body()
  } catch {
    throw error.nsError
  }
}
