import Model
import PolicySupport
import TestSupport
import Testing

@testable import Policy

/// Tests launches in words, and the policy changes that would reverse the answer.
struct LaunchExplainerTests {
  typealias F = LaunchFixtures

  static func explain(_ request: LaunchRequest) -> ExplainedVerdict {
    Explainer.explain(request, evaluateLaunch(request))
  }

  static func line(_ setting: Setting) -> String {
    "p.json:\(setting.line)"
  }

  @Test func `a launch reason has its setting, label and text`() {
    let explained = Self.explain(F.request { $0.minimumRequiredOsVersion = Version(18) })
    #expect(explained.outcome == .blocked)
    #expect(explained.deciding == .minimumOSVersionBlocks)
    #expect(explained.reasons.map(\.setting) == ["minimumRequiredOsVersion"])
    #expect(explained.reasons.map(\.label) == ["Min OS version"])
    #expect(
      explained.reasons.map(\.text) == [
        "the device's system is older than the account's policy requires, which blocks the account"
      ])
    #expect(
      explained.changes == [
        "`Min OS version` (Block access) = `17.2` in \(Self.line(.minimumRequiredOsVersion)) "
          + "would allow it"
      ])
  }

  @Test func `if two conditions block a launch, the proposed change covers both`() {
    let request = F.with(
      F.request {
        $0.deviceComplianceRequired = true
        $0.pinRequired = true
      }
    ) { $0.device.isJailbroken = true }
    #expect(
      Self.explain(request).changes == [
        "`Jailbroken/rooted devices` = `not configured` in "
          + "\(Self.line(.deviceComplianceRequired)) and `PIN for access` = `Not required` in "
          + "\(Self.line(.pinRequired)) would allow it"
      ])
  }

  @Test
  func `to allow a launch blocked for a missing device PIN, an encryption change is proposed`() {
    let explained = Self.explain(F.request { $0.appDataEncryptionType = .afterDeviceRestart })
    #expect(explained.deciding == .devicePINMissing)
    #expect(explained.reasons.map(\.label) == ["Encrypt Org data"])
    #expect(
      explained.changes == [
        "`Encrypt Org data` = `Use device settings` in \(Self.line(.appDataEncryptionType)) "
          + "would allow it"
      ])
  }

  @Test func `a proposed change that allows a launch with a warning mentions the warning`() {
    let request = F.request {
      $0.minimumWarningOsVersion = Version(18)
      $0.minimumRequiredOsVersion = Version(17, 3)
    }
    #expect(
      Self.explain(request).changes == [
        "`Min OS version` (Block access) = `17.2` in \(Self.line(.minimumRequiredOsVersion)) "
          + "would allow it with a warning"
      ])
  }

  @Test func `a proposed offline grace period is in the admin centre's unit`() {
    let request = F.with(
      F.request { $0.periodOfflineBeforeAccessCheck = 720 * F.minute }
    ) {
      $0.device.isOnline = false
      $0.account.lastCheckIn = F.now - 725 * F.minute
    }
    #expect(
      Self.explain(request).changes == [
        "`Offline grace period` (Block access) = `726 minutes` in "
          + "\(Self.line(.periodOfflineBeforeAccessCheck)) would allow it"
      ])
  }

  @Test func `the verdict on an allowed launch proposes the change that would block it`() {
    #expect(
      Self.explain(F.request()).changes == [
        "`Min SDK version` (Block access) = `21.0` in \(Self.line(.minimumRequiredSdkVersion)) "
          + "would block it",
        "`Min app version` (Block access) = `5.0` in \(Self.line(.minimumRequiredAppVersion)) "
          + "would block it",
        "`Min OS version` (Block access) = `18.0` in \(Self.line(.minimumRequiredOsVersion)) "
          + "would block it",
        "`Max OS version` (Block access) = `17.0` in \(Self.line(.maximumRequiredOsVersion)) "
          + "would block it",
      ])
  }

  @Test func `without a policy, no change is proposed`() {
    #expect(Self.explain(F.with(F.request()) { $0.policy = nil }).changes.isEmpty)
  }

  @Test func `the explanation for a rejected PIN does not contain the PIN`() {
    let change = PINChange(
      policy: Fixtures.policy { $0.simplePinBlocked = true }, pin: PIN("1234"), hasSignedIn: true,
      access: AccessState())
    let explained = Explainer.explain(change, evaluatePINChange(change))
    #expect(explained.deciding == .pinSimple)
    #expect(explained.reasons.map(\.label) == ["Simple PIN"])
    #expect(!"\(explained)".contains("1234"))
  }

  // MARK: Verified explanations

  @Test func `each change proposed for a launch reverses its verdict, and no part of it does`() {
    var source = LaunchRequestSource(seed: 7)
    var turned: [Outcome: Int] = [:]
    for _ in 0..<800 * thoroughness {
      let request = source.request()
      guard let policy = request.policy else { continue }
      func isAllowed(with counterfactuals: [LaunchCounterfactual]) -> Bool {
        var settings = policy.settings
        for counterfactual in counterfactuals { counterfactual.apply(&settings) }
        let changed = F.with(request) { $0.policy = EffectivePolicy(settings: settings) }
        return NaiveLaunch(changed).action < 2
      }
      let outcome = evaluateLaunch(request).outcome
      let before = isAllowed(with: [])
      for change in LaunchCounterfactuals.changes(for: request, outcome: outcome) {
        #expect(isAllowed(with: change.counterfactuals) != before)
        #expect(change.counterfactuals.count == 1 || change.counterfactuals.count == 2)
        if change.counterfactuals.count == 2 {
          for counterfactual in change.counterfactuals {
            #expect(isAllowed(with: [counterfactual]) == before)
          }
        }
        turned[outcome, default: 0] += 1
      }
    }
    #expect(turned[.allowed] ?? 0 > 130)
    #expect(turned[.blocked] ?? 0 > 130)
  }

  @Test func `an explanation of a launch proposes a limited number of distinct changes`() {
    var source = LaunchRequestSource(seed: 8)
    for _ in 0..<300 * thoroughness {
      let changes = Self.explain(source.request()).changes
      #expect(changes.count <= Counterfactuals.maximum)
      #expect(Set(changes).count == changes.count, "\(changes)")
    }
  }

  @Test func `if a single condition with a prompt blocks a launch, a change is proposed`() {
    var source = LaunchRequestSource(seed: 10)
    for _ in 0..<800 * thoroughness {
      let request = source.request()
      let verdict = evaluateLaunch(request)
      let stopping = verdict.reasons.filter { $0.rule.launchAction >= .block }
      guard stopping.count == 1, stopping[0].rule.launchPrompt != nil else { continue }
      let changes = LaunchCounterfactuals.changes(for: request, outcome: verdict.outcome)
      #expect(!changes.isEmpty, "\(verdict.words)")
    }
  }
}
