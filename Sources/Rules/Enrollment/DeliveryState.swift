public import Model

/// The state of the delivery of policies to a user in an app, as far as the service's last answer tells.
///
/// Sources: Microsoft Learn, "Understand app protection policy delivery timing"; Intune App SDK for iOS,
/// `IntuneMAMEnrollmentManager.h`, which says 24 hours, for the states that Learn does not name.
public enum DeliveryState: String, Sendable, CaseIterable {
  case tenantNotOnboarded, userNotLicensed
  /// No policy is assigned to the user, or no assigned policy names the app.
  case userNotTargeted
  case registered
  /// No answer came.
  case networkFailure
  case otherFailure

  /// The number of seconds after which the SDK asks again.
  public struct Interval: Sendable, Equatable {
    public var first: Int
    /// The longest interval. Each interval is twice as long as the one before, up to this.
    public var longest: Int

    init(_ first: Int, upTo longest: Int? = nil) {
      self.first = first
      self.longest = longest ?? first
    }

    /// The interval in seconds.
    ///
    /// - Parameter failures: The number of consecutive requests without an answer so far.
    public func seconds(after failures: Int) -> Int {
      var seconds = first
      var left = failures
      while left > 0, seconds < longest {
        seconds *= 2
        left -= 1
      }
      return min(seconds, longest)
    }
  }

  public var interval: Interval {
    switch self {
    case .tenantNotOnboarded: Interval(24 * 3600)
    case .userNotLicensed, .userNotTargeted: Interval(12 * 3600)
    // "Typically", by the service's load.
    case .registered: Interval(30 * 60)
    // That it begins with a minute and doubles is assumed (`docs/ASSUMPTIONS.md`, enrollment).
    case .networkFailure: Interval(60, upTo: 3600)
    case .otherFailure: Interval(24 * 3600)
    }
  }

  /// The number of seconds after which the service forgets an account in an app that has not asked.
  public static let memory = 90 * 86_400

  /// The state that follows from the service's answer.
  public init(after status: EnrollmentStatus) {
    self =
      switch status {
      case .mamServiceDisabled: .tenantNotOnboarded
      case .accountNotLicensed: .userNotLicensed
      case .licensedNotTargeted: .userNotTargeted
      case .enrollmentEndPointNetworkFailure, .policyEndPointNetworkFailure, .timeout:
        .networkFailure
      case .newPoliciesReceived, .policiesHaveNotChanged, .wipeReceived, .noPolicyReceived,
        .unenrollmentSuccess:
        .registered
      // Failures by the account
      case .authRequired, .nilAccount, .alreadyEnrolled, .notEmmAccount, .mdmEnrolledDifferentUser,
        .notDeviceAccount, .appNotEnrolled, .notEnrolledAccount, .switchExistingAccount,
        .loginCanceled, .reEnrollForUnenrolledUser, .singleManagedAccountMode:
        .otherFailure
      // Failures of the SDK, the service or the device
      case .internalError, .locationServiceFailure, .parsingFailure, .failedToClearMamData,
        .adalInternalError, .policyRecordGone, .tenantMigration, .unsupportedAPI,
        .adalMethodUnsupported, .deviceBlockedEnrollment:
        .otherFailure
      }
  }
}
