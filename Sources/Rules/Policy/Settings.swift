public import Model

/// The settings of one effective policy: the administrator's choices, or Graph's documented defaults.
///
/// Names and values are those of Microsoft Graph's `iosManagedAppProtection`. The cases of every
/// enumeration are listed from the most permissive to the strictest.
public struct Settings: Sendable, Equatable {
  /// Creates settings with their documented defaults.
  public init() {}

  // MARK: Data transfer

  public var allowedOutboundDataTransferDestinations: Destinations = .allApps
  public var allowedInboundDataTransferSources: Sources = .allApps
  public var disableProtectionOfManagedOutboundOpenInData = false
  public var filterOpenInToOnlyManagedApps = false
  public var protectInboundDataFromUnknownSources = false
  /// The exempted schemes, without colon, in lower case.
  public var exemptedAppProtocols: Set<String> = []
  public var exemptedUniversalLinks: [LinkPattern] = []
  public var managedUniversalLinks: [LinkPattern] = []
  public var saveAsBlocked = false
  public var allowedDataStorageLocations: Set<StorageService> = []
  public var blockDataIngestionIntoOrganizationDocuments = false
  public var allowedDataIngestionLocations: Set<IngestionService> = []
  public var allowedOutboundClipboardSharingLevel: ClipboardLevel = .allApps
  /// The length in Unicode scalars, 0 to 65535; 0 means no exception.
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
  /// The state of screen capture; nil: follows Send.
  public var screenCaptureConfigurationState: ConfigurationState?
  /// The state of writing tools; nil: follows Send.
  public var writingToolsConfigurationState: ConfigurationState?
  /// The state of Genmoji; nil: follows Send.
  public var genmojiConfigurationState: ConfigurationState?
  public var appDataEncryptionType: Encryption = .useDeviceSettings

  // MARK: Access requirements

  public var pinRequired = false
  public var pinCharacterSet: PINCharacters = .numeric
  public var simplePinBlocked = false
  /// The length in characters; 0 means any length.
  public var minimumPinLength = 0
  /// The number of retries; 0 means any number.
  public var maximumPinRetries = 0
  public var appActionIfMaximumPinRetriesExceeded: Remediation = .block
  /// The period in seconds; 0 means never.
  public var periodBeforePinReset = 0
  /// The number of earlier PINs that may not be used again.
  public var previousPinBlockCount = 0
  public var fingerprintBlocked = false
  public var faceIdBlocked = false
  /// The time without use, in seconds, after which the PIN is asked for instead of biometrics; 0 means never.
  public var pinRequiredInsteadOfBiometricTimeout = 0
  public var disableAppPinIfDevicePinIsSet = false
  public var organizationalCredentialsRequired = false
  /// The period in seconds; 0 means at every launch and resume.
  public var periodOnlineBeforeAccessCheck = 0

  // MARK: Conditional launch

  /// The time since the app's last check-in, in seconds, after which org data is blocked; 0 means never.
  public var periodOfflineBeforeAccessCheck = 0
  /// The time since the app's last check-in, in seconds, after which org data is wiped; 0 means never.
  public var periodOfflineBeforeWipeIsEnforced = 0
  /// Whether the app acts on a jailbroken device.
  public var deviceComplianceRequired = false
  public var appActionIfDeviceComplianceRequired: Remediation = .block
  /// The action on a disabled account; nil: the app does not act on it.
  public var appActionIfUnableToAuthenticateUser: Remediation?
  /// The action on a clocked-out account; nil: the app does not act on it.
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
  /// The model identifiers, such as `iphone14,5`, in lower case; nil: any model.
  public var allowedIosDeviceModels: Set<String>?
  public var appActionIfIosDeviceModelNotAllowed: Remediation = .block
  public var maximumAllowedDeviceThreatLevel: ThreatLevel = .notConfigured
  public var mobileThreatDefenseRemediationAction: Remediation = .block
}
