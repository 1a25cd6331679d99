import Policy
import Testing
import Transfer

/// Opening URLs.
struct URLRulesTests {
  static func open(
    _ scheme: String, under edit: (inout Settings) -> Void, isKnown: Bool = false,
    isEdge: Bool = false, receiver: Party = Fixtures.party("peer", nil)
  ) -> Verdict {
    let sender = Fixtures.party("app", Fixtures.anna, Fixtures.policy(edit))
    let content = Content(
      scheme: scheme, isKnownManagedScheme: isKnown, opensInManagedBrowser: isEdge)
    return evaluate(
      Fixtures.request(.openURL, from: sender, to: receiver, content: content))
  }

  @Test(
    arguments: [
      (Settings.Browser.notConfigured, false, "", false, Rule.anyBrowser),
      (.microsoftEdge, false, "", false, .managedBrowserRequired),
      (.microsoftEdge, false, "", true, .managedBrowserUsed),
      (.notConfigured, true, "", false, .managedBrowserRequired),
      (.notConfigured, true, "", true, .managedBrowserUsed),
      (.notConfigured, true, "foo", false, .customBrowser),
      (.notConfigured, false, "foo", false, .customBrowser),
      (.microsoftEdge, true, "foo", false, .managedBrowserRequired),
    ])
  func `web links open where the policy says`(
    browser: Settings.Browser, isRequired: Bool, custom: String, isEdge: Bool, rule: Rule
  ) {
    for scheme in ["http", "https"] {
      let verdict = Self.open(
        scheme,
        under: {
          $0.allowedOutboundDataTransferDestinations = .none
          $0.managedBrowser = browser
          $0.managedBrowserToOpenLinksRequired = isRequired
          $0.customBrowserProtocol = custom
        }, isEdge: isEdge)
      #expect(verdict.words == ["\(rule.rawValue)(sender)"])
      #expect(verdict.outcome == rule.effect)
    }
  }

  @Test(
    arguments: [
      (Settings.Destinations.allApps, false, Rule.sendAllApps), (.none, true, .sendNone),
      (.managedApps, false, .unmanagedScheme), (.managedApps, true, .managedScheme),
    ])
  func `other schemes follow send`(
    destinations: Settings.Destinations, isKnown: Bool, rule: Rule
  ) {
    let verdict = Self.open(
      "zoomus", under: { $0.allowedOutboundDataTransferDestinations = destinations },
      isKnown: isKnown)
    #expect(verdict.words == ["\(rule.rawValue)(sender)"])
    #expect(verdict.outcome == rule.effect)
  }

  @Test func `a managed receiver makes its scheme managed`() {
    let receiver = Fixtures.party("peer", Fixtures.anna, Fixtures.policy())
    let verdict = Self.open(
      "zoomus", under: { $0.allowedOutboundDataTransferDestinations = .managedApps },
      receiver: receiver)
    #expect(verdict.words == ["managedScheme(sender)"])
  }

  @Test(arguments: ["skype", "https"])
  func `an exempted scheme passes`(scheme: String) {
    let verdict = Self.open(scheme) {
      $0.allowedOutboundDataTransferDestinations = .none
      $0.managedBrowser = .microsoftEdge
      $0.exemptedAppProtocols = ["skype", "https"]
    }
    #expect(verdict.words == ["exemptedScheme(sender)"])
  }

  @Test func `exemptions concern URLs only`() {
    let policy = Fixtures.policy {
      $0.allowedOutboundDataTransferDestinations = .none
      $0.exemptedAppProtocols = ["skype"]
    }
    let request = Fixtures.request(
      .share, from: Fixtures.party("app", Fixtures.anna, policy), to: Fixtures.party("peer", nil),
      content: Content(scheme: "skype"))
    #expect(evaluate(request).outcome == .blocked)
  }

  @Test func `an unmanaged sender opens what it likes`() {
    let request = Fixtures.request(
      .openURL, from: Fixtures.party("app", nil), to: Fixtures.party("peer", nil))
    #expect(evaluate(request).words == ["unmanagedSender(sender)"])
  }

  @Test(
    arguments: [
      ("http://www.contoso.com/a:b", "my://www.contoso.com/a:b"),
      ("HTTPS://www.contoso.com", "mys://www.contoso.com"), ("mailto:anna@contoso.com", nil),
      ("no URL", nil),
    ] as [(String, String?)])
  func `a custom browser gets its own scheme`(url: String, rewritten: String?) throws {
    #expect(try #require(CustomBrowser(scheme: "my")).rewrite(url) == rewritten)
    #expect(CustomBrowser(scheme: "") == nil)
  }
}
