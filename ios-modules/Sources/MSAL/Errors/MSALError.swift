/// The codes of errors that an app handles.
///
/// Source: MSAL for iOS, `MSALError.h`.
public enum MSALError: Int, Sendable {
  /// What cannot be handled; `MSALInternalErrorCodeKey` of the error's user info says more.
  case `internal` = -50000
  case workplaceJoinRequired = -50001
  /// The user has to sign in.
  case interactionRequired = -50002
  case serverDeclinedScopes = -50003
  /// The app must be protected first: remediate the account in `MSALHomeAccountIdKey`.
  case serverProtectionPoliciesRequired = -50004
  case userCanceled = -50005
  case serverError = -50006
  case insufficientDeviceStrength = -50007
  case mdmEnrollmentCompletedNeedsRetry = -50008
  case serverInvalidRequestResetPasswordRequired = -50142
}
