internal import Enrollment

/// An app's call of the SDK's enrollment, by the name that telemetry gives it.
enum EnrollmentCall: String {
  case registerAndEnroll, loginAndEnroll, deRegisterAndUnenroll

  /// As what the app's delegate hears the answer.
  var kind: AccountEnrollment.Notice.Kind {
    switch self {
    case .registerAndEnroll, .loginAndEnroll: .enrollment
    case .deRegisterAndUnenroll: .unenrollment
    }
  }
}
