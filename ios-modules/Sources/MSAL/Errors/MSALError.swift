/// The error codes that apps can handle.
///
/// Source: MSAL for iOS, `MSALError.h`.
public enum MSALError: Int, Sendable {
  /// An error that apps cannot handle. The value of `MSALInternalErrorCodeKey` in its user info
  /// states the details.
  case `internal` = -50000
  case workplaceJoinRequired = -50001
  /// The user must sign in.
  case interactionRequired = -50002
  case serverDeclinedScopes = -50003
  /// Conditional access requires app protection. The app should remediate the account in
  /// `MSALHomeAccountIdKey`.
  case serverProtectionPoliciesRequired = -50004
  case userCanceled = -50005
  case serverError = -50006
  case insufficientDeviceStrength = -50007
  case mdmEnrollmentCompletedNeedsRetry = -50008
  case serverInvalidRequestResetPasswordRequired = -50142
}
