import Model
@testable import Policy
import Testing

/// Tests the values of settings in the admin centre's wording.
struct SettingWordsTests {
  static let rows: [(Setting, @Sendable (inout Settings) -> Void, String)] = [
    (.saveAsBlocked, { $0.saveAsBlocked = true }, "Block"),
    (.saveAsBlocked, { _ in }, "Allow"),
    (
      .allowedDataStorageLocations,
      { $0.allowedDataStorageLocations = [.sharePoint, .oneDriveForBusiness] },
      "OneDrive for Business, SharePoint"
    ),
    (.allowedDataStorageLocations, { _ in }, "none"),
    (
      .allowedDataIngestionLocations,
      { $0.allowedDataIngestionLocations = [.photoLibrary, .camera] }, "Camera, Photo Library"
    ),
    (
      .exemptedUniversalLinks, { $0.exemptedUniversalLinks = [LinkPattern("http://a")] }, "http://a"
    ),
    (.managedUniversalLinks, { _ in }, "none"),
    (.exemptedAppProtocols, { $0.exemptedAppProtocols = ["b", "a"] }, "a;b"),
    (.dialerRestrictionLevel, { _ in }, "Any dialer app"),
    (.dialerRestrictionLevel, { $0.dialerRestrictionLevel = .customApp }, "A specific dialer app"),
    (.customDialerAppProtocol, { $0.customDialerAppProtocol = "skype" }, "skype"),
    (
      .protectedMessagingRedirectAppType, { $0.protectedMessagingRedirectAppType = .blocked },
      "None, do not transfer this data between apps"
    ),
    (.messagingRedirectAppUrlScheme, { _ in }, "none"),
    (.managedBrowser, { _ in }, "Any app"),
    (.managedBrowserToOpenLinksRequired, { $0.customBrowserProtocol = "a" }, "Unmanaged browser"),
    (.managedBrowser, { $0.managedBrowserToOpenLinksRequired = true }, "Microsoft Edge"),
    (
      .notificationRestriction, { $0.notificationRestriction = .blockOrganizationalData },
      "Block org Data"
    ),
    (.allowWidgetContentSync, { _ in }, "Block"),
    (.allowWidgetContentSync, { $0.allowWidgetContentSync = true }, "Allow"),
    (.screenCaptureConfigurationState, { _ in }, "not configured"),
    (
      .screenCaptureConfigurationState, { $0.screenCaptureConfigurationState = .notBlocked },
      "Allow"
    ),
    (.genmojiConfigurationState, { $0.genmojiConfigurationState = .blocked }, "Block"),
    (
      .appDataEncryptionType, { $0.appDataEncryptionType = .whenDeviceLocked },
      "When device is locked"
    ),
    (.pinRequired, { $0.pinRequired = true }, "Require"),
    (.pinCharacterSet, { $0.pinCharacterSet = .alphanumericAndSymbol }, "Passcode"),
    (.minimumPinLength, { $0.minimumPinLength = 6 }, "6"),
    (.maximumPinRetries, { _ in }, "none"),
    (.appActionIfMaximumPinRetriesExceeded, { _ in }, "Reset PIN"),
    (
      .appActionIfMaximumPinRetriesExceeded, { $0.appActionIfMaximumPinRetriesExceeded = .wipe },
      "Wipe data"
    ),
    (.periodBeforePinReset, { _ in }, "No"),
    (.periodBeforePinReset, { $0.periodBeforePinReset = 7_776_000 }, "90 days"),
    (.periodBeforePinReset, { $0.periodBeforePinReset = 3600 }, "1 hour"),
    (.pinRequiredInsteadOfBiometricTimeout, { _ in }, "Not required"),
    (
      .pinRequiredInsteadOfBiometricTimeout, { $0.pinRequiredInsteadOfBiometricTimeout = 1800 },
      "30 minutes"
    ),
    (.disableAppPinIfDevicePinIsSet, { _ in }, "Enable"),
    (.organizationalCredentialsRequired, { _ in }, "Not required"),
    (.periodOnlineBeforeAccessCheck, { _ in }, "0 minutes"),
    (.periodOnlineBeforeAccessCheck, { $0.periodOnlineBeforeAccessCheck = 60 }, "1 minute"),
    (.periodOnlineBeforeAccessCheck, { $0.periodOnlineBeforeAccessCheck = 90 }, "90 seconds"),
    (.periodOfflineBeforeAccessCheck, { $0.periodOfflineBeforeAccessCheck = 43200 }, "12 hours"),
    (.periodOfflineBeforeWipeIsEnforced, { $0.periodOfflineBeforeWipeIsEnforced = 86400 }, "1 day"),
    (.deviceComplianceRequired, { _ in }, "not configured"),
    (.deviceComplianceRequired, { $0.deviceComplianceRequired = true }, "Block access"),
    (.appActionIfUnableToAuthenticateUser, { _ in }, "not configured"),
    (.appActionIfAccountIsClockedOut, { $0.appActionIfAccountIsClockedOut = .warn }, "Warn"),
    (.minimumRequiredOsVersion, { $0.minimumRequiredOsVersion = Version(17) }, "17.0"),
    (.minimumWipeSdkVersion, { _ in }, "none"),
    (.allowedIosDeviceModels, { _ in }, "any"),
    (.allowedIosDeviceModels, { $0.allowedIosDeviceModels = ["b", "a"] }, "a;b"),
    (
      .maximumAllowedDeviceThreatLevel, { $0.maximumAllowedDeviceThreatLevel = .secured },
      "Secured"
    ),
    (.mobileThreatDefenseRemediationAction, { _ in }, "Block access"),
  ]

  @Test(arguments: rows.indices)
  func `values are shown in the admin centre's words`(index: Int) {
    let (setting, edit, words) = Self.rows[index]
    var settings = Settings()
    edit(&settings)
    #expect(settings.words(for: setting) == words)
  }

  @Test(arguments: Setting.allCases)
  func `every policy setting has a label and values of the admin centre`(setting: Setting) {
    #expect((Settings().words(for: setting) != nil) == (setting.holder == .policy))
  }
}
