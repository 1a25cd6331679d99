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
