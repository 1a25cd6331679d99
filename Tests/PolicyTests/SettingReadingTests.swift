import Model
import Policy
import Testing

/// What each setting of a file becomes.
struct SettingReadingTests {
  /// A property as it stands in a file, and what it makes of the defaults.
  struct Row: Sendable, CustomTestStringConvertible {
    var setting: Setting
    var json: String
    var edit: @Sendable (inout Settings) -> Void

    init(_ setting: Setting, _ json: String, _ edit: @escaping @Sendable (inout Settings) -> Void) {
      self.setting = setting
      self.json = json
      self.edit = edit
    }

    var testDescription: String { "\(setting.rawValue): \(json)" }
  }

  static let transfer: [Row] = [
    Row(.allowedOutboundDataTransferDestinations, #""none""#) {
      $0.allowedOutboundDataTransferDestinations = .none
    },
    Row(.allowedInboundDataTransferSources, #""managedApps""#) {
      $0.allowedInboundDataTransferSources = .managedApps
    },
    Row(.disableProtectionOfManagedOutboundOpenInData, "true") {
      $0.disableProtectionOfManagedOutboundOpenInData = true
    },
    Row(.filterOpenInToOnlyManagedApps, "true") { $0.filterOpenInToOnlyManagedApps = true },
    Row(.protectInboundDataFromUnknownSources, "true") {
      $0.protectInboundDataFromUnknownSources = true
    },
    Row(.exemptedAppProtocols, #"[{"name": "a", "value": "B;c:"}, {"name": "d", "value": ""}]"#) {
      $0.exemptedAppProtocols = ["b", "c"]
    },
    Row(.exemptedUniversalLinks, #"["https://b.c/*", "HTTP://a.b", ""]"#) {
      $0.exemptedUniversalLinks = [LinkPattern("https://b.c/*"), LinkPattern("HTTP://a.b")]
    },
    Row(.managedUniversalLinks, #"[" https://*.a.b "]"#) {
      $0.managedUniversalLinks = [LinkPattern("https://*.a.b")]
    },
    Row(.managedUniversalLinks, #"["tel://"]"#) {
      $0.managedUniversalLinks = [LinkPattern("tel://")]
    },
    Row(.saveAsBlocked, "true") { $0.saveAsBlocked = true },
    Row(
      .allowedDataStorageLocations,
      """
      ["oneDriveForBusiness", "sharePoint", "box", "localStorage", "photoLibrary", "iManage", "egnyte"]
      """
    ) {
      $0.allowedDataStorageLocations = Set(Settings.StorageService.allCases)
    },
    Row(.allowedDataStorageLocations, #"["box", "unknownFutureValue", "box"]"#) {
      $0.allowedDataStorageLocations = [.box]
    },
    Row(.allowedDataStorageLocations, "[]") { _ in },
    Row(.blockDataIngestionIntoOrganizationDocuments, "true") {
      $0.blockDataIngestionIntoOrganizationDocuments = true
    },
    Row(
      .allowedDataIngestionLocations,
      #"["oneDriveForBusiness", "sharePoint", "camera", "photoLibrary", "box", "iManage", "egnyte"]"#
    ) {
      $0.allowedDataIngestionLocations = Set(Settings.IngestionService.allCases)
    },
    Row(.allowedOutboundClipboardSharingLevel, #""managedAppsWithPasteIn""#) {
      $0.allowedOutboundClipboardSharingLevel = .managedAppsWithPasteIn
    },
    Row(.allowedOutboundClipboardSharingExceptionLength, "65535") {
      $0.allowedOutboundClipboardSharingExceptionLength = 65535
    },
    Row(.dialerRestrictionLevel, #""customApp""#) { $0.dialerRestrictionLevel = .customApp },
    Row(.customDialerAppProtocol, #""Skype:""#) { $0.customDialerAppProtocol = "skype" },
    Row(.customDialerAppProtocol, #""""#) { _ in },
    Row(.protectedMessagingRedirectAppType, #""anyManagedApp""#) {
      $0.protectedMessagingRedirectAppType = .anyManagedApp
    },
    Row(.messagingRedirectAppUrlScheme, #""im""#) { $0.messagingRedirectAppUrlScheme = "im" },
    Row(.managedBrowser, #""microsoftEdge""#) { $0.managedBrowser = .microsoftEdge },
    Row(.managedBrowserToOpenLinksRequired, "true") { $0.managedBrowserToOpenLinksRequired = true },
    Row(.customBrowserProtocol, #""Foo""#) { $0.customBrowserProtocol = "foo" },
  ]

  static let functionality: [Row] = [
    Row(.printBlocked, "true") { $0.printBlocked = true },
    Row(.notificationRestriction, #""blockOrganizationalData""#) {
      $0.notificationRestriction = .blockOrganizationalData
    },
    Row(.contactSyncBlocked, "true") { $0.contactSyncBlocked = true },
    Row(.allowWidgetContentSync, "true") { $0.allowWidgetContentSync = true },
    Row(.dataBackupBlocked, "true") { $0.dataBackupBlocked = true },
    Row(.thirdPartyKeyboardsBlocked, "true") { $0.thirdPartyKeyboardsBlocked = true },
    Row(.screenCaptureConfigurationState, #""blocked""#) {
      $0.screenCaptureConfigurationState = .blocked
    },
    Row(.writingToolsConfigurationState, #""notBlocked""#) {
      $0.writingToolsConfigurationState = .notBlocked
    },
    Row(.genmojiConfigurationState, #""blocked""#) { $0.genmojiConfigurationState = .blocked },
    Row(.genmojiConfigurationState, #""unknownFutureValue""#) { _ in },
    Row(.appDataEncryptionType, #""whenDeviceLockedExceptOpenFiles""#) {
      $0.appDataEncryptionType = .whenDeviceLockedExceptOpenFiles
    },
  ]

  static let access: [Row] = [
    Row(.pinRequired, "true") { $0.pinRequired = true },
    Row(.pinCharacterSet, #""alphanumericAndSymbol""#) {
      $0.pinCharacterSet = .alphanumericAndSymbol
    },
    Row(.simplePinBlocked, "true") { $0.simplePinBlocked = true },
    Row(.minimumPinLength, "6") { $0.minimumPinLength = 6 },
    Row(.minimumPinLength, "6.0") { $0.minimumPinLength = 6 },
    Row(.maximumPinRetries, "5") { $0.maximumPinRetries = 5 },
    Row(.appActionIfMaximumPinRetriesExceeded, #""wipe""#) {
      $0.appActionIfMaximumPinRetriesExceeded = .wipe
    },
    Row(.periodBeforePinReset, #""P90D""#) { $0.periodBeforePinReset = 7_776_000 },
    Row(.previousPinBlockCount, "24") { $0.previousPinBlockCount = 24 },
    Row(.fingerprintBlocked, "true") { $0.fingerprintBlocked = true },
    Row(.faceIdBlocked, "true") { $0.faceIdBlocked = true },
    Row(.pinRequiredInsteadOfBiometricTimeout, #""PT30M""#) {
      $0.pinRequiredInsteadOfBiometricTimeout = 1800
    },
    Row(.disableAppPinIfDevicePinIsSet, "true") { $0.disableAppPinIfDevicePinIsSet = true },
    Row(.organizationalCredentialsRequired, "true") { $0.organizationalCredentialsRequired = true },
    Row(.periodOnlineBeforeAccessCheck, #""PT30M""#) { $0.periodOnlineBeforeAccessCheck = 1800 },
  ]

  static let conditionalLaunch: [Row] = [
    Row(.periodOfflineBeforeAccessCheck, #""PT720M""#) {
      $0.periodOfflineBeforeAccessCheck = 43200
    },
    Row(.periodOfflineBeforeWipeIsEnforced, #""P90D""#) {
      $0.periodOfflineBeforeWipeIsEnforced = 7_776_000
    },
    Row(.deviceComplianceRequired, "true") { $0.deviceComplianceRequired = true },
    Row(.appActionIfDeviceComplianceRequired, #""wipe""#) {
      $0.appActionIfDeviceComplianceRequired = .wipe
    },
    Row(.appActionIfDeviceComplianceRequired, #""blockWhenSettingIsSupported""#) { _ in },
    Row(.appActionIfUnableToAuthenticateUser, #""blockWhenSettingIsSupported""#) {
      $0.appActionIfUnableToAuthenticateUser = .block
    },
    Row(.appActionIfAccountIsClockedOut, #""warn""#) { $0.appActionIfAccountIsClockedOut = .warn },
    Row(.minimumRequiredOsVersion, #""16.4.1""#) {
      $0.minimumRequiredOsVersion = Version(16, 4, 1)
    },
    Row(.minimumRequiredOsVersion, #""""#) { _ in },
    Row(.minimumRequiredOsVersion, #""0.0""#) { _ in },
    Row(.minimumWarningOsVersion, #""17.0""#) { $0.minimumWarningOsVersion = Version(17) },
    Row(.minimumWipeOsVersion, #""15""#) { $0.minimumWipeOsVersion = Version(15) },
    Row(.maximumRequiredOsVersion, #""19.0""#) { $0.maximumRequiredOsVersion = Version(19) },
    Row(.maximumWarningOsVersion, #""18.0""#) { $0.maximumWarningOsVersion = Version(18) },
    Row(.maximumWipeOsVersion, #""20.0""#) { $0.maximumWipeOsVersion = Version(20) },
    Row(.minimumRequiredAppVersion, #""4.2""#) { $0.minimumRequiredAppVersion = Version(4, 2) },
    Row(.minimumWarningAppVersion, #""4.3""#) { $0.minimumWarningAppVersion = Version(4, 3) },
    Row(.minimumWipeAppVersion, #""4.1""#) { $0.minimumWipeAppVersion = Version(4, 1) },
    Row(.minimumRequiredSdkVersion, #""19.7.6""#) {
      $0.minimumRequiredSdkVersion = Version(19, 7, 6)
    },
    Row(.minimumWarningSdkVersion, #""20.2.1""#) {
      $0.minimumWarningSdkVersion = Version(20, 2, 1)
    },
    Row(.minimumWipeSdkVersion, #""15.1.0""#) { $0.minimumWipeSdkVersion = Version(15, 1) },
    Row(.allowedIosDeviceModels, #""iPhone14,5; iPad7,11 ;;""#) {
      $0.allowedIosDeviceModels = ["iphone14,5", "ipad7,11"]
    },
    Row(.allowedIosDeviceModels, #"" ; ""#) { _ in },
    Row(.appActionIfIosDeviceModelNotAllowed, #""wipe""#) {
      $0.appActionIfIosDeviceModelNotAllowed = .wipe
    },
    Row(.maximumAllowedDeviceThreatLevel, #""low""#) { $0.maximumAllowedDeviceThreatLevel = .low },
    Row(.mobileThreatDefenseRemediationAction, #""wipe""#) {
      $0.mobileThreatDefenseRemediationAction = .wipe
    },
  ]

  static let rows = transfer + functionality + access + conditionalLaunch

  @Test(arguments: rows)
  func `a property of the file becomes a setting`(row: Row) throws {
    let text = "{\"displayName\": \"A\",\n\"\(row.setting.rawValue)\": \(row.json)}"
    var expected = Settings()
    row.edit(&expected)
    let document = try PolicyReaderTests.document(text)
    #expect(document.settings == expected)
    #expect(document.origins == [row.setting: .init(file: "p.json", line: 2, policy: "A")])
    #expect(document.unknownProperties.isEmpty)
  }

  @Test(arguments: Set(rows.map(\.setting)))
  func `null is absent`(setting: Setting) throws {
    let document = try PolicyReaderTests.document("{\"\(setting.rawValue)\": null}")
    #expect(document.settings == Settings())
    #expect(document.origins.isEmpty)
  }

  @Test func `every setting that policies hold is read`() {
    let held = Set(Setting.allCases.filter { $0.holder == .policy })
    #expect(Set(Self.rows.map(\.setting)) == held)
  }
}
