public import Model
internal import Wire

/// What came of an enrollment, policy or unenrollment request (`IntuneMAMEnrollmentStatus`).
public struct IntuneMAMEnrollmentStatus: Sendable, Equatable {
  /// The UPN of the account; `""` where none was named.
  public var identity: String
  /// Its Entra object id; `""` where it has none.
  public var accountId: String
  public var statusCode: IntuneMAMEnrollmentStatusCode

  public var didSucceed: Bool { statusCode.isSuccess }

  /// nil for a status that this version does not know.
  init?(_ notice: EnrollmentNotice) {
    guard let code = IntuneMAMEnrollmentStatusCode(rawValue: notice.status) else { return nil }
    identity = notice.account
    accountId = notice.objectID
    statusCode = code
  }
}

/// The codes with the SDK's names and numbers.
public typealias IntuneMAMEnrollmentStatusCode = EnrollmentStatus
