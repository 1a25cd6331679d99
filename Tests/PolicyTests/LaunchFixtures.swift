import Model
import Policy

/// The launches that the tests speak of.
enum LaunchFixtures {
  static let now = 10_000_000
  static let minute = 60
  static let day = 86400

  /// A launch to which nothing but `edit` of the policy could object.
  static func request(
    offering offer: AccessOffer = AccessOffer(), access: AccessState = AccessState(),
    _ edit: (inout Settings) -> Void = { _ in }
  ) -> LaunchRequest {
    LaunchRequest(
      policy: Fixtures.policy(edit), device: DevicePosture(osVersion: Version(17, 2)),
      app: AppState(bundleID: "app", sdkVersion: Version(20, 3)), appVersion: Version(4, 1),
      account: AccountConditions(lastCheckIn: now), access: access, offer: offer, now: now)
  }

  /// A PIN that was set and used `ago` seconds ago.
  static func access(
    _ pin: String = "1379", ago: Int = 10 * day, failedAttempts: Int = 0
  ) -> AccessState {
    AccessState(
      current: .init(PIN(pin), setAt: now - ago), failedAttempts: failedAttempts,
      lastUnlock: now - ago, lastSignIn: now - ago)
  }

  /// Other device, app or account.
  static func with(
    _ request: LaunchRequest, _ edit: (inout LaunchRequest) -> Void
  ) -> LaunchRequest {
    var request = request
    edit(&request)
    return request
  }
}

extension Verdict {
  /// The rules, in order.
  var rules: [Rule] { reasons.map(\.rule) }
}
