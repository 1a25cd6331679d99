internal import AppProcess
public import Foundation
internal import SluiceKit

/// Makes accounts compliant with conditional access.
open class IntuneMAMComplianceManager: NSObject, @unchecked Sendable {
  private static let shared = IntuneMAMComplianceManager()
  private let sdk = SDK.shared

  /// The receiver of results. Set it at launch. It is held weakly, so other code must retain it.
  open weak var delegate: (any IntuneMAMComplianceDelegate)?

  private override init() { super.init() }

  open class func instance() -> IntuneMAMComplianceManager { shared }

  /// Enrolls an account and applies its policy, which may restart the app.
  ///
  /// - Parameter silent: Whether the user must not be prompted.
  open func remediateCompliance(forAccountId accountId: String, silent: Bool) {
    sdk.process.tell {
      $0.complianceManager.remediateCompliance(forAccountId: accountId, silent: silent)
    }
  }

  /// Returns whether a remediation of the account is in progress or queued.
  open func remediationInProgress(forAccountId accountId: String) -> Bool {
    sdk.process.read { $0.complianceManager.remediationInProgress(forAccountId: accountId) }
  }
}

/// Receives compliance results. Methods are called on a background thread; the SDK's headers warn
/// that the thread might not be the main thread.
public protocol IntuneMAMComplianceDelegate: NSObjectProtocol {
  /// Reports the result of a remediation.
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

/// The result of a remediation.
public enum IntuneMAMComplianceStatus: UInt, Sendable, CaseIterable {
  case compliant = 0
  case notCompliant = 1
  case serviceFailure = 2
  case networkFailure = 3
  /// The user must interact. The app should call `remediateCompliance(forAccountId:silent:)` again
  /// with `silent` false.
  case interactionRequired = 4
  case userCancelled = 5
}
