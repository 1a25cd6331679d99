internal import AppProcess
public import Foundation

/// The receiver of the service's answers about accounts. All methods are optional.
///
/// Called on a background thread in the order of the answers; the headers specify no thread.
public protocol IntuneMAMEnrollmentDelegate: NSObjectProtocol {
  /// Reports the result of an enrollment.
  func enrollmentRequest(with status: IntuneMAMEnrollmentStatus)

  /// Reports the result of a policy request.
  func policyRequest(with status: IntuneMAMEnrollmentStatus)

  /// Reports the result of an unenrollment.
  func unenrollRequest(with status: IntuneMAMEnrollmentStatus)

  /// Asks for a token for the service. Never called here: the device has these tokens itself, like the SDK if
  /// the app does not implement this method.
  func getAccessToken(
    forAccountId oid: String, resource: String,
    completion: @escaping (IntuneMAMEnrollmentToken) -> Void)
}

extension IntuneMAMEnrollmentDelegate {
  public func enrollmentRequest(with status: IntuneMAMEnrollmentStatus) {
    Requirement.isMissing(in: self)
  }
  public func policyRequest(with status: IntuneMAMEnrollmentStatus) {
    Requirement.isMissing(in: self)
  }
  public func unenrollRequest(with status: IntuneMAMEnrollmentStatus) {
    Requirement.isMissing(in: self)
  }
  public func getAccessToken(
    forAccountId oid: String, resource: String,
    completion: @escaping (IntuneMAMEnrollmentToken) -> Void
  ) { Requirement.isMissing(in: self) }
}

/// A token for the service, or an error.
open class IntuneMAMEnrollmentToken: NSObject, @unchecked Sendable {
  open var accessToken: String?
  open var upn: String?
  open var oid: String?
  open var tenantId: String?
  open var correlationId: String?
  open var error: (any Error)?
}
