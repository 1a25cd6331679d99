import Analysis
import Encodings
import GraphDocuments
import Model
import Output
import Policy
import PolicySupport
import TestSupport
import Testing

@Suite struct DeadSettingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let setting: Setting
    let severity: Severity
    let edit: @Sendable (inout Settings) -> Void
    /// Changes the settings such that the setting takes effect.
    let revive: @Sendable (inout Settings) -> Void

    init(
      _ setting: Setting, _ severity: Severity,
      _ edit: @escaping @Sendable (inout Settings) -> Void,
      revive: @escaping @Sendable (inout Settings) -> Void
    ) {
      self.setting = setting
      self.severity = severity
      self.edit = edit
      self.revive = revive
    }

    var testDescription: String { "\(setting.rawValue) \(severity)" }
  }

  private static func findings(
    _ setting: Setting, _ edits: ((inout Settings) -> Void)...
  ) -> [LintFinding] {
    var document = PolicyDocument(
      displayName: "A", file: "p.json", targeting: Targeting(appGroup: .allApps))
    for edit in edits { edit(&document.settings) }
    document.origins[setting] = .init(file: "p.json", line: 1, policy: "A")
    return Linter.lint(document, stated: JSONValue(.null, at: document.position))
      .filter { $0.code == "noEffect" }
  }

  @Test(arguments: cases) func `settings without effect are reported`(test: Case) {
    let findings = Self.findings(test.setting, test.edit)
    #expect(findings.map(\.severity) == [test.severity])
    #expect(findings.first?.message.hasPrefix("`\(test.setting.rawValue)` has no effect") == true)
  }

  @Test(arguments: cases) func `settings with an effect are not reported`(test: Case) {
    #expect(Self.findings(test.setting, test.edit, test.revive).isEmpty)
  }

  @Test func `default values are not reported as settings without effect`() {
    for setting in Setting.allCases { #expect(Self.findings(setting).isEmpty, "\(setting)") }
  }

  @Test func `values that the admin centre fills in are not reported as settings without effect`() {
    #expect(Self.findings(.minimumPinLength, { $0.minimumPinLength = 4 }).isEmpty)
    #expect(
      Self.findings(
        .allowedDataIngestionLocations,
        { $0.allowedDataIngestionLocations = [.oneDriveForBusiness, .sharePoint, .camera] }
      ).isEmpty)
    #expect(
      Self.findings(
        .managedUniversalLinks,
        { $0.managedUniversalLinks = [LinkPattern("https://*.zoom.us/*")] }
      ).isEmpty)
  }

  static let cases: [Case] = transferCases + linkCases + accessCases

  private static let transferCases: [Case] = [
    Case(.saveAsBlocked, .warning, { $0.saveAsBlocked = true }, revive: managedApps),
    Case(
      .saveAsBlocked, .note,
      {
        $0.saveAsBlocked = true
        $0.allowedOutboundDataTransferDestinations = .none
      }, revive: managedApps),
    Case(
      .allowedDataStorageLocations, .warning,
      {
        $0.allowedDataStorageLocations = [.box]
        $0.allowedOutboundDataTransferDestinations = .managedApps
      }, revive: { $0.saveAsBlocked = true }),
    Case(
      .blockDataIngestionIntoOrganizationDocuments, .warning,
      { $0.blockDataIngestionIntoOrganizationDocuments = true },
      revive: { $0.allowedInboundDataTransferSources = .managedApps }),
    Case(
      .allowedDataIngestionLocations, .warning,
      {
        $0.allowedDataIngestionLocations = [.box]
        $0.allowedInboundDataTransferSources = .managedApps
      }, revive: { $0.blockDataIngestionIntoOrganizationDocuments = true }),
    Case(
      .allowedDataIngestionLocations, .note,
      {
        $0.allowedDataIngestionLocations = [.box]
        $0.blockDataIngestionIntoOrganizationDocuments = true
        $0.allowedInboundDataTransferSources = .none
      }, revive: { $0.allowedInboundDataTransferSources = .managedApps }),
    Case(
      .allowedOutboundClipboardSharingExceptionLength, .warning,
      { $0.allowedOutboundClipboardSharingExceptionLength = 10 },
      revive: { $0.allowedOutboundClipboardSharingLevel = .blocked }),
  ]

  private static let linkCases: [Case] = [
    Case(.exemptedAppProtocols, .warning, { $0.exemptedAppProtocols = ["x"] }, revive: managedApps),
    Case(
      .exemptedAppProtocols, .warning, { $0.exemptedAppProtocols = ["x"] },
      revive: { $0.exemptedAppProtocols = ["tel"] }),
    Case(
      .customBrowserProtocol, .note,
      {
        $0.customBrowserProtocol = "firefox"
        $0.managedBrowser = .microsoftEdge
      }, revive: { $0.managedBrowser = .notConfigured }),
    Case(
      .managedUniversalLinks, .warning,
      { $0.managedUniversalLinks = [LinkPattern("https://x.example/*")] },
      revive: { $0.managedBrowser = .microsoftEdge }),
    Case(
      .exemptedUniversalLinks, .warning,
      { $0.exemptedUniversalLinks = [LinkPattern("https://x.example/*")] },
      revive: { $0.customBrowserProtocol = "firefox" }),
    Case(
      .customDialerAppProtocol, .warning, { $0.customDialerAppProtocol = "dial" },
      revive: { $0.dialerRestrictionLevel = .customApp }),
    Case(
      .customDialerAppProtocol, .note,
      {
        $0.customDialerAppProtocol = "dial"
        $0.dialerRestrictionLevel = .blocked
      }, revive: { $0.dialerRestrictionLevel = .customApp }),
    Case(
      .messagingRedirectAppUrlScheme, .warning, { $0.messagingRedirectAppUrlScheme = "chat" },
      revive: { $0.protectedMessagingRedirectAppType = .specificApps }),
  ]

  private static let accessCases: [Case] = [
    Case(
      .pinCharacterSet, .warning, { $0.pinCharacterSet = .alphanumericAndSymbol }, revive: pin),
    Case(.minimumPinLength, .warning, { $0.minimumPinLength = 6 }, revive: pin),
    Case(.faceIdBlocked, .warning, { $0.faceIdBlocked = true }, revive: pin),
    Case(.previousPinBlockCount, .warning, { $0.previousPinBlockCount = 3 }, revive: pin),
    Case(
      .appActionIfMaximumPinRetriesExceeded, .warning,
      {
        $0.pinRequired = true
        $0.appActionIfMaximumPinRetriesExceeded = .wipe
      }, revive: { $0.maximumPinRetries = 5 }),
    Case(
      .pinRequiredInsteadOfBiometricTimeout, .note,
      {
        $0.pinRequired = true
        $0.pinRequiredInsteadOfBiometricTimeout = 60
        $0.fingerprintBlocked = true
        $0.faceIdBlocked = true
      }, revive: { $0.faceIdBlocked = false }),
    Case(
      .appActionIfDeviceComplianceRequired, .warning,
      { $0.appActionIfDeviceComplianceRequired = .wipe },
      revive: { $0.deviceComplianceRequired = true }),
    Case(
      .appActionIfIosDeviceModelNotAllowed, .warning,
      { $0.appActionIfIosDeviceModelNotAllowed = .wipe },
      revive: { $0.allowedIosDeviceModels = ["iphone14,5"] }),
    Case(
      .mobileThreatDefenseRemediationAction, .warning,
      { $0.mobileThreatDefenseRemediationAction = .wipe },
      revive: { $0.maximumAllowedDeviceThreatLevel = .low }),
  ]

  private static let managedApps: @Sendable (inout Settings) -> Void = {
    $0.allowedOutboundDataTransferDestinations = .managedApps
  }

  private static let pin: @Sendable (inout Settings) -> Void = { $0.pinRequired = true }
}

/// Tests that rules do not read settings that lint reports as without effect.
@Suite struct DeadSettingLawTests {
  /// The dead settings that transfer rules could read. The exception length is excluded: with
  /// `allApps` it has no exception of its own, but waives the receiver's restriction.
  private static let resets: [Setting] = [
    .saveAsBlocked, .allowedDataStorageLocations, .blockDataIngestionIntoOrganizationDocuments,
    .allowedDataIngestionLocations, .exemptedAppProtocols, .customBrowserProtocol,
    .exemptedUniversalLinks, .managedUniversalLinks, .customDialerAppProtocol,
    .messagingRedirectAppUrlScheme,
  ]

  @Test func `resetting a setting without effect changes no verdict`() {
    var random = SeededGenerator(seed: 7)
    var count = 0
    for _ in 0..<1000 {
      let settings = Settings.random(using: &random)
      let other = EffectivePolicy(settings: .random(using: &random))
      let dead = Self.deadSettings(in: settings)
      for setting in Self.resets where dead.contains(setting) {
        count += 1
        var plain = settings
        plain.copy(setting, from: Settings())
        let request = Self.request(other: other, using: &random)
        #expect(
          evaluate(request(settings)).outcome == evaluate(request(plain)).outcome,
          "\(setting) in \(request(settings))")
      }
    }
    #expect(count > 1000)
  }

  private static func deadSettings(in settings: Settings) -> Set<Setting> {
    var document = PolicyDocument(
      displayName: "A", file: "p.json", settings: settings,
      targeting: Targeting(appGroup: .allApps))
    for setting in resets {
      document.origins[setting] = .init(file: "p.json", line: 1, policy: "A")
    }
    let messages = Linter.lint(document, stated: JSONValue(.null, at: document.position))
      .filter { $0.code == "noEffect" }.map(\.message)
    return Set(
      resets.filter { setting in
        messages.contains { $0.hasPrefix("`\(setting.rawValue)` ") }
      })
  }

  /// Returns a random request with the policy on a random side.
  private static func request(
    other: EffectivePolicy, using random: inout SeededGenerator
  ) -> (Settings) -> TransferRequest {
    let anna = Account(upn: "anna@contoso.com", objectID: "A-1", tenantID: "contoso")
    let bob = Account(upn: "bob@contoso.com", objectID: "B-2", tenantID: "contoso")
    let channel: Channel = random.choice()
    let (isSender, isOtherManaged) = (random.flag(), random.flag())
    let app = random.element(of: ["com.contoso.mail", "com.contoso.notes"])
    let scheme = random.element(of: ["skype", "https", "tel", "sms", "x", "mailto"])
    let link = random.element(of: ["https://us.zoom.us/j", "http://a.b/c", "https://else.where"])
    let locations =
      channel == .openFrom ? StorageLocation.openLocations : StorageLocation.saveLocations
    let content = Content(
      characters: random.number(to: 100), scheme: channel == .openURL ? scheme : "https",
      isKnownManagedScheme: random.flag(), opensInManagedBrowser: random.flag(),
      link: WebLink(link), location: random.element(of: Array(locations)))
    let device = DeviceRestrictions(
      isMDMEnrolled: random.flag(), allowOpenFromManagedToUnmanaged: random.flag())
    let (via, isOwner): (SharingPath, Bool) = (random.flag() ? .sdk : .os, random.flag())
    return { settings in
      let policy = EffectivePolicy(settings: settings)
      let own = Party(
        app: AppState(bundleID: "com.contoso.mail"), identity: .account(anna), policy: policy)
      let counterpart = Party(
        app: AppState(bundleID: app), identity: .account(bob),
        policy: isOtherManaged ? other : nil)
      let sender = isSender ? own : counterpart
      let owner =
        isOwner ? Owner(account: anna, policy: policy) : Owner(account: bob, policy: other)
      return TransferRequest(
        channel: channel, via: via, sender: sender, owner: owner,
        receiver: isSender ? counterpart : own, appPolicy: policy, content: content, device: device)
    }
  }
}
