public import Model
public import Wire

/// Brings accounts into compliance with conditional access (`IntuneMAMComplianceManager`).
public final class IntuneMAMComplianceManager {
  private let host: any HostPort
  /// The manager that tracks the accounts being remediated.
  private let enrollment: IntuneMAMEnrollmentManager
  /// The delegate that receives results. Set it at launch, because the remediation may restart the app.
  public weak var delegate: (any IntuneMAMComplianceDelegate)?

  init(_ host: any HostPort, _ enrollment: IntuneMAMEnrollmentManager) {
    self.host = host
    self.enrollment = enrollment
  }

  /// Enrolls an account and applies its policy, which may restart the app.
  ///
  /// Accounts are remediated one at a time. A call for an account that is being remediated or is queued is ignored.
  ///
  /// - Parameters:
  ///   - accountId: A UPN or an object id in any casing.
  ///   - silent: Whether the account must be remediated without prompting the user.
  ///   - completion: Receives the outcome, which states whether the call was accepted.
  public func remediateCompliance(
    forAccountId accountId: String, silent: Bool,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    host.request(.remediate(account: accountId, isSilent: silent), completion)
  }

  /// Returns whether the account is being remediated or is queued for remediation.
  ///
  /// - Parameter accountId: An object id, or the UPN if the account has none.
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

/// The receiver of compliance results (`IntuneMAMComplianceDelegate`).
public protocol IntuneMAMComplianceDelegate: AnyObject {
  /// Called with the result of an account's remediation.
  ///
  /// - Parameters:
  ///   - accountId: The object id, or the UPN if the account has none.
  ///   - errMsg: The message for the user; `""` if the account is compliant.
  func accountId(
    _ accountId: String, hasComplianceStatus status: IntuneMAMComplianceStatus,
    withErrorMessage errMsg: String, andErrorTitle errTitle: String)
}

/// The compliance statuses, with the SDK's names and numbers.
public typealias IntuneMAMComplianceStatus = ComplianceStatus

// MARK: - Tokens

/// Acquires access tokens for the app's accounts (`MSALPublicClientApplication` of MSAL).
public final class MSALPublicClientApplication {
  private let host: any HostPort
  public let configuration: MSALPublicClientApplicationConfig

  public init(configuration: MSALPublicClientApplicationConfig, in application: Application) {
    self.configuration = configuration
    host = application.connection
  }

  /// Acquires a token for an account.
  ///
  /// - Parameters:
  ///   - accountId: A UPN or an object id in any casing.
  ///   - resource: The application id or URI of the service for which the token is issued.
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

/// The configuration with which an app registers with the token service.
public struct MSALPublicClientApplicationConfig: Sendable {
  public var clientId: String
  /// The app's capabilities. If conditional access requires an app protection policy, they must
  /// contain `protapp`, in any casing.
  public var clientApplicationCapabilities: [String]?

  public init(clientId: String, clientApplicationCapabilities: [String]? = nil) {
    self.clientId = clientId
    self.clientApplicationCapabilities = clientApplicationCapabilities
  }
}

public struct MSALResult: Sendable {
  /// A signed JSON Web Token.
  public var accessToken: String
}

/// The reason why no token was issued.
public struct MSALError: Error, Sendable, Equatable {
  /// The kind of failure. The raw value is MSAL's number.
  public enum Code: Int, Sendable {
    case `internal` = -50000
    /// The account must be protected first: remediate it under its object id, which is the first part of
    /// ``homeAccountId``.
    case serverProtectionPoliciesRequired = -50004
  }

  public var code: Code
  /// The value of `MSALHomeAccountIdKey`, in the form `<OID>.<tenant>`; nil if protection is not required.
  public var homeAccountId: String?
}
