import Model
import Policy
import Testing

/// Tests which of two values of each setting is stricter.
struct StrictestValueTests {
  typealias Edit = @Sendable (inout Settings) -> Void

  /// Two policies that differ in one setting.
  struct Row: Sendable, CustomTestStringConvertible {
    var setting: Setting
    var lax: Edit
    var strict: Edit

    init(_ setting: Setting, lax: @escaping Edit = { _ in }, strict: @escaping Edit) {
      self.setting = setting
      self.lax = lax
      self.strict = strict
    }

    var testDescription: String { setting.rawValue }
  }

  static func bound(_ setting: Setting, _ path: any WritableKeyPath<Settings, Int> & Sendable)
    -> [Row]
  {
    [
      Row(setting, strict: { $0[keyPath: path] = 60 }),
      Row(setting, lax: { $0[keyPath: path] = 120 }, strict: { $0[keyPath: path] = 60 }),
    ]
  }

  /// Every two values of a flag or choice. Redirect levels merge with their schemes and are in the
  /// rows below.
  static let values: [Row] = Setting.ofPolicies.filter {
    $0 != .dialerRestrictionLevel && $0 != .protectedMessagingRedirectAppType
  }.flatMap { setting in
    let values = setting.domain?.values ?? []
    return values.indices.flatMap { strict in
      values[..<strict].map { Row(setting, lax: $0, strict: values[strict]) }
    }
  }

  static let transfer: [Row] = [
    Row(
      .exemptedAppProtocols, lax: { $0.exemptedAppProtocols = ["a", "b"] },
      strict: { $0.exemptedAppProtocols = ["b"] }),
    Row(
      .exemptedUniversalLinks,
      lax: { $0.exemptedUniversalLinks = [LinkPattern("http://b"), LinkPattern("http://a")] },
      strict: { $0.exemptedUniversalLinks = [LinkPattern("http://a")] }),
    Row(
      .managedUniversalLinks, lax: { $0.managedUniversalLinks = [LinkPattern("http://a")] },
      strict: { _ in }),
    Row(
      .allowedDataStorageLocations,
      lax: {
        $0.saveAsBlocked = true
        $0.allowedDataStorageLocations = [.box, .sharePoint]
      },
      strict: {
        $0.saveAsBlocked = true
        $0.allowedDataStorageLocations = [.box]
      }),
    Row(
      .allowedDataIngestionLocations,
      lax: {
        $0.blockDataIngestionIntoOrganizationDocuments = true
        $0.allowedDataIngestionLocations = [.camera]
      },
      strict: { $0.blockDataIngestionIntoOrganizationDocuments = true }),
    Row(
      .allowedOutboundClipboardSharingExceptionLength,
      lax: { $0.allowedOutboundClipboardSharingExceptionLength = 10 }, strict: { _ in }),
    Row(.dialerRestrictionLevel) { $0.dialerRestrictionLevel = .managedApps },
    Row(
      .dialerRestrictionLevel, lax: { $0.dialerRestrictionLevel = .managedApps },
      strict: { $0.dialerRestrictionLevel = .blocked }),
    Row(.customDialerAppProtocol) {
      $0.dialerRestrictionLevel = .customApp
      $0.customDialerAppProtocol = "skype"
    },
    Row(.protectedMessagingRedirectAppType) { $0.protectedMessagingRedirectAppType = .blocked },
    Row(.messagingRedirectAppUrlScheme) {
      $0.protectedMessagingRedirectAppType = .specificApps
      $0.messagingRedirectAppUrlScheme = "im"
    },
    Row(.customBrowserProtocol) { $0.customBrowserProtocol = "foo" },
    Row(
      .customBrowserProtocol,
      lax: {
        $0.managedBrowserToOpenLinksRequired = true
        $0.customBrowserProtocol = "foo"
      }, strict: { $0.managedBrowserToOpenLinksRequired = true }),
  ]

  static let launch: [Row] =
    [
      Row(
        .minimumPinLength, lax: { $0.minimumPinLength = 4 }, strict: { $0.minimumPinLength = 6 }),
      Row(
        .appActionIfMaximumPinRetriesExceeded, lax: { $0.maximumPinRetries = 5 },
        strict: {
          $0.maximumPinRetries = 5
          $0.appActionIfMaximumPinRetriesExceeded = .wipe
        }),
      Row(.previousPinBlockCount) { $0.previousPinBlockCount = 3 },
      Row(
        .periodOnlineBeforeAccessCheck, lax: { $0.periodOnlineBeforeAccessCheck = 60 },
        strict: { _ in }),
      Row(
        .appActionIfDeviceComplianceRequired, lax: { $0.deviceComplianceRequired = true },
        strict: {
          $0.deviceComplianceRequired = true
          $0.appActionIfDeviceComplianceRequired = .wipe
        }),
      Row(.allowedIosDeviceModels) { $0.allowedIosDeviceModels = ["a"] },
      Row(
        .allowedIosDeviceModels, lax: { $0.allowedIosDeviceModels = ["a", "b"] },
        strict: { $0.allowedIosDeviceModels = ["a"] }),
      Row(
        .appActionIfIosDeviceModelNotAllowed, lax: { $0.allowedIosDeviceModels = ["a"] },
        strict: {
          $0.allowedIosDeviceModels = ["a"]
          $0.appActionIfIosDeviceModelNotAllowed = .wipe
        }),
      Row(
        .mobileThreatDefenseRemediationAction,
        lax: { $0.maximumAllowedDeviceThreatLevel = .low },
        strict: {
          $0.maximumAllowedDeviceThreatLevel = .low
          $0.mobileThreatDefenseRemediationAction = .wipe
        }),
    ] + bound(.maximumPinRetries, \.maximumPinRetries)
    + bound(.periodBeforePinReset, \.periodBeforePinReset)
    + bound(.pinRequiredInsteadOfBiometricTimeout, \.pinRequiredInsteadOfBiometricTimeout)
    + bound(.periodOfflineBeforeAccessCheck, \.periodOfflineBeforeAccessCheck)
    + bound(.periodOfflineBeforeWipeIsEnforced, \.periodOfflineBeforeWipeIsEnforced)

  /// The rows for bounds. A bound is stricter than none. A higher minimum and a lower maximum are
  /// stricter.
  static let versions: [Row] = Setting.ofPolicies.flatMap { setting -> [Row] in
    guard case .version(let path) = setting.domain else { return [] }
    let isMaximum = setting.rawValue.hasPrefix("maximum")
    let (low, high) = (Version(16, 2), Version(16, 10))
    return [
      Row(setting, strict: { $0[keyPath: path] = low }),
      Row(
        setting, lax: { $0[keyPath: path] = isMaximum ? high : low },
        strict: { $0[keyPath: path] = isMaximum ? low : high }),
    ]
  }

  static let rows = values + transfer + launch + versions

  @Test(arguments: rows)
  func `a merge takes the stricter value in either order of policies`(row: Row) {
    let lax = MergingTests.document("lax", row.lax)
    let strict = MergingTests.document("strict", row.strict)
    for documents in [[lax, strict], [strict, lax]] {
      let merged = EffectivePolicy.merging(documents)
      #expect(merged.settings == strict.settings)
      #expect(merged.origins[row.setting]?.file == "strict")
    }
  }

  @Test func `true is the stricter value of a flag, except for three flags that relax`() {
    let relaxations = Setting.ofPolicies.filter {
      guard case .flag(_, let strictest) = $0.domain else { return false }
      return !strictest
    }
    #expect(
      relaxations == [
        .disableProtectionOfManagedOutboundOpenInData, .allowWidgetContentSync,
        .disableAppPinIfDevicePinIsSet,
      ])
  }

  /// The values of a choice from the most permissive to the strictest; `none` stands for an absent
  /// value.
  static let words: [(Setting, String)] = [
    (.allowedOutboundDataTransferDestinations, "allApps managedApps none"),
    (.allowedInboundDataTransferSources, "allApps managedApps none"),
    (.allowedOutboundClipboardSharingLevel, "allApps managedAppsWithPasteIn managedApps blocked"),
    (.dialerRestrictionLevel, "allApps customApp managedApps blocked"),
    (.protectedMessagingRedirectAppType, "anyApp specificApps anyManagedApp blocked"),
    (.managedBrowser, "notConfigured microsoftEdge"),
    (.notificationRestriction, "allow blockOrganizationalData block"),
    (.screenCaptureConfigurationState, "notBlocked none blocked"),
    (.writingToolsConfigurationState, "notBlocked none blocked"),
    (.genmojiConfigurationState, "notBlocked none blocked"),
    (
      .appDataEncryptionType,
      "useDeviceSettings afterDeviceRestart whenDeviceLockedExceptOpenFiles whenDeviceLocked"
    ),
    (.pinCharacterSet, "numeric alphanumericAndSymbol"),
    (.appActionIfDeviceComplianceRequired, "warn block wipe"),
    (.appActionIfUnableToAuthenticateUser, "none warn block wipe"),
    (.appActionIfAccountIsClockedOut, "none warn block wipe"),
    (.maximumAllowedDeviceThreatLevel, "notConfigured high medium low secured"),
  ]

  @Test(arguments: words)
  func `a setting's choices are ordered from permissive to strict`(setting: Setting, words: String)
  {
    let values = (setting.domain?.values ?? []).map { value in
      var settings = Settings()
      value(&settings)
      return settings.graphValue(of: setting)?.description ?? ""
    }
    #expect(values.joined(separator: " ") == words)
  }

  @Test func `the test's table of strictest values covers every policy setting`() {
    #expect(Set(Self.rows.map(\.setting)) == Set(Setting.ofPolicies))
  }
}
