/// Hears what the service says of accounts (`IntuneMAMEnrollmentDelegate`). Every call has a default that does nothing.
public protocol IntuneMAMEnrollmentDelegate: AnyObject {
  /// An account was enrolled, or could not be.
  func enrollmentRequest(with status: IntuneMAMEnrollmentStatus)

  /// An enrolled account's policies were asked for.
  func policyRequest(with status: IntuneMAMEnrollmentStatus)

  /// An account was unenrolled, or could not be.
  func unenrollRequest(with status: IntuneMAMEnrollmentStatus)
}

extension IntuneMAMEnrollmentDelegate {
  public func enrollmentRequest(with status: IntuneMAMEnrollmentStatus) {}
  public func policyRequest(with status: IntuneMAMEnrollmentStatus) {}
  public func unenrollRequest(with status: IntuneMAMEnrollmentStatus) {}
}
