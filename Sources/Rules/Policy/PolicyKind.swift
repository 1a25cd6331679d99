internal import Diagnostics
internal import GraphDocuments

/// App protection policies for iOS: Graph's `iosManagedAppProtection`.
enum PolicyKind: AppDocumentKind {
  typealias ErrorCode = PolicyErrorCode
  typealias WarningCode = PolicyWarningCode

  static let indefiniteName = "a policy"
  static let definiteName = "the policy"
  static let appWithoutBundleID: PolicyWarningCode? = .appWithoutBundleID

  /// The words as a phrase: `` `a`, `b` or `c` ``.
  static func list(_ words: [String]) -> String { Phrase.any(of: words.map { "`\($0)`" }) }

  /// The documented properties of a policy.
  ///
  /// Source: Microsoft Graph, resource types `managedAppPolicy`, `managedAppProtection`,
  /// `targetedManagedAppProtection` and `iosManagedAppProtection`, v1.0 and beta.
  static let properties = KnownProperties([
    .boolean: [
      "allowWidgetContentSync", "blockDataIngestionIntoOrganizationDocuments",
      "contactSyncBlocked", "dataBackupBlocked", "deviceComplianceRequired",
      "disableAppPinIfDevicePinIsSet", "disableProtectionOfManagedOutboundOpenInData",
      "faceIdBlocked", "filterOpenInToOnlyManagedApps", "fingerprintBlocked", "isAssigned",
      "managedBrowserToOpenLinksRequired", "organizationalCredentialsRequired",
      "periodBeforePinResetRequired", "pinRequired", "pinRequiredInsteadOfBiometric",
      "printBlocked", "protectInboundDataFromUnknownSources", "saveAsBlocked",
      "simplePinBlocked", "thirdPartyKeyboardsBlocked",
    ],
    .integer: [
      "allowedOutboundClipboardSharingExceptionLength",
      "blockAfterCompanyPortalUpdateDeferralInDays", "deployedAppCount", "maximumPinRetries",
      "minimumPinLength", "previousPinBlockCount", "warnAfterCompanyPortalUpdateDeferralInDays",
      "wipeAfterCompanyPortalUpdateDeferralInDays",
    ],
    .text: [
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
    ],
    .duration: [
      "gracePeriodToBlockAppsDuringOffClockHours", "periodBeforePinReset",
      "periodOfflineBeforeAccessCheck", "periodOfflineBeforeWipeIsEnforced",
      "periodOnlineBeforeAccessCheck", "pinRequiredInsteadOfBiometricTimeout",
    ],
    .texts: [
      "allowedDataIngestionLocations", "allowedDataStorageLocations", "exemptedUniversalLinks",
      "managedUniversalLinks", "roleScopeTagIds",
    ],
    .objects: ["apps", "assignments", "exemptedAppPackages", "exemptedAppProtocols"],
    .any: ["deploymentSummary"],
  ])
}
