internal import AppProcess
public import Foundation

/// Receives the service's answers about accounts. All methods are optional.
///
/// Methods are called on a background thread, in the order of the answers. The headers specify no
/// thread.
public protocol IntuneMAMEnrollmentDelegate: NSObjectProtocol {
  /// Reports the result of an enrollment.
  func enrollmentRequest(with status: IntuneMAMEnrollmentStatus)

  /// Reports the result of a policy request.
  func policyRequest(with status: IntuneMAMEnrollmentStatus)

  /// Reports the result of an unenrollment.
  func unenrollRequest(with status: IntuneMAMEnrollmentStatus)

  /// Asks for a token for the Intune service. This method is never called, because the device
  /// already has such tokens. If the app does not implement the method, Microsoft's SDK gets the
  /// token itself.
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
