import Model
import Policy
import Testing

/// Which of two values of each setting is the stricter.
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

  static func version(
    _ setting: Setting, _ path: any WritableKeyPath<Settings, Version?> & Sendable
  )
    -> [Row]
  {
    let isMaximum = setting.rawValue.hasPrefix("maximum")
    let (low, high) = (Version(16, 2), Version(16, 10))
    return [
      Row(setting, strict: { $0[keyPath: path] = low }),
      Row(
        setting, lax: { $0[keyPath: path] = isMaximum ? high : low },
        strict: { $0[keyPath: path] = isMaximum ? low : high }),
    ]
  }

  static func bound(_ setting: Setting, _ path: any WritableKeyPath<Settings, Int> & Sendable)
    -> [Row]
  {
    [
      Row(setting, strict: { $0[keyPath: path] = 60 }),
      Row(setting, lax: { $0[keyPath: path] = 120 }, strict: { $0[keyPath: path] = 60 }),
    ]
  }

  static func state(
    _ setting: Setting,
    _ path: any WritableKeyPath<Settings, Settings.ConfigurationState?> & Sendable
  ) -> [Row] {
    [
      Row(
        setting, lax: { $0[keyPath: path] = .notBlocked }, strict: { $0[keyPath: path] = .blocked }),
      Row(setting, lax: { $0[keyPath: path] = nil }, strict: { $0[keyPath: path] = .blocked }),
      Row(setting, lax: { $0[keyPath: path] = .notBlocked }, strict: { $0[keyPath: path] = nil }),
    ]
  }

  static let transfer: [Row] = [
    Row(.allowedOutboundDataTransferDestinations) {
      $0.allowedOutboundDataTransferDestinations = .managedApps
    },
    Row(.allowedInboundDataTransferSources) { $0.allowedInboundDataTransferSources = .none },
    Row(
      .disableProtectionOfManagedOutboundOpenInData,
      lax: { $0.disableProtectionOfManagedOutboundOpenInData = true }, strict: { _ in }),
    Row(.filterOpenInToOnlyManagedApps) { $0.filterOpenInToOnlyManagedApps = true },
    Row(.protectInboundDataFromUnknownSources) { $0.protectInboundDataFromUnknownSources = true },
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
    Row(.saveAsBlocked) { $0.saveAsBlocked = true },
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
    Row(.blockDataIngestionIntoOrganizationDocuments) {
      $0.blockDataIngestionIntoOrganizationDocuments = true
    },
    Row(
      .allowedDataIngestionLocations,
      lax: {
        $0.blockDataIngestionIntoOrganizationDocuments = true
        $0.allowedDataIngestionLocations = [.camera]
      },
      strict: { $0.blockDataIngestionIntoOrganizationDocuments = true }),
    Row(
      .allowedOutboundClipboardSharingLevel,
      lax: { $0.allowedOutboundClipboardSharingLevel = .managedAppsWithPasteIn },
      strict: { $0.allowedOutboundClipboardSharingLevel = .managedApps }),
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
    Row(.managedBrowser) { $0.managedBrowser = .microsoftEdge },
    Row(.managedBrowserToOpenLinksRequired) { $0.managedBrowserToOpenLinksRequired = true },
    Row(.customBrowserProtocol) { $0.customBrowserProtocol = "foo" },
    Row(
      .customBrowserProtocol,
      lax: {
        $0.managedBrowserToOpenLinksRequired = true
        $0.customBrowserProtocol = "foo"
      }, strict: { $0.managedBrowserToOpenLinksRequired = true }),
  ]

  static let functionality: [Row] =
    [
      Row(.printBlocked) { $0.printBlocked = true },
      Row(
        .notificationRestriction, lax: { $0.notificationRestriction = .blockOrganizationalData },
        strict: { $0.notificationRestriction = .block }),
      Row(.contactSyncBlocked) { $0.contactSyncBlocked = true },
      Row(.allowWidgetContentSync, lax: { $0.allowWidgetContentSync = true }, strict: { _ in }),
      Row(.dataBackupBlocked) { $0.dataBackupBlocked = true },
      Row(.thirdPartyKeyboardsBlocked) { $0.thirdPartyKeyboardsBlocked = true },
      Row(
        .appDataEncryptionType, lax: { $0.appDataEncryptionType = .afterDeviceRestart },
        strict: { $0.appDataEncryptionType = .whenDeviceLocked }),
    ] + state(.screenCaptureConfigurationState, \.screenCaptureConfigurationState)
    + state(.writingToolsConfigurationState, \.writingToolsConfigurationState)
    + state(.genmojiConfigurationState, \.genmojiConfigurationState)

  static let access: [Row] =
    [
      Row(.pinRequired) { $0.pinRequired = true },
      Row(.pinCharacterSet) { $0.pinCharacterSet = .alphanumericAndSymbol },
      Row(.simplePinBlocked) { $0.simplePinBlocked = true },
      Row(
        .minimumPinLength, lax: { $0.minimumPinLength = 4 }, strict: { $0.minimumPinLength = 6 }),
      Row(
        .appActionIfMaximumPinRetriesExceeded, lax: { $0.maximumPinRetries = 5 },
        strict: {
          $0.maximumPinRetries = 5
          $0.appActionIfMaximumPinRetriesExceeded = .wipe
        }),
      Row(.previousPinBlockCount) { $0.previousPinBlockCount = 3 },
      Row(.fingerprintBlocked) { $0.fingerprintBlocked = true },
      Row(.faceIdBlocked) { $0.faceIdBlocked = true },
      Row(
        .disableAppPinIfDevicePinIsSet, lax: { $0.disableAppPinIfDevicePinIsSet = true },
        strict: { _ in }),
      Row(.organizationalCredentialsRequired) { $0.organizationalCredentialsRequired = true },
      Row(
        .periodOnlineBeforeAccessCheck, lax: { $0.periodOnlineBeforeAccessCheck = 60 },
        strict: { _ in }),
    ] + bound(.maximumPinRetries, \.maximumPinRetries)
    + bound(.periodBeforePinReset, \.periodBeforePinReset)
    + bound(.pinRequiredInsteadOfBiometricTimeout, \.pinRequiredInsteadOfBiometricTimeout)

  static let conditionalLaunch: [Row] =
    [
      Row(.deviceComplianceRequired) { $0.deviceComplianceRequired = true },
      Row(
        .appActionIfDeviceComplianceRequired, lax: { $0.deviceComplianceRequired = true },
        strict: {
          $0.deviceComplianceRequired = true
          $0.appActionIfDeviceComplianceRequired = .wipe
        }),
      Row(.appActionIfUnableToAuthenticateUser) { $0.appActionIfUnableToAuthenticateUser = .warn },
      Row(
        .appActionIfUnableToAuthenticateUser,
        lax: { $0.appActionIfUnableToAuthenticateUser = .block },
        strict: { $0.appActionIfUnableToAuthenticateUser = .wipe }),
      Row(
        .appActionIfAccountIsClockedOut, lax: { $0.appActionIfAccountIsClockedOut = .warn },
        strict: { $0.appActionIfAccountIsClockedOut = .block }),
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
      Row(.maximumAllowedDeviceThreatLevel) { $0.maximumAllowedDeviceThreatLevel = .high },
      Row(
        .maximumAllowedDeviceThreatLevel, lax: { $0.maximumAllowedDeviceThreatLevel = .low },
        strict: { $0.maximumAllowedDeviceThreatLevel = .secured }),
      Row(
        .mobileThreatDefenseRemediationAction,
        lax: { $0.maximumAllowedDeviceThreatLevel = .low },
        strict: {
          $0.maximumAllowedDeviceThreatLevel = .low
          $0.mobileThreatDefenseRemediationAction = .wipe
        }),
    ] + bound(.periodOfflineBeforeAccessCheck, \.periodOfflineBeforeAccessCheck)
    + bound(.periodOfflineBeforeWipeIsEnforced, \.periodOfflineBeforeWipeIsEnforced)

  static let versions: [Row] =
    version(.minimumRequiredOsVersion, \.minimumRequiredOsVersion)
    + version(.minimumWarningOsVersion, \.minimumWarningOsVersion)
    + version(.minimumWipeOsVersion, \.minimumWipeOsVersion)
    + version(.maximumRequiredOsVersion, \.maximumRequiredOsVersion)
    + version(.maximumWarningOsVersion, \.maximumWarningOsVersion)
    + version(.maximumWipeOsVersion, \.maximumWipeOsVersion)
    + version(.minimumRequiredAppVersion, \.minimumRequiredAppVersion)
    + version(.minimumWarningAppVersion, \.minimumWarningAppVersion)
    + version(.minimumWipeAppVersion, \.minimumWipeAppVersion)
    + version(.minimumRequiredSdkVersion, \.minimumRequiredSdkVersion)
    + version(.minimumWarningSdkVersion, \.minimumWarningSdkVersion)
    + version(.minimumWipeSdkVersion, \.minimumWipeSdkVersion)

  static let rows = transfer + functionality + access + conditionalLaunch + versions

  @Test(arguments: rows)
  func `the stricter value wins in both orders`(row: Row) {
    let lax = MergingTests.document("lax", row.lax)
    let strict = MergingTests.document("strict", row.strict)
    for documents in [[lax, strict], [strict, lax]] {
      let merged = EffectivePolicy.merging(documents)
      #expect(merged.settings == strict.settings)
      #expect(merged.origins[row.setting]?.file == "strict")
    }
  }

  @Test func `the table covers every setting that policies hold`() {
    #expect(Set(Self.rows.map(\.setting)) == Set(MergingTests.policySettings))
  }
}
