import Model
import Testing

@testable import Policy

/// Tests which app receives a URL.
struct URLOpenersTests {
  /// Apps by name, as a device knows them.
  private struct Apps: URLOpeners {
    /// The domains that each app claims, such as `applinks:contoso.com`.
    var domains: [(app: String, entry: String)] = []
    var schemes: [String: String] = [:]
    var withSDK: Set<String> = []
    var protected: Set<String> = []
    var managedBrowser: String?

    func app(claiming host: String, for service: String) -> String? {
      domains.first { $0.entry.claims(host, for: service) }?.app
    }
    func app(opening scheme: String) -> String? { schemes[scheme] }
    func integratesSDK(_ app: String) -> Bool { withSDK.contains(app) }
    func protectsAccount(_ app: String) -> Bool { protected.contains(app) }
  }

  @Test(
    arguments: [
      ("https://mail.contoso.com/a", Channel.universalLink, "mail"),
      ("https://shop.contoso.com/a", .appClip, "shop"),
      ("https://example.org", .openURL, "browser"), ("contoso:a", .openURL, "notes"),
      ("plain:a", .openURL, "plain"), ("unknown:a", .openURL, nil),
    ] as [(String, Channel, String?)])
  func `a link opens in the app that claims it, else in its App Clip, else by its scheme`(
    url: String, channel: Channel, app: String?
  ) throws {
    let apps = Apps(
      domains: [
        ("shop", "appclips:shop.contoso.com"), ("late", "appclips:mail.contoso.com"),
        ("mail", "applinks:mail.contoso.com"),
      ],
      schemes: [
        "https": "browser", "contoso": "other", "contoso-intunemam": "notes", "plain": "plain",
        "plain-intunemam": "without SDK",
      ], withSDK: ["notes"])
    let target = apps.target(of: url, try #require(URLScheme.of(url)))
    #expect(target.channel == channel)
    #expect(target.app == app)
  }

  @Test(arguments: [
    (hasSDK: true, isProtected: true, belongs: true),
    (hasSDK: true, isProtected: false, belongs: false),
    (hasSDK: false, isProtected: true, belongs: false),
  ])
  func `a URL scheme belongs to its -intunemam twin if a protected SDK app registered the twin`(
    hasSDK: Bool, isProtected: Bool, belongs: Bool
  ) {
    let apps = Apps(
      schemes: ["contoso-intunemam": "notes"], withSDK: hasSDK ? ["notes"] : [],
      protected: isProtected ? ["notes"] : [])
    #expect(apps.managedTwin(of: "contoso") == (hasSDK ? "notes" : nil))
    #expect(apps.belongsToManagedTwin("contoso") == belongs)
    #expect(!apps.belongsToManagedTwin("other"))
  }

  @Test(arguments: [
    ([Reason(.managedScheme, .sender)], "contoso", true),
    ([Reason(.managedScheme, .sender)], "known", false),
    ([Reason(.managedScheme, .sender)], "contoso-intunemam", false),
    ([Reason(.sendAllApps, .sender)], "contoso", false),
    ([Reason(.managedScheme, .sender), Reason(.sendNone, .sender)], "contoso", false),
    ([Reason(.sendAllApps, .sender), Reason(.managedScheme, .sender)], "contoso", true),
  ])
  func `an allowed URL for managed apps fails if no app registered its -intunemam scheme`(
    reasons: [Reason], scheme: String, fails: Bool
  ) {
    let apps = Apps(schemes: ["known-intunemam": "notes"])
    #expect(apps.lacksTwin(scheme, for: Verdict(reasons)) == fails)
  }

  @Test(
    arguments: [
      ("https", "edge"), ("tel", "phone"), ("sms", "chat"), ("contoso", nil),
    ] as [(String, String?)])
  func `a URL opens in the browser, dialer or messaging app that the policy requires`(
    scheme: String, app: String?
  ) {
    let policy = Fixtures.policy {
      $0.managedBrowser = .microsoftEdge
      $0.dialerRestrictionLevel = .customApp
      $0.customDialerAppProtocol = "call"
      $0.protectedMessagingRedirectAppType = .specificApps
      $0.messagingRedirectAppUrlScheme = "talk"
    }
    let request = Fixtures.request(
      .openURL, from: Fixtures.party("app", Fixtures.anna, policy),
      to: Fixtures.party("peer", nil), content: Content(scheme: scheme))
    var apps = Apps(schemes: ["call": "phone", "talk": "chat"], managedBrowser: "edge")
    #expect(apps.app(requiredBy: evaluate(request), for: request) == app)
    apps = Apps()
    #expect(apps.app(requiredBy: evaluate(request), for: request) == nil)
  }

  @Test(arguments: [
    ("applinks:contoso.com", "contoso.com", true),
    ("applinks:Contoso.com", "contoso.com", true),
    ("applinks:contoso.com", "mail.contoso.com", false),
    ("applinks:contoso.com?mode=developer", "contoso.com", true),
    ("applinks:*.contoso.com", "mail.contoso.com", true),
    ("applinks:*.contoso.com", "contoso.com", false),
    ("applinks:*.contoso.com", "mailcontoso.com", false),
    ("appclips:contoso.com", "contoso.com", false), ("contoso.com", "contoso.com", false),
    ("webcredential contoso.com", "contoso.com", false),
  ])
  func `an associated domain covers its host, and a wildcard domain only subdomains`(
    entry: String, host: String, isCovered: Bool
  ) {
    #expect(entry.claims(host, for: "applinks") == isCovered)
  }
}
