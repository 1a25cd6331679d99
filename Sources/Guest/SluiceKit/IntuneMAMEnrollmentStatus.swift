public import Model
internal import Wire

/// The result of an enrollment, policy or unenrollment request (`IntuneMAMEnrollmentStatus`).
public struct IntuneMAMEnrollmentStatus: Sendable, Equatable {
  /// The UPN of the account; `""` where none was named.
  public var identity: String
  /// The Entra object id of the account; `""` where it has none.
  public var accountId: String
  public var statusCode: IntuneMAMEnrollmentStatusCode

  /// Whether the request succeeded.
  public var didSucceed: Bool { statusCode.isSuccess }

  /// Reads a notice; nil for a status that this version does not know.
  init?(_ notice: EnrollmentNotice) {
    guard let code = IntuneMAMEnrollmentStatusCode(rawValue: notice.status) else { return nil }
    identity = notice.account
    accountId = notice.objectID
    statusCode = code
  }
}

/// The codes with the SDK's names and numbers.
public typealias IntuneMAMEnrollmentStatusCode = EnrollmentStatus
