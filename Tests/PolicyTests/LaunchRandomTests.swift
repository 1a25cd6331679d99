import Model
import TestSupport
import Testing

@testable import Policy

/// Compares the engine with ``NaiveLaunch``, and tests invariants of every launch.
struct LaunchRandomTests {
  /// The number of launches in the comparison.
  static let count = 30_000 * thoroughness

  @Test func `the engine and the naive evaluator agree on random launch requests`() {
    var source = LaunchRequestSource(seed: 1)
    var actions: [LaunchAction: Int] = [:]
    var rules: Set<Rule> = []
    for number in 0..<Self.count {
      let request = source.request()
      let verdict = evaluateLaunch(request)
      var access = request.access
      access.apply(verdict, at: request.now)
      let naive = NaiveLaunch(request)
      actions[verdict.launchAction, default: 0] += 1
      rules.formUnion(verdict.rules)
      guard LaunchAction.allCases[naive.action] == verdict.launchAction, naive.access == access
      else {
        Issue.record("launch \(number): \(verdict.words), naive \(naive), engine \(access)")
        return
      }
    }
    for action in LaunchAction.allCases { #expect(actions[action] ?? 0 > Self.count / 40) }
    #expect(Self.launchRules.subtracting(rules).isEmpty)
  }

  /// All rules that can be reasons at a launch.
  static let launchRules: Set<Rule> = {
    let first = Rule.allCases.firstIndex(of: .noAccessRequirement) ?? 0
    let last = Rule.allCases.firstIndex(of: .credentialsAsked) ?? 0
    return Set(Rule.allCases[first...last])
  }()

  @Test func `the engine and the naive evaluator agree on random PINs`() {
    var source = LaunchRequestSource(seed: 2)
    let alphabet = Array("0123457abcdyzABC!* ").map(String.init)
    var accepted = 0
    for _ in 0..<(Self.count / 5) {
      let settings = source.policy().settings
      let length = source.pick([0, 1, 2, 3, 4, 5, 6])
      let pin =
        source.flag()
        ? source.pin().text : (0..<length).map { _ in source.pick(alphabet) }.joined()
      let previous = [source.pin(), source.pin(), source.pin()]
      let verdict = PINRules.verdict(on: PIN(pin), settings, previous: previous)
      let naive = NaiveLaunch.accepts(pin, settings, previous: previous.map(\.text))
      if naive { accepted += 1 }
      guard naive == (verdict.outcome == .allowed) else {
        Issue.record("`\(pin)`: \(verdict.words), naive \(naive)")
        return
      }
    }
    #expect(accepted > Self.count / 50)
  }

  @Test func `the deciding launch reason has the strictest action`() {
    var source = LaunchRequestSource(seed: 3)
    for _ in 0..<5_000 * thoroughness {
      let verdict = evaluateLaunch(source.request())
      let actions = verdict.rules.map(\.launchAction)
      let isOrdered =
        actions == actions.sorted(by: >)
        && verdict.deciding.rule.launchAction == verdict.launchAction
        && (verdict.outcome == .allowed) == (verdict.launchAction < .block)
      if !isOrdered { Issue.record("\(verdict.words)") }
    }
  }

  @Test func `an unmanaged account can always launch`() {
    var source = LaunchRequestSource(seed: 4)
    for _ in 0..<5_000 {
      let request = LaunchFixtures.with(source.request()) { $0.policy = nil }
      #expect(evaluateLaunch(request).rules == [.noRuleApplied])
    }
  }

  /// Edits that make a policy at least as strict.
  static let tightenings: [@Sendable (inout Settings) -> Void] =
    [
      { $0.minimumPinLength += 1 }, { $0.maximumPinRetries = 1 }, { $0.periodBeforePinReset = 60 },
      { $0.pinRequiredInsteadOfBiometricTimeout = 60 }, { $0.periodOnlineBeforeAccessCheck = 0 },
      { $0.periodOfflineBeforeAccessCheck = 1 }, { $0.periodOfflineBeforeWipeIsEnforced = 1 },
      { $0.appActionIfUnableToAuthenticateUser = .wipe },
      { $0.appActionIfAccountIsClockedOut = .block }, { $0.minimumWipeOsVersion = Version(99) },
      { $0.maximumAllowedDeviceThreatLevel = .secured }, { $0.allowedIosDeviceModels = [] },
    ] + flags

  /// The stricter value of each flag.
  private static let flags: [@Sendable (inout Settings) -> Void] = Setting.ofPolicies.compactMap {
    guard $0.page != .dataProtection, case .flag(let path, let strictest) = $0.domain else {
      return nil
    }
    return { $0[keyPath: path] = strictest }
  }

  @Test func `a launch that a policy blocks is also blocked by a stricter policy`() {
    var source = LaunchRequestSource(seed: 5)
    for _ in 0..<500 * thoroughness {
      let request = source.request()
      guard let policy = request.policy else { continue }
      let before = evaluateLaunch(request).outcome
      for (number, tighten) in Self.tightenings.enumerated() {
        var settings = policy.settings
        tighten(&settings)
        var tightened = request
        tightened.policy = EffectivePolicy(settings: settings)
        let after = evaluateLaunch(tightened)
        if after.outcome > before { Issue.record("tightening \(number): \(after.words)") }
      }
    }
  }

  @Test func `random PIN attempts never unlock an account without its PIN`() {
    var source = LaunchRequestSource(seed: 6)
    for _ in 0..<300 {
      let maximum = source.pick([1, 3, 5])
      let policy = Fixtures.policy {
        $0.pinRequired = true
        $0.maximumPinRetries = maximum
      }
      var access = AccessState(current: .init(PIN("secret"), setAt: 0))
      for attempt in 1...(maximum + 2) {
        var request = LaunchFixtures.request(
          offering: AccessOffer(.pin(source.pin())), access: access)
        request.policy = policy
        let verdict = evaluateLaunch(request)
        #expect(verdict.outcome == .blocked)
        access.apply(verdict, at: request.now)
        #expect(access.isResetRequired == (attempt >= maximum))
      }
    }
  }

  @Test func `a launch with extreme numbers has a verdict`() {
    let request = LaunchRequest(
      policy: Fixtures.policy {
        $0.pinRequired = true
        $0.organizationalCredentialsRequired = true
        $0.periodBeforePinReset = .max
        $0.periodOnlineBeforeAccessCheck = .max
        $0.periodOfflineBeforeWipeIsEnforced = .max
        $0.periodOfflineBeforeAccessCheck = .max
      },
      device: DevicePosture(osVersion: Version(.max), isOnline: false),
      app: AppState(bundleID: "app"), account: AccountConditions(lastCheckIn: .min),
      access: AccessState(
        current: .init(PIN("1379"), setAt: .min), lastUnlock: .min, lastSignIn: .min), now: .max)
    let verdict = evaluateLaunch(request)
    #expect(verdict.launchAction == .wipe)
    #expect(
      Explainer.explain(request, verdict).reasons.map(\.rule) == verdict.reasons.map(\.rule))
  }
}
