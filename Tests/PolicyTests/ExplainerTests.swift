import Model
import Policy
import Testing

struct ExplainerTests {
  static func policy(_ text: String, file: String) throws -> EffectivePolicy {
    EffectivePolicy.merging(try PolicyReader.read(Array(text.utf8), file: file))
  }

  static func explain(_ request: TransferRequest) -> ExplainedVerdict {
    Explainer.explain(request, evaluate(request))
  }

  static func strict() throws -> EffectivePolicy {
    try policy(
      """
      {"displayName": "Base", "appGroupType": "allApps",
       "allowedOutboundDataTransferDestinations": "managedApps",
       "allowedOutboundClipboardSharingLevel": "blocked",
       "managedBrowser": "microsoftEdge"}
      """, file: "policies/base.json")
  }

  @Test func `a reason has the property, label, value and line of its setting`() throws {
    let sender = Fixtures.party("app", Fixtures.anna, try Self.strict())
    let explained = Self.explain(
      Fixtures.request(from: sender, to: Fixtures.party("peer", nil)))
    #expect(explained.outcome == .blocked)
    #expect(explained.deciding == .sendManagedAppsToUnmanaged)
    #expect(
      explained.reasons == [
        Explanation(
          rule: .sendManagedAppsToUnmanaged, side: .sender,
          setting: "allowedOutboundDataTransferDestinations",
          label: "Send org data to other apps", value: "Policy managed apps",
          source: "policies/base.json:2",
          text:
            "the sender's policy allows sending org data only to policy managed apps, and the "
            + "receiver is not managed"),
        Explanation(
          rule: .unmanagedReceiver, side: .receiver,
          text: "the receiver is unmanaged, so no policy restricts receiving"),
      ])
    #expect(
      explained.changes == [
        "`Send org data to other apps` = `All apps` in policies/base.json:2 (sender) would allow it"
      ])
  }

  @Test func `a setting without its own line cites the line of a property with the same label`()
    throws
  {
    let policy = try Self.strict()
    #expect(
      policy.citation(of: .filterOpenInToOnlyManagedApps)
        == Explainer.Citation(value: "Policy managed apps", source: "policies/base.json:2"))
  }

  @Test func `a reason cites all policies with the deciding value`() throws {
    let texts = ["blocked", "blocked", "allApps"].map {
      #"{"appGroupType": "allApps", "allowedOutboundClipboardSharingLevel": "\#($0)"}"#
    }
    let documents = try zip(["b.json", "a.json", "c.json"], texts).flatMap {
      try PolicyReader.read(Array($1.utf8), file: $0)
    }
    let sender = Fixtures.party("app", Fixtures.anna, EffectivePolicy.merging(documents))
    let explained = Self.explain(
      Fixtures.request(.clipboard, from: sender, to: Fixtures.party("peer", nil)))
    let reason = try #require(explained.reasons.first { $0.rule == explained.deciding })
    #expect(reason.source == "a.json:1")
    #expect(reason.otherSources == ["b.json:1"])
    #expect(reason.sources == ["a.json:1", "b.json:1"])
    #expect(
      sender.policy?.citation(of: .printBlocked)
        == .init(value: "absent (default: Allow)", source: "absent in b.json, a.json, c.json"))
  }

  @Test func `an absent setting cites its default`() throws {
    let receiver = Fixtures.party("peer", Fixtures.anna, try Self.strict())
    let explained = Self.explain(
      Fixtures.request(from: Fixtures.party("app", nil), to: receiver))
    #expect(explained.reasons.last?.value == "absent (default: All apps)")
    #expect(explained.reasons.last?.source == "absent in policies/base.json")
    #expect(
      explained.changes == [
        "`Receive data from other apps` = `Policy managed apps` added to policies/base.json (receiver) "
          + "would block it"
      ])
  }

  @Test func `an assumed reason of an explained verdict is marked as assumed`() throws {
    let sender = Fixtures.party("app", Fixtures.anna, try Self.strict())
    let receiver = Fixtures.party("peer", Fixtures.bob, Fixtures.policy())
    let explained = Self.explain(Fixtures.request(from: sender, to: receiver))
    #expect(explained.reasons.map(\.isAssumed) == [false, true, false])
  }

  @Test func `a restriction by an MDM profile is cited with the MDM profile as source`() {
    let sender = Fixtures.party(
      "app", Fixtures.anna, SendRulesTests.osSharing, hasEnrolledUPN: true)
    let explained = Self.explain(
      Fixtures.request(
        via: .os, from: sender, to: Fixtures.party("peer", nil),
        device: Fixtures.enrolled(allowsOpen: false)))
    #expect(explained.deciding == .managedOpenInRestriction)
    #expect(explained.reasons[0].value == "false")
    #expect(explained.reasons[0].source == "MDM profile")
    #expect(
      explained.changes == [
        "`Send org data to other apps` = `All apps` in p.json:1 (sender) would allow it",
        "`allowOpenFromManagedToUnmanaged` = `true` in the MDM profile would allow it",
      ])
  }

  @Test func `the precedence of filtering over system sharing is marked as assumed`() {
    func isAssumed(_ policy: EffectivePolicy) -> Bool {
      let sender = Fixtures.party("app", Fixtures.anna, policy)
      return Self.explain(
        Fixtures.request(via: .os, from: sender, to: Fixtures.party("peer", nil))
      ).reasons[0].isAssumed
    }
    #expect(isAssumed(SendRulesTests.bothFlags))
    #expect(!isAssumed(SendRulesTests.filtering))
  }

  @Test(
    arguments: [
      (.writingTools, .writingToolsFollowSend), (.genmoji, .genmojiFollowsSend),
    ] as [(Channel, Rule)])
  func `an unconfigured AI feature follows the send setting, which is marked as assumed`(
    channel: Channel, rule: Rule
  ) throws {
    func isAssumed(_ version: Version?, _ state: Settings.ConfigurationState?) throws -> Bool {
      let policy = Fixtures.policy {
        $0.allowedOutboundDataTransferDestinations = .managedApps
        $0.writingToolsConfigurationState = state
        $0.genmojiConfigurationState = state
      }
      var sender = Fixtures.party("app", Fixtures.anna, policy)
      sender.app.sdkVersion = version
      let explained = Self.explain(Fixtures.request(channel, from: sender, to: .system))
      return try #require(explained.reasons.first { $0.rule == rule }).isAssumed
    }
    #expect(try isAssumed(nil, nil))
    #expect(try !isAssumed(Version(20, 3), .notBlocked))
  }

  @Test func `a document import cites the receiving policy that made the app switch identity`()
    throws
  {
    let receiver = Fixtures.party("peer", Fixtures.anna, Fixtures.receive(.managedApps))
    let refused = Fixtures.request(from: Fixtures.party("app", nil), to: receiver)
    let switched = try #require(documentImport(for: refused, verdict: evaluate(refused)))
    let explained = Explainer.explain(
      switched, evaluate(importing: switched), insteadOf: refused)
    #expect(explained.deciding == .documentImport)
    #expect(explained.reasons[0].value == "Policy managed apps")
    #expect(explained.reasons[0].source == "p.json:2")
  }

  @Test func `the verdict on a sign-in cites the account restriction's key, value and line`() {
    let verdict = evaluateSignIn(
      SignInRequest(account: Fixtures.bob, isManaged: true, allowed: SignInTests.allowed))
    let explained = Explainer.explain(
      verdict,
      citing: [.allowedAccountsOnly: .init(value: "Enabled", source: "config.plist:3")])
    #expect(explained.reasons[0].setting == "IntuneMAMAllowedAccountsOnly")
    #expect(explained.reasons[0].value == "Enabled")
    #expect(explained.reasons[0].source == "config.plist:3")
    #expect(explained.changes.isEmpty)
  }

  @Test(arguments: Rule.allCases)
  func `every rule has a sentence and a source`(rule: Rule) {
    for side in Side.allCases {
      let text = Explainer.explain(Verdict([Reason(rule, side)])).reasons[0].text
      #expect(!text.isEmpty && text.last != "." && text.first?.isUppercase == false)
    }
    #expect(!rule.source.isEmpty)
  }
}
