public import Model
public import Wire

/// Makes accounts compliant with conditional access (`IntuneMAMComplianceManager`).
public final class IntuneMAMComplianceManager {
  private let host: any HostPort
  /// The manager that knows which accounts are being made compliant.
  private let enrollment: IntuneMAMEnrollmentManager
  /// The receiver of results; set it at launch, since the app may be restarted in between.
  public weak var delegate: (any IntuneMAMComplianceDelegate)?

  init(_ host: any HostPort, _ enrollment: IntuneMAMEnrollmentManager) {
    self.host = host
    self.enrollment = enrollment
  }

  /// Enrolls an account and puts it under its policy, which may restart the app. Accounts wait for each other; a
  /// call for an account that is waiting is dropped.
  ///
  /// - Parameters:
  ///   - accountId: a UPN or an object id in any casing.
  ///   - silent: whether the user may not be asked for anything.
  ///   - completion: gets the outcome: whether the call counts.
  public func remediateCompliance(
    forAccountId accountId: String, silent: Bool,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    host.request(.remediate(account: accountId, isSilent: silent), completion)
  }

  /// Whether the account is being made compliant, or waits for it.
  ///
  /// - Parameter accountId: an object id, or the UPN of an account that has none.
  public func remediationInProgress(forAccountId accountId: String) -> Bool {
    enrollment.isRemediating(accountId)
  }

  func handle(_ notice: ComplianceNotice) {
    guard let status = IntuneMAMComplianceStatus(rawValue: notice.status) else { return }
    delegate?.accountId(
      notice.account, hasComplianceStatus: status, withErrorMessage: notice.message,
      andErrorTitle: notice.title)
  }
}

/// The receiver of accounts' compliance (`IntuneMAMComplianceDelegate`).
public protocol IntuneMAMComplianceDelegate: AnyObject {
  /// Tells the result of making an account compliant.
  ///
  /// - Parameters:
  ///   - accountId: the object id, or the UPN of an account that has none.
  ///   - errMsg: the message for the user; `""` where the account is compliant.
  func accountId(
    _ accountId: String, hasComplianceStatus status: IntuneMAMComplianceStatus,
    withErrorMessage errMsg: String, andErrorTitle errTitle: String)
}

/// The statuses with the SDK's names and numbers.
public typealias IntuneMAMComplianceStatus = ComplianceStatus

// MARK: - Tokens

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
