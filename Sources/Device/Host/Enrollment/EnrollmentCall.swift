internal import Enrollment

/// An app's call of the SDK's enrollment, by its name in telemetry.
enum EnrollmentCall: String {
  case registerAndEnroll, loginAndEnroll, deRegisterAndUnenroll

  /// The kind of notice by which the app's delegate hears the answer.
  var kind: AccountEnrollment.Notice.Kind {
    switch self {
    case .registerAndEnroll, .loginAndEnroll: .enrollment
    case .deRegisterAndUnenroll: .unenrollment
    }
  }
}
