internal import Model
internal import Wire

/// Gets access tokens for the app's accounts (`MSALPublicClientApplication` of MSAL).
public final class MSALPublicClientApplication {
  private let host: any HostPort
  public let configuration: MSALPublicClientApplicationConfig

  /// Makes a client of `application`.
  public init(configuration: MSALPublicClientApplicationConfig, in application: Application) {
    self.configuration = configuration
    host = application.connection
  }

  /// Gets a token.
  ///
  /// - Parameters:
  ///   - accountId: a UPN or an object id in any casing.
  ///   - resource: an application id, or the URI of the service that takes the token.
  public func acquireToken(
    forAccountId accountId: String, resource: String,
    completion: @escaping (Result<MSALResult, MSALError>) -> Void
  ) {
    let request = AcquireToken(
      account: accountId, resource: resource,
      capabilities: configuration.clientApplicationCapabilities ?? [])
    host.request(.acquireToken(request)) { outcome in
      completion(Self.result(of: outcome))
    }
  }

  private static func result(of outcome: RequestOutcome) -> Result<MSALResult, MSALError> {
    if outcome.end == .delivered, let token = outcome.items.first {
      return .success(MSALResult(accessToken: String(decoding: token.bytes, as: UTF8.self)))
    }
    return .failure(
      MSALError(
        code: MSALError.Code(rawValue: outcome.status) ?? .internal,
        homeAccountId: outcome.homeAccount))
  }
}

/// The app's statement about itself to the token service.
public struct MSALPublicClientApplicationConfig: Sendable {
  public var clientId: String
  /// The capabilities of the app; `protapp`, in any casing, is needed where conditional access asks for a policy.
  public var clientApplicationCapabilities: [String]?

  /// A configuration of the app `clientId`.
  public init(clientId: String, clientApplicationCapabilities: [String]? = nil) {
    self.clientId = clientId
    self.clientApplicationCapabilities = clientApplicationCapabilities
  }
}

/// A token that was issued.
public struct MSALResult: Sendable {
  /// A signed JSON Web Token.
  public var accessToken: String
}

/// The reason why there is no token.
public struct MSALError: Error, Sendable, Equatable {
  /// The kind of failure, with MSAL's numbers.
  public enum Code: Int, Sendable {
    case `internal` = -50000
    /// The app must be protected first: remediate the account that ``homeAccountId`` begins with.
    case serverProtectionPoliciesRequired = -50004
  }

  public var code: Code
  /// `MSALHomeAccountIdKey`, as `<OID>.<tenant>`; nil unless protection is required.
  public var homeAccountId: String?
}
