@testable import Analysis
import Encodings
import Foundation
import GraphDocuments
import Model
import Policy
import TestSupport
import Testing

@Suite struct PolicyComparisonTests {
  /// The number of random pairs of policies for each law.
  private let draws = 40

  @Test func `a policy compared with itself has no differences`() {
    let policy = Samples.policy("a", Samples.common)
    let comparison = PolicyComparison(policy, policy)
    #expect(comparison.isSameBehaviour)
    #expect(comparison.inert.isEmpty && comparison.balanced.isEmpty)
    #expect(comparison.requirements.isEmpty)
  }

  @Test func `a policy comparison matches the golden file`() throws {
    let old = Samples.policy("old", Samples.common)
    let new = Samples.policy("new", Samples.revised)
    let comparison = PolicyComparison(old, new)
    try checkGolden(
      comparison.text(old: "old.json", new: "new.json"), "Tests/AnalysisTests/Golden/diff.txt")
    try checkGolden(
      comparison.json(old: "old.json", new: "new.json"), "Tests/AnalysisTests/Golden/diff.json")
    _ = try JSONReader.read(comparison.json(old: "old.json", new: "new.json"))
  }

  @Test func `the witness of a changed paste limit has a length between the old and new limits`()
    throws
  {
    let old = Samples.policy("old") {
      $0.allowedOutboundClipboardSharingLevel = .blocked
      $0.allowedOutboundClipboardSharingExceptionLength = 5
    }
    let new = Samples.policy("new") {
      $0.allowedOutboundClipboardSharingLevel = .blocked
      $0.allowedOutboundClipboardSharingExceptionLength = 7
    }
    let flows = PolicyComparison(old, new).flows
    #expect(!flows.isEmpty)
    #expect(flows.allSatisfy { $0.scene.subject == .text(6) && $0.change == .becomesPossible })
  }

  @Test
  func `a comparison lists differences that occur only with an old SDK under separate headings`() {
    var filtered = Settings()
    filtered.allowedOutboundDataTransferDestinations = .managedApps
    filtered.filterOpenInToOnlyManagedApps = true
    let comparison = PolicyComparison(
      EffectivePolicy(settings: Settings()), EffectivePolicy(settings: filtered))
    let titles = comparison.headings.map(\.title)
    #expect(
      titles == [
        "Become impossible",
        // Calls and messages, which newer SDKs allow.
        "Become impossible, but only in apps with SDK 7.0 or earlier",
        "Become encrypted, but only in apps with SDK 7.0 or earlier",
      ])
    #expect(comparison.headings.reduce(0) { $0 + $1.flows.count } == comparison.flows.count)
    // As in a matrix, the flow is blocked with the newest SDK.
    for flow in comparison.flows where flow.change == .becomesEncrypted {
      var scene = flow.scene
      scene.sdkVersion = nil
      let request = scene.request(under: EffectivePolicy(settings: filtered))
      #expect(evaluate(request).outcome == .blocked)
    }
  }

  @Test func `URLs whose verdict differs only with an old SDK are listed separately`() throws {
    var strict = Settings()
    strict.allowedOutboundDataTransferDestinations = .managedApps
    let policies = (EffectivePolicy(settings: strict), EffectivePolicy(settings: Settings()))
    let comparison = PolicyComparison(policies.0, policies.1)
    let flows = comparison.flows.filter {
      $0.channel == .openURL && $0.parties == Parties(.managed, to: .unmanaged)
    }
    // The newest SDK has settings for phone numbers and messages, which both policies leave at `Any app`.
    let ownSettings: Set<String> = [
      "tel:+15550100", "telprompt:+15550100", "sms:+15550100", "imessage:bob@example.org",
    ]
    let newest = try #require(flows.first { $0.scene.sdkVersion == nil })
    #expect(newest.subjects.contains("acme://open"))
    #expect(ownSettings.isDisjoint(with: newest.subjects))
    let old = try #require(flows.first { $0.scene.sdkVersion != nil })
    #expect(old.change == .becomesPossible)
    #expect(Set(old.subjects) == ownSettings)
    for flow in flows {
      for subject in flow.subjects {
        var scene = flow.scene
        scene.subject = .url(subject)
        scene.sdkVersion = nil
        let outcomes = [policies.0, policies.1].map {
          evaluate(scene.request(under: $0)).outcome
        }
        #expect((outcomes[0] != outcomes[1]) == (flow.scene.sdkVersion == nil), "\(subject)")
      }
    }
    #expect(flows.count == 2)
    #expect(
      comparison.headings.map(\.title).contains(
        "Become possible, but only in apps with SDK 7.0 or earlier"))
  }

  @Test
  func
    `a comparison lists differences that occur only on enrolled devices under their own heading`()
  {
    var shared = Settings()
    shared.allowedOutboundDataTransferDestinations = .managedApps
    var system = shared
    system.disableProtectionOfManagedOutboundOpenInData = true
    let comparison = PolicyComparison(
      EffectivePolicy(settings: shared), EffectivePolicy(settings: system))
    #expect(!comparison.flows.isEmpty)
    #expect(comparison.flows.allSatisfy { $0.requiredDevice != nil })
    #expect(
      comparison.headings.map(\.title).allSatisfy {
        $0.hasSuffix("on devices that are enrolled in MDM")
          || $0.hasSuffix("on devices on which MDM restricts opening documents")
      })
    for flow in comparison.flows {
      var scene = flow.scene
      scene.device = .unenrolled
      let outcomes = [shared, system].map {
        evaluate(scene.request(under: EffectivePolicy(settings: $0))).outcome
      }
      #expect(outcomes[0] == outcomes[1])
    }
    #expect(comparison.json(old: "a", new: "b").contains(#""onlyOn":"enrolled""#))
  }

  @Test(
    arguments: [
      (["com.fabrikam.notes", "com.fabrikam.chat"], ["com.fabrikam.chat", "com.fabrikam.notes"]),
      (
        ["com.apple.pages", "com.microsoft.skype.teams", "com.microsoft.office.outlook"],
        ["com.microsoft.office.outlook", "com.microsoft.skype.teams"]
      ),
      (["com.fabrikam.chat"], ["com.fabrikam.chat", "com.contoso.notes"]),
      (["com.contoso.notes"], ["com.contoso.notes", "com.contoso.mail"]),
      (
        ["*", "com.microsoft.*", "com.microsoft.msedge"], ["com.contoso.mail", "com.contoso.notes"]
      ),
      ([], ["com.contoso.mail", "com.contoso.notes"]),
    ] as [([String], [String])])
  func `the witnesses of a comparison name apps that the policies target`(
    targeted: [String], named: [String]
  ) throws {
    var (old, new) = (Samples.document("old"), Samples.document("new"))
    new.settings.allowedOutboundDataTransferDestinations = .none
    (old.targeting, new.targeting) = (
      Targeting(bundleIDs: targeted), Targeting(bundleIDs: targeted)
    )
    let comparison = PolicyComparison(old, new)
    let share = try #require(
      comparison.flows.first { $0.channel == .share && $0.parties.to == .managed })
    #expect(share.old.request.sender.app.bundleID == named[0])
    #expect(share.old.request.receiver.app.bundleID == named[1])
    #expect(share.new.outcome == evaluate(share.new.request).outcome)
    #expect(comparison.text(old: "a", new: "b").contains("for example \(named[0]) ("))
    // The apps do not change what differs.
    let plain = PolicyComparison(
      EffectivePolicy(settings: old.settings), EffectivePolicy(settings: new.settings))
    #expect(comparison.flows.map(\.scene) == plain.flows.map(\.scene))
    #expect(comparison.flows.map(\.new.outcome) == plain.flows.map(\.new.outcome))
  }

  @Test func `a comparison's headline counts the kinds of flows that change`() {
    func headline(_ edit: (inout Settings) -> Void) -> String {
      PolicyComparison(Samples.policy("old"), Samples.policy("new", edit)).headline
    }
    #expect(headline { _ in } == "The policies decide all flows in the same way.")
    #expect(
      headline { $0.printBlocked = true }
        == "1 kind of flows becomes impossible. Nothing becomes possible.")
  }

  @Test func `transfer settings without effect are reported separately from access requirements`() {
    let old = Samples.policy("old")
    let new = Samples.policy("new") {
      $0.allowedDataStorageLocations = [.box]
      $0.filterOpenInToOnlyManagedApps = true
      $0.minimumPinLength = 8
    }
    let comparison = PolicyComparison(old, new)
    #expect(comparison.isSameBehaviour)
    #expect(
      comparison.inert.map(\.settings) == [
        [.filterOpenInToOnlyManagedApps], [.allowedDataStorageLocations],
      ])
    #expect(comparison.requirements.map(\.settings) == [[.minimumPinLength]])
  }

  /// Send is restricted, and an exemption still permits a scheme.
  @Test func `an exemption that keeps a URL scheme allowed counts as a setting with effect`() throws
  {
    let old = Samples.policy("old")
    let new = Samples.policy("new") {
      $0.allowedOutboundDataTransferDestinations = .managedApps
      $0.exemptedAppProtocols = ["zoomus"]
    }
    let comparison = PolicyComparison(old, new)
    #expect(comparison.inert.isEmpty)
    let balanced = try #require(comparison.balanced.first)
    #expect(comparison.balanced.count == 1)
    #expect(balanced.setting.settings == [.exemptedAppProtocols])
    #expect(balanced.holder == .new)
    #expect(balanced.scene.subject == .url("zoomus://open"))
    #expect(balanced.with.outcome == .allowed && balanced.with.reason.rule == .exemptedScheme)
    #expect(balanced.without.outcome == .blocked)
    let back = PolicyComparison(new, old)
    #expect(back.balanced.map(\.holder) == [.old])
    let text = comparison.text(old: "old.json", new: "new.json")
    #expect(text.contains("B with the value of A blocked by unmanagedScheme"))
  }

  /// Returns a random policy, and a copy with a few changed values.
  private static func pair(
    _ generator: inout SeededGenerator
  ) -> (old: EffectivePolicy, new: EffectivePolicy) {
    let settings = Settings.random(&generator)
    return (
      EffectivePolicy(settings: settings), EffectivePolicy(settings: settings.varied(&generator))
    )
  }

  @Test func `settings that are reported as ineffective change no verdict of either policy`() {
    var generator = SeededGenerator(seed: 14)
    for _ in 0..<draws {
      let (old, new) = Self.pair(&generator)
      for difference in PolicyComparison(old, new).inert {
        for (policy, other) in [(old, new), (new, old)] {
          var settings = policy.settings
          for setting in difference.settings { settings.copy(setting, from: other.settings) }
          let turned = EffectivePolicy(settings: settings)
          for channel in Channel.allCases {
            for _ in 0..<20 {
              let request = RandomRequest(channel, &generator)
              let before = evaluate(request.under(policy)).outcome
              #expect(
                before == evaluate(request.under(turned)).outcome,
                "\(request.under(policy).decideLine), \(difference.settings)")
            }
          }
        }
      }
    }
  }

  @Test(arguments: [
    "http://*.appsplatform.us/*", "https://*/shop/*", "https://*-x.example.com/*",
    "*://example.com/*", "https://*.*.example.com/*",
  ])
  func `the witness of a difference between link exemptions is a URL with a valid host`(
    pattern: String
  ) throws {
    let old = Samples.policy("old") { $0.managedBrowser = .microsoftEdge }
    let new = Samples.policy("new") {
      $0.managedBrowser = .microsoftEdge
      $0.exemptedUniversalLinks = [LinkPattern(pattern)]
    }
    let subjects = PolicyComparison(old, new).flows.flatMap(\.subjects)
    #expect(!subjects.isEmpty)
    for subject in subjects {
      let host = try #require(URLComponents(string: subject)?.host)
      let labels = host.split(separator: ".", omittingEmptySubsequences: false)
      let isName = labels.allSatisfy { !$0.isEmpty && !$0.hasPrefix("-") && !$0.hasSuffix("-") }
      #expect(isName, "\(host)")
    }
  }

  @Test
  func
    `a change of the named dialer allows calls in the new dialer and blocks them in the old one`()
    throws
  {
    let policies = ["one", "two"].map { scheme in
      Samples.policy(scheme) {
        $0.dialerRestrictionLevel = .customApp
        $0.customDialerAppProtocol = scheme
      }
    }
    let flows = PolicyComparison(policies[0], policies[1]).flows
    #expect(flows.allSatisfy { $0.causes.map(\.label) == ["Dialer App URL Scheme"] })
    func subjects(_ change: FlowDifference.Change) -> Set<String> {
      Set(flows.filter { $0.change == change }.flatMap(\.subjects))
    }
    #expect(
      subjects(.becomesImpossible) == ["tel:+15550100 in one:", "telprompt:+15550100 in one:"])
    #expect(subjects(.becomesPossible) == ["tel:+15550100 in two:", "telprompt:+15550100 in two:"])
    #expect(subjects(.goesElsewhere) == [])
  }

  @Test func `an exempted link pattern causes a difference only for the links that match it`()
    throws
  {
    let old = Samples.policy("old") { $0.managedBrowser = .microsoftEdge }
    let new = Samples.policy("new") {
      $0.managedBrowser = .microsoftEdge
      $0.exemptedUniversalLinks = [LinkPattern("https://*.example.com/shop/*")]
    }
    let flows = PolicyComparison(old, new).flows
    #expect(flows.map(\.channel) == [.universalLink, .universalLink, .appClip])
    #expect(flows.allSatisfy { $0.change == .becomesPossible })
  }

  @Test func `a difference states both policies' verdicts on its witness`() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<draws {
      let (old, new) = Self.pair(&generator)
      for flow in PolicyComparison(old, new).flows {
        let before = evaluate(flow.scene.request(under: old))
        let after = evaluate(flow.scene.request(under: new))
        #expect(flow.old.outcome == before.outcome && flow.new.outcome == after.outcome)
        #expect(flow.old.reason.rule == before.deciding.rule)
        #expect(flow.new.reason.rule == after.deciding.rule)
        #expect(flow.change == .goesElsewhere || before.outcome != after.outcome)
        #expect(!flow.causes.isEmpty)
      }
    }
  }

  @Test func `comparing two policies in reverse order mirrors every difference`() {
    var generator = SeededGenerator(seed: 12)
    for _ in 0..<draws {
      let (old, new) = Self.pair(&generator)
      let there = PolicyComparison(old, new)
      let back = PolicyComparison(new, old)
      #expect(there.flows.map(\.scene) == back.flows.map(\.scene))
      #expect(there.flows.map(\.old.outcome) == back.flows.map(\.new.outcome))
      #expect(there.flows.map(\.new.outcome) == back.flows.map(\.old.outcome))
      #expect(there.inert.map(\.settings) == back.inert.map(\.settings))
      #expect(there.balanced.map(\.setting.settings) == back.balanced.map(\.setting.settings))
      #expect(there.requirements.map(\.settings) == back.requirements.map(\.settings))
    }
  }

  @Test func `a policy comparison lists every channel on which a random request's outcome changes`()
  {
    var generator = SeededGenerator(seed: 13)
    for _ in 0..<2 * draws {
      let (old, new) = Self.pair(&generator)
      let channels = Set(PolicyComparison(old, new).flows.map(\.channel))
      for channel in Channel.allCases where !channels.contains(channel) {
        for _ in 0..<60 {
          let request = RandomRequest(channel, &generator)
          let before = evaluate(request.under(old)).outcome
          let after = evaluate(request.under(new)).outcome
          #expect(
            before == after,
            "\(request.under(old).decideLine), \(old.settings.differences(from: new.settings))")
        }
      }
    }
  }
}
