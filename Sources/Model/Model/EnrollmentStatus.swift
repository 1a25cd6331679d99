/// The SDK's answer to an enrollment, a policy request or an unenrollment. Raw values are the SDK's numbers.
///
/// Source: Intune App SDK for iOS, `IntuneMAMEnrollmentStatusCode`.
public enum EnrollmentStatus: Int, Sendable, CaseIterable {
  case newPoliciesReceived = 100
  case policiesHaveNotChanged = 101
  /// A selective wipe was ordered, and has been carried out.
  case wipeReceived = 102
  /// The account is enrolled, and no policy is targeted at it.
  case noPolicyReceived = 103
  case unenrollmentSuccess = 104

  case accountNotLicensed = 200
  case internalError = 201
  case mamServiceDisabled = 202
  /// The account's credentials are needed, and the user may not be asked for them.
  case authRequired = 203
  case locationServiceFailure = 204
  case enrollmentEndPointNetworkFailure = 205
  case parsingFailure = 206
  case nilAccount = 207
  case alreadyEnrolled = 208
  /// A third-party MDM has named another account.
  case notEmmAccount = 209
  /// The device is enrolled in MDM under another account.
  case mdmEnrolledDifferentUser = 210
  /// The device belongs to another account.
  case notDeviceAccount = 211
  case policyEndPointNetworkFailure = 212
  /// No account is enrolled in the app.
  case appNotEnrolled = 213
  /// Another account is enrolled in the app.
  case notEnrolledAccount = 214
  case failedToClearMamData = 215
  case timeout = 216
  case adalInternalError = 217
  case switchExistingAccount = 218
  /// The user gave up on the login.
  case loginCanceled = 219
  case policyRecordGone = 220
  case reEnrollForUnenrolledUser = 221
  case tenantMigration = 222
  /// An extension asked.
  case unsupportedAPI = 223
  case adalMethodUnsupported = 224
  case licensedNotTargeted = 225
  case deviceBlockedEnrollment = 226
  case singleManagedAccountMode = 227

  /// The SDK's name for the status, such as `newPoliciesReceived`.
  public var name: String { "\(self)" }

  /// The status of that name; nil where none has it.
  public init?(name: String) {
    guard let status = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = status
  }

  /// Whether the status tells of a success: a number below 200.
  public var isSuccess: Bool { rawValue < 200 }
}
