public import Model

/// How policies get to a user in an app, as far as the service's last answer tells.
///
/// Sources: Microsoft Learn, "Understand app protection policy delivery timing"; Intune App SDK for iOS,
/// `IntuneMAMEnrollmentManager.h`, which says 24 hours, for what Learn does not name.
public enum DeliveryState: String, Sendable, CaseIterable {
  case tenantNotOnboarded, userNotLicensed
  /// No policy is assigned to the user, or none that is names the app.
  case userNotTargeted
  case registered
  /// Nobody answered.
  case networkFailure
  case otherFailure

  /// After how many seconds the SDK asks again.
  public struct Interval: Sendable, Equatable {
    public var first: Int
    /// Each interval is twice as long as the one before, up to this.
    public var longest: Int

    init(_ first: Int, upTo longest: Int? = nil) {
      self.first = first
      self.longest = longest ?? first
    }

    /// - Parameter failures: how often nobody has answered before, in a row.
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

  /// Seconds after which the service forgets an account in an app that has not asked.
  public static let memory = 90 * 86_400

  public init(after status: EnrollmentStatus) {
    self =
      switch status {
      case .mamServiceDisabled: .tenantNotOnboarded
      case .accountNotLicensed: .userNotLicensed
      case .licensedNotTargeted: .userNotTargeted
      case .enrollmentEndPointNetworkFailure, .policyEndPointNetworkFailure, .timeout:
        .networkFailure
      case _ where status.isSuccess: .registered
      default: .otherFailure
      }
  }
}
