internal import Diagnostics

/// The properties of Graph's `iosManagedAppProtection`, inherited ones included, and the JSON type of each.
///
/// Source: Microsoft Graph, resource types `managedAppPolicy`, `managedAppProtection`,
/// `targetedManagedAppProtection` and `iosManagedAppProtection`, v1.0 and beta.
enum KnownProperties {
  /// What Graph lets a property hold; null is allowed everywhere and means absent.
  enum Kind {
    case boolean, integer, text, duration, texts, objects
    /// An object or an array that Graph adds on request (`$expand`).
    case expansion
  }

  static func kind(of name: String) -> Kind? { kinds[name] }

  static let names = Vocabulary(kinds.keys)

  private static let kinds: [String: Kind] = {
    var kinds: [String: Kind] = [:]
    for (kind, names) in table {
      for name in names { kinds[name] = kind }
    }
    return kinds
  }()

  private static let table: [(Kind, [String])] = [
    (
      .boolean,
      [
        "allowWidgetContentSync", "blockDataIngestionIntoOrganizationDocuments",
        "contactSyncBlocked", "dataBackupBlocked", "deviceComplianceRequired",
        "disableAppPinIfDevicePinIsSet", "disableProtectionOfManagedOutboundOpenInData",
        "faceIdBlocked", "filterOpenInToOnlyManagedApps", "fingerprintBlocked", "isAssigned",
        "managedBrowserToOpenLinksRequired", "organizationalCredentialsRequired",
        "periodBeforePinResetRequired", "pinRequired", "pinRequiredInsteadOfBiometric",
        "printBlocked", "protectInboundDataFromUnknownSources", "saveAsBlocked",
        "simplePinBlocked", "thirdPartyKeyboardsBlocked",
      ]
    ),
    (
      .integer,
      [
        "allowedOutboundClipboardSharingExceptionLength",
        "blockAfterCompanyPortalUpdateDeferralInDays", "deployedAppCount", "maximumPinRetries",
        "minimumPinLength", "previousPinBlockCount", "warnAfterCompanyPortalUpdateDeferralInDays",
        "wipeAfterCompanyPortalUpdateDeferralInDays",
      ]
    ),
    (
      .text,
      [
        "allowedInboundDataTransferSources", "allowedIosDeviceModels",
        "allowedOutboundClipboardSharingLevel", "allowedOutboundDataTransferDestinations",
        "appActionIfAccountIsClockedOut", "appActionIfDeviceComplianceRequired",
        "appActionIfIosDeviceModelNotAllowed", "appActionIfMaximumPinRetriesExceeded",
        "appActionIfUnableToAuthenticateUser", "appDataEncryptionType", "appGroupType",
        "createdDateTime", "customBrowserDisplayName", "customBrowserPackageId",
        "customBrowserProtocol", "customDialerAppDisplayName", "customDialerAppPackageId",
        "customDialerAppProtocol", "description", "dialerRestrictionLevel", "displayName",
        "genmojiConfigurationState", "id", "lastModifiedDateTime", "managedBrowser",
        "maximumAllowedDeviceThreatLevel", "maximumRequiredOsVersion", "maximumWarningOsVersion",
        "maximumWipeOsVersion", "messagingRedirectAppDisplayName", "messagingRedirectAppPackageId",
        "messagingRedirectAppUrlScheme", "minimumRequiredAppVersion",
        "minimumRequiredCompanyPortalVersion", "minimumRequiredOsVersion",
        "minimumRequiredSdkVersion", "minimumWarningAppVersion",
        "minimumWarningCompanyPortalVersion", "minimumWarningOsVersion",
        "minimumWarningSdkVersion", "minimumWipeAppVersion", "minimumWipeCompanyPortalVersion",
        "minimumWipeOsVersion", "minimumWipeSdkVersion", "mobileThreatDefensePartnerPriority",
        "mobileThreatDefenseRemediationAction", "notificationRestriction", "pinCharacterSet",
        "protectedMessagingRedirectAppType", "screenCaptureConfigurationState",
        "shareWithBrowserVirtualSetting", "targetedAppManagementLevels", "version",
        "writingToolsConfigurationState",
      ]
    ),
    (
      .duration,
      [
        "gracePeriodToBlockAppsDuringOffClockHours", "periodBeforePinReset",
        "periodOfflineBeforeAccessCheck", "periodOfflineBeforeWipeIsEnforced",
        "periodOnlineBeforeAccessCheck", "pinRequiredInsteadOfBiometricTimeout",
      ]
    ),
    (
      .texts,
      [
        "allowedDataIngestionLocations", "allowedDataStorageLocations", "exemptedUniversalLinks",
        "managedUniversalLinks", "roleScopeTagIds",
      ]
    ),
    (.objects, ["apps", "assignments", "exemptedAppPackages", "exemptedAppProtocols"]),
    (.expansion, ["deploymentSummary"]),
  ]
}
