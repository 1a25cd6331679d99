public import Model

extension ComplianceStatus {
  /// The compliance status that follows from the SDK's answer: an account that no app protection policy protects in the
  /// app is not compliant, even where the service has enrolled it for an app configuration.
  public init(_ status: EnrollmentStatus, isProtected: Bool) {
    let compliance = ComplianceStatus(status)
    self = compliance == .compliant && !isProtected ? .notCompliant : compliance
  }

  /// The compliance status that follows from the SDK's answer to an enrollment or policy request.
  ///
  /// The mapping is assumed (`docs/ASSUMPTIONS.md`, enrollment); the SDK's headers only document the meaning of
  /// each status.
  public init(_ status: EnrollmentStatus) {
    switch status {
    case .newPoliciesReceived, .policiesHaveNotChanged, .alreadyEnrolled: self = .compliant
    case .authRequired: self = .interactionRequired
    case .loginCanceled: self = .userCancelled
    case .locationServiceFailure, .enrollmentEndPointNetworkFailure, .policyEndPointNetworkFailure,
      .timeout:
      self = .networkFailure
    case .internalError, .mamServiceDisabled, .parsingFailure, .failedToClearMamData,
      .adalInternalError, .switchExistingAccount, .policyRecordGone, .tenantMigration,
      .adalMethodUnsupported:
      self = .serviceFailure
    case .wipeReceived, .noPolicyReceived, .unenrollmentSuccess, .accountNotLicensed, .nilAccount,
      .notEmmAccount, .mdmEnrolledDifferentUser, .notDeviceAccount, .appNotEnrolled,
      .notEnrolledAccount, .reEnrollForUnenrolledUser, .unsupportedAPI, .licensedNotTargeted,
      .deviceBlockedEnrollment, .singleManagedAccountMode:
      self = .notCompliant
    }
  }
}
