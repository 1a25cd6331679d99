public import Foundation
internal import SluiceKit

/// The result of an enrollment, policy or unenrollment request.
open class IntuneMAMEnrollmentStatus: NSObject, @unchecked Sendable {
  /// The UPN of the account; empty if the request was made without an account.
  open var identity: String
  /// The Entra object id of the account; empty if it has none.
  open var accountId: String
  open var didSucceed: Bool
  open var statusCode: IntuneMAMEnrollmentStatusCode
  /// An error message for developers; nil on success.
  open var errorString: String?
  open var error: (any Error)?

  init(_ status: SluiceKit.IntuneMAMEnrollmentStatus) {
    identity = status.identity
    accountId = status.accountId
    didSucceed = status.didSucceed
    statusCode =
      IntuneMAMEnrollmentStatusCode(rawValue: UInt(status.statusCode.rawValue)) ?? .internalError
    guard !status.didSucceed else { return }
    errorString = status.statusCode.name
    error = NSError(
      domain: "IntuneMAMEnrollmentErrorDomain", code: status.statusCode.rawValue,
      userInfo: [NSLocalizedDescriptionKey: status.statusCode.name])
  }
}

/// The status codes of enrollment, policy and unenrollment requests.
public enum IntuneMAMEnrollmentStatusCode: UInt, Sendable, CaseIterable {
  case newPoliciesReceived = 100
  case policiesHaveNotChanged = 101
  case wipeReceived = 102
  case noPolicyReceived = 103
  case unenrollmentSuccess = 104

  case accountNotLicensed = 200
  case internalError = 201
  case mamServiceDisabled = 202
  case authRequired = 203
  case locationServiceFailure = 204
  case enrollmentEndPointNetworkFailure = 205
  case parsingFailure = 206
  case nilAccount = 207
  case alreadyEnrolled = 208
  /// The MDM service names another account. As with `mdmEnrolledDifferentUser` and
  /// `notDeviceAccount`, the app should remove the account.
  case notEmmAccount = 209
  case mdmEnrolledDifferentUser = 210
  case notDeviceAccount = 211
  case policyEndPointNetworkFailure = 212
  case appNotEnrolled = 213
  case notEnrolledAccount = 214
  case failedToClearMamData = 215
  case timeout = 216
  case adalInternalError = 217
  case switchExistingAccount = 218
  case loginCanceled = 219
  case policyRecordGone = 220
  case reEnrollForUnenrolledUser = 221
  case tenantMigration = 222
  case unsupportedAPI = 223
  case adalMethodUnsupported = 224
  case licensedNotTargeted = 225
  case deviceBlockedEnrollment = 226
  case singleManagedAccountMode = 227
}
