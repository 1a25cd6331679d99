internal import AppProcess
public import Foundation
internal import SluiceKit

/// Makes accounts compliant with conditional access.
open class IntuneMAMComplianceManager: NSObject, @unchecked Sendable {
  private static let shared = IntuneMAMComplianceManager()
  private let sdk = SDK.shared

  /// The receiver of results, to be set at launch. Weak: somebody else has to hold it.
  open weak var delegate: (any IntuneMAMComplianceDelegate)?

  private override init() { super.init() }

  open class func instance() -> IntuneMAMComplianceManager { shared }

  /// Enrolls an account and puts it under its policy, which may restart the app.
  ///
  /// - Parameter silent: whether the user may not be asked for anything.
  open func remediateCompliance(forAccountId accountId: String, silent: Bool) {
    sdk.process.tell {
      $0.complianceManager.remediateCompliance(forAccountId: accountId, silent: silent)
    }
  }

  /// Whether the account is being made compliant, or waits for it.
  open func remediationInProgress(forAccountId accountId: String) -> Bool {
    sdk.process.read { $0.complianceManager.remediationInProgress(forAccountId: accountId) }
  }
}

/// The receiver of accounts' compliance. Called on a background thread: the headers warn that it need not be the main one.
public protocol IntuneMAMComplianceDelegate: NSObjectProtocol {
  /// Making an account compliant has ended.
  func accountId(
    _ accountId: String, hasComplianceStatus status: IntuneMAMComplianceStatus,
    withErrorMessage errMsg: String, andErrorTitle errTitle: String)
}

extension IntuneMAMComplianceDelegate {
  public func accountId(
    _ accountId: String, hasComplianceStatus status: IntuneMAMComplianceStatus,
    withErrorMessage errMsg: String, andErrorTitle errTitle: String
  ) { Requirement.isMissing(in: self) }
}

/// What came of making an account compliant.
public enum IntuneMAMComplianceStatus: UInt, Sendable, CaseIterable {
  case compliant = 0
  case notCompliant = 1
  case serviceFailure = 2
  case networkFailure = 3
  /// To be called again with `silent` false.
  case interactionRequired = 4
  case userCancelled = 5
}
