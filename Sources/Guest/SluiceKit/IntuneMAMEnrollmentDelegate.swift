/// The receiver of the service's answers about accounts (`IntuneMAMEnrollmentDelegate`). Defaults do nothing.
public protocol IntuneMAMEnrollmentDelegate: AnyObject {
  /// An account was enrolled, or could not be.
  func enrollmentRequest(with status: IntuneMAMEnrollmentStatus)

  /// The policies of an enrolled account were asked for.
  func policyRequest(with status: IntuneMAMEnrollmentStatus)

  /// An account was unenrolled, or could not be.
  func unenrollRequest(with status: IntuneMAMEnrollmentStatus)
}

extension IntuneMAMEnrollmentDelegate {
  public func enrollmentRequest(with status: IntuneMAMEnrollmentStatus) {}
  public func policyRequest(with status: IntuneMAMEnrollmentStatus) {}
  public func unenrollRequest(with status: IntuneMAMEnrollmentStatus) {}
}
