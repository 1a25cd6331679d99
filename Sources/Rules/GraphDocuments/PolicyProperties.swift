/// The properties of app protection policies for iOS, Graph's `iosManagedAppProtection`.
package enum PolicyProperties {
  /// The documented properties of a policy.
  ///
  /// Source: Microsoft Graph, resource types `managedAppPolicy`, `managedAppProtection`,
  /// `targetedManagedAppProtection` and `iosManagedAppProtection`, v1.0 and beta.
  package static let all = KnownProperties([
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

  /// Whether an object with the property can be nothing but an app protection policy: other objects of Graph have no
  /// property of the name.
  package static func tellsPolicy(_ name: String) -> Bool {
    all.type(of: name) != nil && !common.contains(name) && !targeting.contains(name)
  }

  /// Whether only app protection policies and app configurations have the property: it states for which apps they are.
  package static func tellsTargeting(_ name: String) -> Bool { targeting.contains(name) }

  /// The properties that many kinds of objects have.
  private static let common: Set = [
    "assignments", "createdDateTime", "deployedAppCount", "deploymentSummary", "description",
    "displayName", "id", "isAssigned", "lastModifiedDateTime", "roleScopeTagIds", "version",
  ]

  private static let targeting: Set = ["appGroupType", "apps", "targetedAppManagementLevels"]
}
