internal import AppProcess
public import Foundation

/// The receiver of the service's answers about accounts. Each method may be left out.
///
/// Called on a background thread, in the order of the answers: the headers promise no thread.
public protocol IntuneMAMEnrollmentDelegate: NSObjectProtocol {
  /// An account was enrolled, or could not be.
  func enrollmentRequest(with status: IntuneMAMEnrollmentStatus)

  /// The policies of an account were asked for.
  func policyRequest(with status: IntuneMAMEnrollmentStatus)

  /// An account was unenrolled, or could not be.
  func unenrollRequest(with status: IntuneMAMEnrollmentStatus)

  /// The SDK needs a token for the service. Not called here: the device has the service's tokens itself, as the SDK has
  /// where the app leaves this out.
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

/// A token for the service, or the error in its place.
open class IntuneMAMEnrollmentToken: NSObject, @unchecked Sendable {
  open var accessToken: String?
  open var upn: String?
  open var oid: String?
  open var tenantId: String?
  open var correlationId: String?
  open var error: (any Error)?
}
