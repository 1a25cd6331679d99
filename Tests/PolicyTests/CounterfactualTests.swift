import Model
import PolicySupport
import TestSupport
import Testing

@testable import Policy

/// Tests counterfactuals. Each proposed change is verified by applying it.
struct CounterfactualTests {
  static let unmanaged = Fixtures.party("peer", nil)

  static func changes(_ request: TransferRequest) -> [String] {
    Explainer.explain(request, evaluate(request)).changes
  }

  @Test func `the verdict on an encrypted delivery proposes the change that makes it readable`() {
    let sender = Fixtures.party(
      "app", Fixtures.anna, Fixtures.send(.managedApps), hasEnrolledUPN: true)
    let request = Fixtures.request(
      via: .os, from: sender, to: Self.unmanaged, device: Fixtures.enrolled())
    #expect(
      Self.changes(request) == [
        "`Send org data to other apps` = `Policy managed apps with OS sharing` in p.json:1 (sender) "
          + "would deliver it readable"
      ])
  }

  @Test func `a change to OS sharing is not proposed for an app that MDM does not manage`() {
    let sender = Fixtures.party("app", Fixtures.anna, Fixtures.send(.managedApps))
    #expect(
      Self.changes(Fixtures.request(via: .os, from: sender, to: Self.unmanaged)) == [
        "`Send org data to other apps` = `All apps` in p.json:1 (sender) would deliver it readable"
      ])
  }

  @Test func `if sender and receiver block a transfer, the proposed change includes both policies`()
  {
    let sender = Fixtures.party(
      "app", Fixtures.anna,
      Fixtures.policy(file: "s.json") { $0.allowedOutboundDataTransferDestinations = .none })
    let receiver = Fixtures.party(
      "peer", Fixtures.anna,
      Fixtures.policy(file: "r.json") { $0.allowedInboundDataTransferSources = .none })
    #expect(
      Self.changes(Fixtures.request(from: sender, to: receiver)) == [
        "`Send org data to other apps` = `Policy managed apps` in s.json:1 "
          + "(sender) and `Receive data from other apps` = `Policy managed apps` in r.json:2 (receiver) "
          + "would allow it"
      ])
  }

  @Test
  func `without a policy file, a proposed change combines the sender's and the receiver's setting`()
  {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .none
    settings.allowedInboundDataTransferSources = .none
    let policy = EffectivePolicy(settings: settings)
    let request = Fixtures.request(
      from: Fixtures.party("app", Fixtures.anna, policy),
      to: Fixtures.party("peer", Fixtures.anna, policy))
    #expect(
      Self.changes(request) == [
        "`Send org data to other apps` = `Policy managed apps` in the policy of the sender and "
          + "`Receive data from other apps` = `Policy managed apps` in the policy of the receiver "
          + "would allow it"
      ])
  }

  @Test func `a proposed change to a policy that applies to both sides names sender and receiver`()
  {
    let policy = Fixtures.clipboard(.blocked)
    let request = Fixtures.request(
      .clipboard, from: Fixtures.party("app", Fixtures.anna, policy),
      to: Fixtures.party("peer", Fixtures.anna, policy), content: Content(characters: 9))
    #expect(
      Self.changes(request) == [
        "`Cut and copy character limit for any app` = at least the text's length in p.json:14 (sender) "
          + "would allow it",
        "`Restrict cut, copy, and paste between other apps` = `Policy managed apps` in p.json:13 "
          + "(sender and receiver) would allow it",
      ])
  }

  @Test func `the verdict on a blocked URL proposes the settings that would allow it`() {
    let sender = Fixtures.party(
      "app", Fixtures.anna,
      Fixtures.policy {
        $0.allowedOutboundDataTransferDestinations = .managedApps
        $0.managedBrowser = .microsoftEdge
      })
    func changes(_ scheme: String) -> [String] {
      Self.changes(
        Fixtures.request(
          .openURL, from: sender, to: Self.unmanaged, content: Content(scheme: scheme)))
    }
    #expect(
      changes("https") == [
        "`Restrict web content transfer with other apps` = `Any app` in p.json:19 (sender) would allow it",
        "`Select apps to exempt` with the URL's scheme in p.json:6 (sender) would allow it",
      ])
    #expect(
      changes("zoomus") == [
        "`Select apps to exempt` with the URL's scheme in p.json:6 (sender) would allow it",
        "`Send org data to other apps` = `All apps` in p.json:1 (sender) would allow it",
      ])
  }

  @Test(arguments: ["tel", "telprompt"])
  func `blocking a dialer URL requires both no exemption and a dialer restriction`(scheme: String) {
    let sender = Fixtures.party(
      "app", Fixtures.anna, Fixtures.policy { $0.exemptedAppProtocols = [scheme] })
    #expect(
      Self.changes(
        Fixtures.request(
          .openURL, from: sender, to: Self.unmanaged, content: Content(scheme: scheme))) == [
          "`Select apps to exempt` without the URL's scheme in p.json:6 (sender) and "
            + "`Transfer telecommunication data to` = `A specific dialer app` in p.json:15 (sender) "
            + "would block it"
        ])
    let restricted = Fixtures.party(
      "app", Fixtures.anna,
      Fixtures.policy {
        $0.exemptedAppProtocols = [scheme]
        $0.dialerRestrictionLevel = .blocked
      })
    #expect(
      Self.changes(
        Fixtures.request(
          .openURL, from: restricted, to: Self.unmanaged, content: Content(scheme: scheme))) == [
          "`Select apps to exempt` without the URL's scheme in p.json:6 (sender) would block it"
        ])
  }

  @Test func `the exemption of a universal link is proposed only if the link lacks it`() {
    let sender = Fixtures.party(
      "app", Fixtures.anna,
      Fixtures.policy {
        $0.managedBrowser = .microsoftEdge
        $0.exemptedUniversalLinks = [LinkPattern("https://maps.apple.com")]
      })
    func request(_ url: String) -> TransferRequest {
      Fixtures.request(
        .universalLink, from: sender, to: Self.unmanaged,
        content: Content(scheme: "https", link: WebLink(url)))
    }
    let place = request("https://maps.apple.com/place?q=Redmond")
    #expect(evaluate(place).words == ["exemptedUniversalLink(sender)"])
    #expect(
      Self.changes(place) == [
        "`Select universal links to exempt` without the link in p.json:7 (sender) would block it"
      ])
    #expect(
      Self.changes(request("https://maps.example.org/")).contains(
        "`Select universal links to exempt` with the link in p.json:7 (sender) would allow it"))
  }

  @Test func `the verdict on an allowed transfer proposes the change that would block it`() {
    let policy = Fixtures.policy()
    let sender = Fixtures.party("app", Fixtures.anna, policy)
    #expect(
      Self.changes(Fixtures.request(from: sender, to: Self.unmanaged)) == [
        "`Send org data to other apps` = `Policy managed apps` in p.json:1 (sender) would block it"
      ])
    #expect(
      Self.changes(Fixtures.request(via: .os, from: sender, to: Self.unmanaged)) == [
        "`Send org data to other apps` = `Policy managed apps` in p.json:1 (sender) would encrypt it"
      ])
  }

  @Test func `no change is proposed for a transfer within an app or without a policy`() {
    let app = Fixtures.party("app", Fixtures.anna, Fixtures.send(.none))
    #expect(Self.changes(Fixtures.request(from: app, to: app)).isEmpty)
    #expect(
      Self.changes(Fixtures.request(from: Fixtures.party("app", nil), to: Self.unmanaged)).isEmpty)
  }

  /// Requests between three managed accounts under many combinations of settings.
  static let requests: [TransferRequest] = {
    var requests: [TransferRequest] = []
    let levels = Settings.ClipboardLevel.allCases
    for (send, level) in zip(Settings.Destinations.allCases + [.managedApps], levels) {
      for receive in Settings.Sources.allCases {
        for via in SharingPath.allCases {
          for channel in Channel.allCases {
            func policy(_ file: String) -> EffectivePolicy {
              Fixtures.policy(file: file) {
                $0.allowedOutboundDataTransferDestinations = send
                $0.allowedInboundDataTransferSources = receive
                $0.allowedOutboundClipboardSharingLevel = level
              }
            }
            requests.append(
              Fixtures.request(
                channel, via: via, from: Fixtures.party("app", Fixtures.bob, policy("s")),
                to: Fixtures.party("peer", Fixtures.carl, policy("r")),
                owner: Owner(account: Fixtures.anna, policy: policy("o")),
                content: Content(
                  characters: 9, scheme: "https",
                  location: channel.counterpart == .location ? .oneDriveForBusiness : nil),
                device: Fixtures.enrolled()))
          }
        }
      }
    }
    return requests
  }()

  @Test func `for each blocked or encrypted request, one to four changes are proposed`() {
    for request in Self.requests {
      let verdict = evaluate(request)
      let changes = Explainer.explain(request, verdict).changes
      #expect(changes.count <= 4 && Set(changes).count == changes.count)
      if verdict.outcome != .allowed { #expect(!changes.isEmpty, "\(verdict.words)") }
    }
  }

  @Test func `applying each change proposed for a request reverses its verdict`() {
    for request in Self.requests {
      let outcome = evaluate(request).outcome
      for change in Counterfactuals.changes(for: request, outcome: outcome)
      where change.pulls.count == 1 {
        var changed = request
        change.pulls[0].apply(to: &changed)
        #expect((evaluate(changed).outcome == .allowed) != (outcome == .allowed))
        #expect(evaluate(changed).outcome == change.outcome)
      }
    }
  }

  @Test(arguments: [Outcome.allowed, .encrypted, .blocked])
  func `applying the changes proposed for a wanted outcome leads to that outcome`(wanted: Outcome) {
    var found = 0
    for request in Self.requests {
      let outcome = evaluate(request).outcome
      guard outcome != wanted else { continue }
      for change in Counterfactuals.changes(for: request, outcome: outcome, to: wanted) {
        var changed = request
        for pull in change.pulls { pull.apply(to: &changed) }
        #expect(evaluate(changed).outcome == wanted)
        #expect(change.outcome == wanted)
        found += 1
      }
    }
    #expect(found > 0 || wanted == .encrypted)
  }
}

/// Tests counterfactuals of accounts with several policies.
struct MergedCounterfactualTests {
  typealias Edit = @Sendable (inout Settings) -> Void

  /// Returns a policy with every setting, except some, on its own line.
  static func document(
    _ name: String, without unstated: Set<Setting> = [], _ edit: Edit
  ) -> PolicyDocument {
    let policy = Fixtures.policy(file: "\(name).json", edit)
    return PolicyDocument(
      displayName: name, file: "\(name).json", settings: policy.settings,
      origins: policy.origins.filter { !unstated.contains($0.key) })
  }

  static func request(
    _ channel: Channel, under documents: [PolicyDocument], _ content: Content = Content()
  ) -> TransferRequest {
    Fixtures.request(
      channel,
      from: Fixtures.party("app", Fixtures.anna, EffectivePolicy.merging(documents)),
      to: CounterfactualTests.unmanaged, content: content)
  }

  static let exempting: Edit = {
    $0.allowedOutboundDataTransferDestinations = .managedApps
    $0.exemptedAppProtocols = ["zoomus"]
  }
  static let restricting: Edit = { $0.allowedOutboundDataTransferDestinations = .managedApps }

  @Test func `a change to a more permissive outcome is proposed for each stricter policy`() {
    let documents = [
      Self.document("a") { $0.allowedOutboundDataTransferDestinations = .none },
      Self.document("b") { _ in }, Self.document("c", Self.restricting),
    ]
    #expect(
      CounterfactualTests.changes(Self.request(.share, under: documents)) == [
        "`Send org data to other apps` = `All apps` in a.json:1 and c.json:1 (sender) would allow it"
      ])
  }

  @Test func `the proposed change for a stricter verdict affects only one policy`() {
    let documents = ["b", "a", "c"].map { name in Self.document(name) { _ in } }
    #expect(
      CounterfactualTests.changes(Self.request(.share, under: documents)) == [
        "`Send org data to other apps` = `Policy managed apps` in a.json:1 (sender) would block it"
      ])
  }

  @Test(
    arguments: [
      ([document("a", exempting), document("b", restricting)], "in b.json:6"),
      ([document("a", restricting), document("b", exempting)], "in a.json:6"),
      ([document("a", restricting), document("b", restricting)], "in a.json:6 and b.json:6"),
      (
        [document("a", restricting), document("b", without: [.exemptedAppProtocols], restricting)],
        "in a.json:6 and added to b.json"
      ),
      (
        [
          document("a", without: [.exemptedAppProtocols], restricting),
          document("b", without: [.exemptedAppProtocols], restricting), document("c", exempting),
        ], "added to a.json and b.json"
      ),
    ] as [([PolicyDocument], String)])
  func `an exemption is proposed for each policy that lacks it`(
    documents: [PolicyDocument], places: String
  ) {
    let request = Self.request(.openURL, under: documents, Content(scheme: "zoomus"))
    #expect(
      CounterfactualTests.changes(request).first
        == "`Select apps to exempt` with the URL's scheme \(places) (sender) would allow it")
  }

  @Test func `in a proposed change, a policy that applies to both sides is named once`() {
    let blocking: Edit = { $0.allowedOutboundClipboardSharingLevel = .blocked }
    let (a, b) = (Self.document("a", blocking), Self.document("b", blocking))
    let request = Fixtures.request(
      .clipboard,
      from: Fixtures.party("app", Fixtures.anna, EffectivePolicy.merging([a, b])),
      to: Fixtures.party("peer", Fixtures.anna, EffectivePolicy.merging([b])),
      content: Content(characters: 9))
    #expect(
      CounterfactualTests.changes(request).contains(
        "`Restrict cut, copy, and paste between other apps` = `Policy managed apps` "
          + "in a.json:13 and b.json:13 (sender and receiver) would allow it"))
  }

  @Test func `a proposed change for a launch names each policy that must change`() {
    func documents(_ versions: [Version?]) -> [PolicyDocument] {
      versions.enumerated().map { number, version in
        Self.document(["a", "b", "c"][number]) { $0.minimumRequiredOsVersion = version }
      }
    }
    func changes(_ versions: [Version?]) -> [String] {
      let request = LaunchFixtures.with(LaunchFixtures.request()) {
        $0.policy = EffectivePolicy.merging(documents(versions))
      }
      return Explainer.explain(request, evaluateLaunch(request)).changes
    }
    let line = Setting.minimumRequiredOsVersion.line
    #expect(
      changes([Version(18), Version(16), Version(19)]) == [
        "`Min OS version` (Block access) = `17.2` in a.json:\(line) and c.json:\(line) would allow it"
      ])
    #expect(
      changes([Version(16), nil]).contains(
        "`Min OS version` (Block access) = `18.0` in a.json:\(line) would block it"))
  }

  @Test func `applying the proposed edits to the named policies changes the verdict`() {
    var random = SeededGenerator(seed: 21)
    var turned: [Outcome: Int] = [:]
    for _ in 0..<20 * thoroughness {
      let documents = ["a", "b", "c"].map { name in
        let settings = MergingLawTests.settings(&random)
        return Self.document(name) { $0 = settings }
      }
      for channel in Channel.allCases {
        let content = Content(
          characters: 9, scheme: "https",
          location: channel.counterpart == .location ? .oneDriveForBusiness : nil)
        let request = Self.request(channel, under: documents, content)
        let outcome = evaluate(request).outcome
        for change in Counterfactuals.changes(for: request, outcome: outcome)
        where change.pulls.count == 1 {
          guard let edit = change.pulls[0].edit else { continue }
          func result(_ places: [EffectivePolicy.Place]) -> Outcome {
            let files = places.compactMap(\.file)
            let edited = documents.map { document in
              var document = document
              if files.contains(document.file) { edit.apply(&document.settings) }
              return document
            }
            return evaluate(Self.request(channel, under: edited, content)).outcome
          }
          #expect(result(edit.places) == change.outcome)
          #expect((change.outcome == .allowed) != (outcome == .allowed))
          #expect(!edit.places.isEmpty)
          turned[outcome, default: 0] += 1
        }
      }
    }
    #expect(turned[.allowed] ?? 0 > 10)
    #expect(turned[.blocked] ?? 0 > 10)
  }
}
