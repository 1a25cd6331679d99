import Model
import TestSupport
import Testing

@testable import Policy

/// Tests the opening of URLs.
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
      (.notConfigured, true, "foo", false, .customBrowserRequired),
      (.notConfigured, false, "foo", true, .customBrowserRequired),
      (.microsoftEdge, true, "foo", false, .managedBrowserRequired),
      (.notConfigured, true, "replace_with_browser", false, .managedBrowserRequired),
      (.notConfigured, false, "replace_with_browser", false, .anyBrowser),
    ])
  func `web links open in the browser that the policy names`(
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
  func `URLs with schemes that have no specific rule follow the Send setting`(
    destinations: Settings.Destinations, isKnown: Bool, rule: Rule
  ) {
    let verdict = Self.open(
      "zoomus", under: { $0.allowedOutboundDataTransferDestinations = destinations },
      isKnown: isKnown)
    #expect(verdict.words == ["\(rule.rawValue)(sender)"])
    #expect(verdict.outcome == rule.effect)
  }

  @Test func `a URL counts as sent to a managed app if its receiver is managed`() {
    let receiver = Fixtures.party("peer", Fixtures.anna, Fixtures.policy())
    let verdict = Self.open(
      "zoomus", under: { $0.allowedOutboundDataTransferDestinations = .managedApps },
      receiver: receiver)
    #expect(verdict.words == ["managedScheme(sender)"])
  }

  @Test(arguments: ["skype", "https"])
  func `a URL with an exempted scheme is allowed`(scheme: String) {
    let verdict = Self.open(scheme) {
      $0.allowedOutboundDataTransferDestinations = .none
      $0.managedBrowser = .microsoftEdge
      $0.exemptedAppProtocols = ["skype", "https"]
    }
    #expect(verdict.words == ["exemptedScheme(sender)"])
  }

  @Test func `if any browser may open links, lists of universal links are ignored`() {
    let policy = Fixtures.policy {
      $0.managedUniversalLinks = [LinkPattern("https://contoso.com/*")]
      $0.exemptedUniversalLinks = [LinkPattern("https://contoso.com/*")]
    }
    let request = Fixtures.request(
      .universalLink, from: Fixtures.party("app", Fixtures.anna, policy),
      to: Fixtures.party("peer", Fixtures.anna, Fixtures.policy()),
      content: Content(scheme: "https", link: WebLink("https://contoso.com/a")))
    #expect(evaluate(request).words.first == "anyBrowser(sender)")
    #expect(!evaluate(request).reasons.contains { $0.rule == .exemptedUniversalLink })
  }

  @Test func `a scheme exemption applies to opened URLs, not to shares`() {
    let policy = Fixtures.policy {
      $0.allowedOutboundDataTransferDestinations = .none
      $0.exemptedAppProtocols = ["skype"]
    }
    let request = Fixtures.request(
      .share, from: Fixtures.party("app", Fixtures.anna, policy), to: Fixtures.party("peer", nil),
      content: Content(scheme: "skype"))
    #expect(evaluate(request).outcome == .blocked)
  }

  @Test func `an unmanaged sender may open any URL`() {
    let request = Fixtures.request(
      .openURL, from: Fixtures.party("app", nil), to: Fixtures.party("peer", nil))
    #expect(evaluate(request).words == ["unmanagedSender(sender)"])
  }

  @Test(
    arguments: [
      ("http://www.contoso.com/a:b", "my://www.contoso.com/a:b"),
      ("HTTPS://www.contoso.com", "mys://www.contoso.com"), ("tel:+491234", "call:+491234"),
      ("sms:+491234", "chat:+491234"), ("mailto:anna@contoso.com", nil),
    ] as [(String, String?)])
  func `URLs for the policy's browser, dialer or messaging app are redirected to that app's scheme`(
    url: String, redirected: String?
  ) {
    let policy = Fixtures.policy {
      $0.customBrowserProtocol = "my"
      Self.nameApps(&$0)
    }
    let opener = Self.opener(["my", "mys", "call", "chat"])
    let request = Fixtures.request(
      .openURL, from: Fixtures.party("app", Fixtures.anna, policy), to: opener,
      content: Content(scheme: URLScheme.of(url), link: WebLink(url)))
    #expect(redirection(of: url, for: request, evaluate(request)) == redirected)
  }

  @Test(
    arguments: [
      ([.customBrowser], "my://contoso.com"), ([.customBrowser, .sendNone], nil),
      ([.customBrowser, .managedBrowserUsed], nil),
    ] as [([Rule], String?)])
  func `only a URL for the custom browser is redirected to the browser's scheme`(
    rules: [Rule], redirected: String?
  ) {
    let policy = Fixtures.policy { $0.customBrowserProtocol = "my" }
    let request = Fixtures.request(
      .openURL, from: Fixtures.party("app", Fixtures.anna, policy), to: Self.opener(["my"]),
      content: Content(scheme: "http", link: WebLink("http://contoso.com")))
    let verdict = Verdict(rules.map { Reason($0, .sender) })
    #expect(redirection(of: "http://contoso.com", for: request, verdict) == redirected)
  }

  /// Returns an app that registers `schemes`. Anna has a policy in it, or it has no account.
  static func opener(_ schemes: Set<String>, _ policy: EffectivePolicy? = nil) -> Party {
    var party = Fixtures.party("opener", policy == nil ? nil : Fixtures.anna, policy)
    party.app.schemes = schemes
    return party
  }

  @Test(
    arguments: [
      ("tel", "call", "dialer"), ("telprompt", "call", "dialer"), ("sms", "chat", "messaging"),
      ("imessage", "chat", "messaging"),
    ])
  func `phone and message URLs open only in the dialer or messaging app that the policy names`(
    scheme: String, named: String, kind: String
  ) {
    func verdict(_ opener: Party) -> Verdict {
      Self.open(scheme, under: Self.nameApps, isKnown: true, receiver: opener)
    }
    #expect(verdict(Self.opener([named])).words == ["\(kind)SpecificApp(sender)"])
    let another = named == "call" ? "chat" : "call"
    for other in [
      .system, Self.opener([]), Self.opener([scheme, another]), Self.opener([], Fixtures.policy()),
    ] {
      #expect(verdict(other).words == ["\(kind)OtherApp(sender)"])
      #expect(verdict(other).outcome == .blocked)
    }
  }

  @Test(arguments: [("http", "my"), ("https", "mys")])
  func `a policy's unmanaged browser opens links only if it registered the matching scheme`(
    scheme: String, named: String
  ) {
    func verdict(_ opener: Party) -> Verdict {
      Self.open(scheme, under: { $0.customBrowserProtocol = "my" }, receiver: opener)
    }
    #expect(verdict(Self.opener([named])).words == ["customBrowser(sender)"])
    let another = named == "my" ? "mys" : "my"
    for other in [.system, Self.opener([another, scheme]), Self.opener([], Fixtures.policy())] {
      #expect(verdict(other).words == ["customBrowserRequired(sender)"])
      #expect(verdict(other).outcome == .blocked)
    }
  }

  private static func nameApps(_ settings: inout Settings) {
    settings.dialerRestrictionLevel = .customApp
    settings.customDialerAppProtocol = "call"
    settings.protectedMessagingRedirectAppType = .specificApps
    settings.messagingRedirectAppUrlScheme = "chat"
  }

  @Test func `the system's composer is not the messaging app of the policy`() {
    let request = Fixtures.request(
      .messageComposer,
      from: Fixtures.party("app", Fixtures.anna, Fixtures.policy(Self.nameApps)),
      to: Self.opener(["chat"]))
    #expect(evaluate(request).words == ["messagingOtherApp(sender)", "sendAllApps(sender)"])
  }

  @Test(arguments: [
    "", "replace_with_dialer_app_url_scheme", "contosophone://", "téléphone", "7up",
  ])
  func `an invalid dialer or messaging scheme in a policy names no app`(name: String) {
    func verdict(_ scheme: String) -> Verdict {
      Self.open(
        scheme,
        under: {
          $0.dialerRestrictionLevel = .customApp
          $0.customDialerAppProtocol = name
          $0.protectedMessagingRedirectAppType = .specificApps
          $0.messagingRedirectAppUrlScheme = name
        }, receiver: Self.opener([name]))
    }
    #expect(verdict("tel").words == ["dialerBlocked(sender)"])
    #expect(verdict("sms").words == ["messagingBlocked(sender)"])
  }

  @Test func `a URL blocked for other apps opens in the app that the policy names`() {
    let policy = Fixtures.policy {
      Self.nameApps(&$0)
      $0.customBrowserProtocol = "my"
    }
    for (scheme, named) in [
      ("tel", "call"), ("sms", "chat"), ("http", "my"), ("https", "mys"), ("skype", nil),
    ] {
      let request = Fixtures.request(
        .openURL, from: Fixtures.party("app", Fixtures.anna, policy), to: .system,
        content: Content(scheme: scheme))
      #expect(redirectedScheme(for: request, evaluate(request)) == named)
    }
  }

  @Test(
    arguments: [
      ("https://*.tiles.example.org/*", "https://a.tiles.example.org/", true),
      ("https://*.tiles.example.org/*", "https://a.tiles.example.org/x?y", true),
      ("https://*.tiles.example.org/*", "http://a.tiles.example.org/", false),
      ("https://example.org/*", "https://example.org/a\u{7F}", false),
      ("https://example.org/*", "https://example.org/a~", true),
      ("https://*/*", "https://example.org/!", true), ("https://*/*", "https:///a", false),
      ("https://*/*", "https://anna@example.org/", false),
      ("https://*/*", "https://a-1_b.example.org/a", true),
      ("https://example.org/a", "https://example.org/a?b", true),
      ("https://example.org/a", "https://example.org/a#b", true),
      ("https://*.tiles.example.org/*", "https://evil.test/x.tiles.example.org/secret", false),
      ("https://*.tiles.example.org/*", "https://a.tiles.example.org@evil.test/", false),
      ("https://*.tiles.example.org/*", "https://evil.test#.tiles.example.org/", false),
      ("https://*.tiles.example.org/*", "https://evil.test\\.tiles.example.org/", false),
      ("https://example.org/*", "https://example.org", true),
      ("https://example.org", "HTTPS://EXAMPLE.org/", true),
      ("https://example.org", "https://example.org/page", true),
      ("https://example.org/", "https://example.org/page", false),
      ("https://example.org", "http://example.org/page", false),
      ("https://example.org", "https://example.org.evil.test/page", false),
      ("https://example.org", "https://www.example.org/page", false),
      ("https://*.example.org", "https://www.example.org/", true),
      ("https://*.example.org", "https://www.example.org/page", false),
      ("https://facetime.apple.com", "https://facetime.apple.com/join#v=1&p=a/b&k=c", true),
      ("https://maps.apple.com", "https://maps.apple.com/place?q=Redmond", true),
      ("http://maps.apple.com", "http://maps.apple.com/?ll=50.89,4.34", true),
      ("http://*teams.microsoft.com/l/*", "http://teams.microsoft.com/l/meet", true),
      ("http://*teams.microsoft.com/l/*", "http://teams.microsoft.com/x", false),
      ("https://maps.apple.com", "https://maps.apple.com:8080/place", false),
      ("https://maps.apple.com", "https://maps.apple.com:443/place", true),
      ("http://maps.apple.com:80", "http://maps.apple.com/place", true),
      ("https://*/*", "https://example.org:8443/", false),
      ("https://example.org:8443/*", "https://example.org:08443/page", true),
      ("https://maps.apple.com", "https://maps.apple.com:0/place", false),
      ("https://maps.apple.com", "https://maps.apple.com:/place", true),
      ("*://maps.apple.com:80/*", "https://maps.apple.com/place", false),
    ])
  func `a wildcard matches within the host or path, and a bare host matches all paths`(
    pattern: String, url: String, isMatch: Bool
  ) {
    #expect((WebLink(url).map(LinkPattern(pattern).matches) ?? false) == isMatch)
  }

  @Test(arguments: [
    "https:///a", "https://example.org:8a/", "https://exa$mple.org/", "https://example.org/./a",
    "https://example.org/../a", "https://example.org/%2e%2e/a", "ftp://example.org/",
    "https://example.org/a\\b",
  ])
  func `a URL that parsers read differently is not a web link`(url: String) {
    #expect(WebLink(url) == nil)
  }
}

/// The index of patterns finds the same matches as each pattern.
struct LinkPatternIndexTests {
  @Test(arguments: [UInt64](1...4))
  func `the link pattern index finds the same patterns as a linear search`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func word(_ letters: String, _ count: ClosedRange<Int>) -> String {
      String(
        (0..<Int.random(in: count, using: &random)).compactMap { _ in
          letters.randomElement(using: &random)
        })
    }
    let patterns = (0..<200).map { _ in
      LinkPattern("https://\(word("ab.*", 0...6))\(word("/", 0...1))\(word("a*", 0...3))")
    }
    let index = LinkPatternIndex(patterns)
    var found = 0
    for _ in 0..<400 {
      guard let link = WebLink("https://\(word("ab.", 1...5))/\(word("ab", 0...2))") else {
        continue
      }
      let places = patterns.indices.filter { patterns[$0].matches(link) }
      #expect(index.places(for: link).sorted() == places, "\(link.text)")
      found += places.count
    }
    #expect(found > 1000)
  }
}
