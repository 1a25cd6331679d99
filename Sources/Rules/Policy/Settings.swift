public import Model

/// The settings of one effective policy: what an administrator chose, or Graph's documented default.
///
/// Names and values are those of Microsoft Graph's `iosManagedAppProtection`. The cases of every
/// enumeration are listed from the most permissive to the strictest.
public struct Settings: Sendable, Equatable {
  /// Every setting at its documented default.
  public init() {}

  // MARK: Data transfer

  public var allowedOutboundDataTransferDestinations: Destinations = .allApps
  public var allowedInboundDataTransferSources: Sources = .allApps
  public var disableProtectionOfManagedOutboundOpenInData = false
  public var filterOpenInToOnlyManagedApps = false
  public var protectInboundDataFromUnknownSources = false
  /// Schemes without colon, lower case.
  public var exemptedAppProtocols: Set<String> = []
  public var exemptedUniversalLinks: [LinkPattern] = []
  public var managedUniversalLinks: [LinkPattern] = []
  public var saveAsBlocked = false
  public var allowedDataStorageLocations: Set<StorageService> = []
  public var blockDataIngestionIntoOrganizationDocuments = false
  public var allowedDataIngestionLocations: Set<IngestionService> = []
  public var allowedOutboundClipboardSharingLevel: ClipboardLevel = .allApps
  /// In Unicode scalars, 0 to 65535; 0 means no exception.
  public var allowedOutboundClipboardSharingExceptionLength = 0
  public var dialerRestrictionLevel: DialerLevel = .allApps
  /// The scheme of the dialer app; empty means none.
  public var customDialerAppProtocol = ""
  public var protectedMessagingRedirectAppType: MessagingRedirect = .anyApp
  /// The scheme of the messaging app; empty means none.
  public var messagingRedirectAppUrlScheme = ""
  public var managedBrowser: Browser = .notConfigured
  public var managedBrowserToOpenLinksRequired = false
  /// The scheme of the unmanaged browser to use instead; empty means none.
  public var customBrowserProtocol = ""

  // MARK: Functionality

  public var printBlocked = false
  public var notificationRestriction: NotificationRestriction = .allow
  public var contactSyncBlocked = false
  public var allowWidgetContentSync = false
  public var dataBackupBlocked = false
  public var thirdPartyKeyboardsBlocked = false
  /// nil: follows Send.
  public var screenCaptureConfigurationState: ConfigurationState?
  /// nil: follows Send.
  public var writingToolsConfigurationState: ConfigurationState?
  /// nil: follows Send.
  public var genmojiConfigurationState: ConfigurationState?
  public var appDataEncryptionType: Encryption = .useDeviceSettings

  // MARK: Access requirements

  public var pinRequired = false
  public var pinCharacterSet: PINCharacters = .numeric
  public var simplePinBlocked = false
  /// In characters; 0 means any length.
  public var minimumPinLength = 0
  /// 0 means any number.
  public var maximumPinRetries = 0
  public var appActionIfMaximumPinRetriesExceeded: Remediation = .block
  /// In seconds; 0 means never.
  public var periodBeforePinReset = 0
  /// How many earlier PINs may not come again.
  public var previousPinBlockCount = 0
  public var fingerprintBlocked = false
  public var faceIdBlocked = false
  /// In seconds without use, after which the PIN is asked for instead of biometrics; 0 means never.
  public var pinRequiredInsteadOfBiometricTimeout = 0
  public var disableAppPinIfDevicePinIsSet = false
  public var organizationalCredentialsRequired = false
  /// In seconds; 0 means at every launch and resume.
  public var periodOnlineBeforeAccessCheck = 0

  // MARK: Conditional launch

  /// In seconds offline, after which org data is blocked; 0 means never.
  public var periodOfflineBeforeAccessCheck = 0
  /// In seconds offline, after which org data is wiped; 0 means never.
  public var periodOfflineBeforeWipeIsEnforced = 0
  /// Whether a jailbroken device is acted upon.
  public var deviceComplianceRequired = false
  public var appActionIfDeviceComplianceRequired: Remediation = .block
  /// nil: a disabled account is not acted upon.
  public var appActionIfUnableToAuthenticateUser: Remediation?
  /// nil: a clocked-out account is not acted upon.
  public var appActionIfAccountIsClockedOut: Remediation?
  // nil: no bound.
  public var minimumRequiredOsVersion: Version?
  public var minimumWarningOsVersion: Version?
  public var minimumWipeOsVersion: Version?
  public var maximumRequiredOsVersion: Version?
  public var maximumWarningOsVersion: Version?
  public var maximumWipeOsVersion: Version?
  public var minimumRequiredAppVersion: Version?
  public var minimumWarningAppVersion: Version?
  public var minimumWipeAppVersion: Version?
  public var minimumRequiredSdkVersion: Version?
  public var minimumWarningSdkVersion: Version?
  public var minimumWipeSdkVersion: Version?
  /// Model identifiers such as `iphone14,5`, lower case; nil: any model.
  public var allowedIosDeviceModels: Set<String>?
  public var appActionIfIosDeviceModelNotAllowed: Remediation = .block
  public var maximumAllowedDeviceThreatLevel: ThreatLevel = .notConfigured
  public var mobileThreatDefenseRemediationAction: Remediation = .block
}
