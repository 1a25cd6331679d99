import Model
import Policy
import Testing

/// Tests that settings take effect from an SDK release. The source is Microsoft Learn, "iOS app
/// protection policy settings".
struct SDKReleaseTests {
  typealias Edit = @Sendable (inout Settings) -> Void

  /// A transfer that a setting decides. It has the releases around the first release that reads the
  /// setting, and the rules before and from it.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var channel: Channel
    var content = Content()
    var edit: Edit
    /// The last release without the setting, and the first release with it.
    var releases: [(before: Version, first: Version)]
    var before: [String]
    var from: [String]
    var testDescription: String { name }
  }

  private static let states = [
    (before: Version(19, 7, 11), first: Version(19, 7, 12)),
    (before: Version(20, 3, 9), first: Version(20, 4)),
  ]

  static let rows = [
    Row(
      name: "screen capture", channel: .screenCapture,
      edit: { $0.screenCaptureConfigurationState = .blocked }, releases: states,
      before: ["settingNotRead(sender)", "sendAllApps(sender)"],
      from: ["screenCaptureBlocked(sender)"]),
    Row(
      name: "screen capture before Send decides", channel: .screenCapture,
      edit: { $0.screenCaptureConfigurationState = .blocked },
      releases: [(Version(18, 9), Version(19, 7, 12)), (Version(20, 2), Version(21))],
      before: ["settingNotRead(sender)", "screenCaptureNotControlled(sender)"],
      from: ["screenCaptureBlocked(sender)"]),
    Row(
      name: "Writing Tools", channel: .writingTools,
      edit: { $0.writingToolsConfigurationState = .blocked }, releases: states,
      before: ["settingNotRead(sender)", "sendAllApps(sender)"],
      from: ["writingToolsBlocked(sender)"]),
    Row(
      name: "Genmoji, allowed by its setting against Send", channel: .genmoji,
      edit: {
        $0.allowedOutboundDataTransferDestinations = .managedApps
        $0.genmojiConfigurationState = .notBlocked
      }, releases: states,
      before: ["settingNotRead(sender)", "genmojiFollowsSend(sender)"],
      from: ["genmojiAllowed(sender)"]),
    Row(
      name: "third-party keyboards", channel: .keyboard,
      edit: { $0.thirdPartyKeyboardsBlocked = true },
      releases: [(Version(8, 0, 13), Version(8, 0, 14))],
      before: ["settingNotRead(sender)"], from: ["keyboardsBlocked(sender)"]),
    Row(
      name: "phone numbers", channel: .openURL, content: Content(scheme: "tel"),
      edit: { $0.dialerRestrictionLevel = .blocked },
      releases: [(Version(12, 6, 9), Version(12, 7))],
      before: ["settingNotRead(sender)", "sendAllApps(sender)"], from: ["dialerBlocked(sender)"]),
    Row(
      name: "phone numbers that no setting restricts", channel: .openURL,
      content: Content(scheme: "telprompt"),
      edit: { $0.allowedOutboundDataTransferDestinations = .managedApps },
      releases: [(Version(12, 6, 9), Version(12, 7))],
      before: ["unmanagedScheme(sender)"], from: ["dialerAnyApp(sender)"]),
    Row(
      name: "messages", channel: .openURL, content: Content(scheme: "sms"),
      edit: { $0.protectedMessagingRedirectAppType = .blocked },
      releases: [(Version(18, 9), Version(19))],
      before: ["settingNotRead(sender)", "sendAllApps(sender)"],
      from: ["messagingBlocked(sender)"]),
    Row(
      name: "the composer for messages", channel: .messageComposer,
      edit: { $0.protectedMessagingRedirectAppType = .blocked },
      releases: [(Version(18, 9), Version(19))],
      before: ["settingNotRead(sender)", "sendAllApps(sender)"],
      from: ["messagingBlocked(sender)", "sendAllApps(sender)"]),
    Row(
      name: "an exemption for the composer for mail", channel: .mailComposer,
      edit: {
        $0.allowedOutboundDataTransferDestinations = .managedApps
        $0.exemptedAppProtocols = ["mailto"]
      },
      releases: [(Version(14, 4, 9), Version(14, 5))],
      before: ["settingNotRead(sender)", "sendManagedAppsToUnmanaged(sender)"],
      from: ["exemptedScheme(sender)"]),
    Row(
      name: "an unmanaged browser", channel: .openURL, content: Content(scheme: "https"),
      edit: { $0.customBrowserProtocol = "firefox" },
      releases: [(Version(11, 0, 8), Version(11, 0, 9))],
      before: ["settingNotRead(sender)", "anyBrowser(sender)"],
      from: ["customBrowserRequired(sender)"]),
    Row(
      name: "the character limit of the clipboard", channel: .clipboard,
      content: Content(characters: 5),
      edit: {
        $0.allowedOutboundClipboardSharingLevel = .blocked
        $0.allowedOutboundClipboardSharingExceptionLength = 10
      },
      releases: [(Version(9, 0, 13), Version(9, 0, 14))],
      before: [
        "settingNotRead(sender)", "clipboardBlocked(sender)", "unmanagedReceiver(receiver)",
      ],
      from: ["clipboardException(sender)"]),
  ]

  @Test(arguments: rows)
  func `a setting takes effect from its first SDK release`(row: Row) {
    func words(_ version: Version?) -> [String] {
      var sender = Fixtures.party("app", Fixtures.anna, Fixtures.policy(row.edit))
      sender.app.sdkVersion = version
      let receiver = Fixtures.party("peer", nil)
      return evaluate(
        Fixtures.request(row.channel, from: sender, to: receiver, content: row.content)
      ).words
    }
    for (before, first) in row.releases {
      #expect(words(before) == row.before, "\(before)")
      #expect(words(first) == row.from, "\(first)")
    }
    #expect(words(nil) == row.from)
  }

  @Test func `before SDK 12.0.16, a keyboard policy does not restrict the app's other accounts`() {
    func words(_ version: Version) -> [String] {
      var sender = Fixtures.party("app", Fixtures.personal)
      sender.app.sdkVersion = version
      var request = Fixtures.request(.keyboard, from: sender, to: .system)
      request.appPolicy = Fixtures.policy { $0.thirdPartyKeyboardsBlocked = true }
      return evaluate(request).words
    }
    #expect(words(Version(12, 0, 15)) == ["settingNotRead(app)"])
    #expect(words(Version(12, 0, 16)) == ["keyboardsBlocked(app)"])
  }

  static let conditions: [(String, Version, Version, Edit, Rule)] = [
    (
      "Max OS version", Version(14, 3, 9), Version(14, 4),
      { $0.maximumRequiredOsVersion = Version(17) }, .maximumOSVersionBlocks
    ),
    (
      "Min OS version", Version(7), Version(7, 0, 1),
      { $0.minimumRequiredOsVersion = Version(18) }, .minimumOSVersionBlocks
    ),
    (
      "Min app version", Version(7), Version(7, 0, 1),
      { $0.minimumRequiredAppVersion = Version(9) }, .minimumAppVersionBlocks
    ),
    (
      "Max allowed device threat level", Version(12, 0, 14), Version(12, 0, 15),
      { $0.maximumAllowedDeviceThreatLevel = .secured }, .threatLevelUnknownBlocks
    ),
    ("PIN", Version(1), Version(1), { $0.pinRequired = true }, .pinNotSet),
  ]

  @Test(arguments: conditions)
  func `a launch condition takes effect from its first SDK release`(
    name: String, before: Version, first: Version, edit: Edit, rule: Rule
  ) {
    func rules(_ version: Version?) -> [Rule] {
      var request = LaunchFixtures.request { edit(&$0) }
      request.app.sdkVersion = version
      return evaluateLaunch(request).rules
    }
    #expect(rules(before) == (before == first ? [rule] : [.settingNotRead]), "\(name)")
    #expect(rules(first) == [rule])
    #expect(rules(nil) == [rule])
  }

  /// The releases that the release notes name, and the releases before them.
  static let features: [(SDKFeature, [(before: Version, first: Version)])] = [
    (.configurationThroughService, [(Version(7), Version(7, 0, 1))]),
    (.activityFiltering, [(Version(8, 0, 1), Version(8, 0, 2))]),
    (.nilAccountIsUnmanaged, [(Version(15, 0, 9), Version(15, 1))]),
    (.savingRestrictedUnderAllApps, [(Version(12, 6), Version(12, 6, 1))]),
    (.noPatcher, [(Version(17, 7), Version(17, 7, 1))]),
    (
      .screenCaptureFollowsSend,
      [(Version(19, 7, 5), Version(19, 7, 6)), (Version(20, 2), Version(20, 2, 1))]
    ),
    (.keyboardsOfAllAccounts, [(Version(12, 0, 15), Version(12, 0, 16))]),
    (.composerExemptions, [(Version(14, 4, 9), Version(14, 5))]),
    (.requiredAccounts, [(Version(12, 3, 2), Version(12, 3, 3))]),
  ]

  @Test func `an app has an SDK feature from the feature's first release`() {
    #expect(Self.features.map(\.0) == SDKFeature.allCases)
    for (feature, releases) in Self.features {
      for (before, first) in releases {
        var app = AppState(bundleID: "app")
        app.sdkVersion = before
        #expect(!app.has(feature), "\(feature) in \(before)")
        app.sdkVersion = first
        #expect(app.has(feature), "\(feature) in \(first)")
      }
    }
  }
}
