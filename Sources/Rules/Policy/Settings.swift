package import Model

/// The settings of one effective policy: the administrator's choices, or Graph's documented defaults.
///
/// Names and values follow Microsoft Graph's `iosManagedAppProtection`. The cases of every enumeration run
/// from the most permissive to the strictest.
package struct Settings: Sendable, Equatable {
  package init() {}

  // MARK: Data transfer

  package var allowedOutboundDataTransferDestinations: Destinations = .allApps
  package var allowedInboundDataTransferSources: Sources = .allApps
  package var disableProtectionOfManagedOutboundOpenInData = false
  package var filterOpenInToOnlyManagedApps = false
  package var protectInboundDataFromUnknownSources = false
  /// The exempted schemes, in lower case, without the colon.
  package var exemptedAppProtocols: Set<String> = []
  package var exemptedUniversalLinks: [LinkPattern] = []
  package var managedUniversalLinks: [LinkPattern] = []
  package var saveAsBlocked = false
  package var allowedDataStorageLocations: Set<StorageService> = []
  package var blockDataIngestionIntoOrganizationDocuments = false
  package var allowedDataIngestionLocations: Set<IngestionService> = []
  package var allowedOutboundClipboardSharingLevel: ClipboardLevel = .allApps
  /// The maximum length, in Unicode scalars, of a text that is exempt from the clipboard restriction, 0 to 65535; 0 for
  /// no exemption.
  package var allowedOutboundClipboardSharingExceptionLength = 0
  package var dialerRestrictionLevel: DialerLevel = .allApps
  /// The URL scheme of the designated dialer app; empty if there is none.
  package var customDialerAppProtocol = ""
  package var protectedMessagingRedirectAppType: MessagingRedirect = .anyApp
  /// The URL scheme of the designated messaging app; empty if there is none.
  package var messagingRedirectAppUrlScheme = ""
  package var managedBrowser: Browser = .notConfigured
  package var managedBrowserToOpenLinksRequired = false
  /// The URL scheme of the designated unmanaged browser; empty if there is none.
  package var customBrowserProtocol = ""

  // MARK: Functionality

  package var printBlocked = false
  package var notificationRestriction: NotificationRestriction = .allow
  package var contactSyncBlocked = false
  package var allowWidgetContentSync = false
  package var dataBackupBlocked = false
  package var thirdPartyKeyboardsBlocked = false
  /// The state of screen capture; nil if it follows "Send org data to other apps".
  package var screenCaptureConfigurationState: ConfigurationState?
  /// The state of Writing Tools; nil if it follows "Send org data to other apps".
  package var writingToolsConfigurationState: ConfigurationState?
  /// The state of Genmoji; nil if it follows "Send org data to other apps".
  package var genmojiConfigurationState: ConfigurationState?
  package var appDataEncryptionType: Encryption = .useDeviceSettings

  // MARK: Access requirements

  package var pinRequired = false
  package var pinCharacterSet: PINCharacters = .numeric
  package var simplePinBlocked = false
  /// The length in characters; 0 for any length.
  package var minimumPinLength = 0
  /// The number of attempts; 0 for no limit.
  package var maximumPinRetries = 0
  package var appActionIfMaximumPinRetriesExceeded: Remediation = .block
  /// The period in seconds; 0 for never.
  package var periodBeforePinReset = 0
  /// The number of earlier PINs that cannot be reused.
  package var previousPinBlockCount = 0
  package var fingerprintBlocked = false
  package var faceIdBlocked = false
  /// The idle time, in seconds, after which the PIN replaces biometrics; 0 for never.
  package var pinRequiredInsteadOfBiometricTimeout = 0
  package var disableAppPinIfDevicePinIsSet = false
  package var organizationalCredentialsRequired = false
  /// The idle time, in seconds, after which the app rechecks the access requirements; 0 for every launch and resume.
  package var periodOnlineBeforeAccessCheck = 0

  // MARK: Conditional launch

  /// The time since the app's last check-in, in seconds, after which org data is blocked; 0 for never.
  package var periodOfflineBeforeAccessCheck = 0
  /// The time since the app's last check-in, in seconds, after which org data is wiped; 0 for never.
  package var periodOfflineBeforeWipeIsEnforced = 0
  /// Whether the app takes an action if the device is jailbroken.
  package var deviceComplianceRequired = false
  package var appActionIfDeviceComplianceRequired: Remediation = .block
  /// The action on a disabled account; nil for none.
  package var appActionIfUnableToAuthenticateUser: Remediation?
  /// The action on a clocked-out account; nil for none.
  package var appActionIfAccountIsClockedOut: Remediation?
  // Nil means no bound.
  package var minimumRequiredOsVersion: Version?
  package var minimumWarningOsVersion: Version?
  package var minimumWipeOsVersion: Version?
  package var maximumRequiredOsVersion: Version?
  package var maximumWarningOsVersion: Version?
  package var maximumWipeOsVersion: Version?
  package var minimumRequiredAppVersion: Version?
  package var minimumWarningAppVersion: Version?
  package var minimumWipeAppVersion: Version?
  package var minimumRequiredSdkVersion: Version?
  package var minimumWarningSdkVersion: Version?
  package var minimumWipeSdkVersion: Version?
  /// The model identifiers, such as `iphone14,5`, in lower case; nil for any model.
  package var allowedIosDeviceModels: Set<String>?
  package var appActionIfIosDeviceModelNotAllowed: Remediation = .block
  package var maximumAllowedDeviceThreatLevel: ThreatLevel = .notConfigured
  package var mobileThreatDefenseRemediationAction: Remediation = .block

  /// The values of "Send org data to other apps".
  package enum Destinations: String, Sendable, CaseIterable {
    case allApps, managedApps, none
  }

  /// The values of "Receive data from other apps".
  package enum Sources: String, Sendable, CaseIterable {
    case allApps, managedApps, none
  }

  /// The values of "Restrict cut, copy, and paste between other apps".
  package enum ClipboardLevel: String, Sendable, CaseIterable {
    case allApps, managedAppsWithPasteIn, managedApps, blocked
  }

  /// The values of "Restrict web content transfer with other apps".
  package enum Browser: String, Sendable, CaseIterable {
    case notConfigured, microsoftEdge
  }

  /// The values of "Allow user to save copies to selected services".
  package enum StorageService: String, Sendable, CaseIterable {
    case oneDriveForBusiness, sharePoint, box, localStorage, photoLibrary, iManage, egnyte
  }

  /// The values of "Allow users to open data from selected services".
  package enum IngestionService: String, Sendable, CaseIterable {
    case oneDriveForBusiness, sharePoint, camera, photoLibrary, box, iManage, egnyte
  }

  /// The values of "Transfer telecommunication data to".
  package enum DialerLevel: String, Sendable, CaseIterable {
    case allApps, customApp, managedApps, blocked
  }

  /// The values of "Transfer messaging data to".
  package enum MessagingRedirect: String, Sendable, CaseIterable {
    case anyApp, specificApps, anyManagedApp, blocked
  }

  /// The values of "Org data notifications".
  package enum NotificationRestriction: String, Sendable, CaseIterable {
    case allow, blockOrganizationalData, block
  }

  /// The state of screen capture, Writing Tools or Genmoji.
  package enum ConfigurationState: String, Sendable, CaseIterable {
    case notBlocked, blocked
  }

  /// The values of "Encrypt org data".
  package enum Encryption: String, Sendable, CaseIterable {
    case useDeviceSettings, afterDeviceRestart, whenDeviceLockedExceptOpenFiles, whenDeviceLocked
  }

  /// The values of "PIN type".
  package enum PINCharacters: String, Sendable, CaseIterable {
    case numeric, alphanumericAndSymbol
  }

  /// An app's action if a condition is not met. For PIN retries, `block` is a PIN reset.
  package enum Remediation: String, Sendable, CaseIterable {
    case warn, block, wipe
  }

  /// The values of "Max allowed device threat level": the highest allowed level.
  package enum ThreatLevel: String, Sendable, CaseIterable {
    case notConfigured, high, medium, low, secured
  }

  /// Returns the settings with different values, in the order of ``Setting``.
  package func differences(from other: Settings) -> [Setting] {
    SettingTable.entries.filter { !$0.reading.agrees(self, other) }.map(\.setting)
  }

  package mutating func copy(_ setting: Setting, from other: Settings) {
    SettingTable.row(of: setting).reading?.merge([other], &self)
  }
}
