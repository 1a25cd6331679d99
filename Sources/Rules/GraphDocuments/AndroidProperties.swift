/// The properties of Graph's `androidManagedAppProtection` that `iosManagedAppProtection` lacks. In a policy for iOS
/// they have no effect.
///
/// Source: Microsoft Graph, resource type `androidManagedAppProtection`, v1.0 and beta.
package enum AndroidProperties {
  /// Whether `name` is one of the properties.
  package static func contains(_ name: String) -> Bool { names.contains(name) }

  /// The iOS property for the same purpose; nil where there is none.
  package static func counterpart(of name: String) -> String? { counterparts[name] }

  private static let counterparts = [
    "allowedAndroidDeviceModels": "allowedIosDeviceModels",
    "appActionIfAndroidDeviceModelNotAllowed": "appActionIfIosDeviceModelNotAllowed",
    "approvedKeyboards": "thirdPartyKeyboardsBlocked",
    "biometricAuthenticationBlocked": "faceIdBlocked",
    "customBrowserPackageId": "customBrowserProtocol",
    "customDialerAppPackageId": "customDialerAppProtocol",
    "encryptAppData": "appDataEncryptionType",
    "exemptedAppPackages": "exemptedAppProtocols",
    "keyboardsRestricted": "thirdPartyKeyboardsBlocked",
    "messagingRedirectAppPackageId": "messagingRedirectAppUrlScheme",
    "screenCaptureBlocked": "screenCaptureConfigurationState",
  ]

  private static let names = Set(counterparts.keys).union([
    "allowedAndroidDeviceManufacturers", "appActionIfAndroidDeviceManufacturerNotAllowed",
    "appActionIfAndroidSafetyNetAppsVerificationFailed",
    "appActionIfAndroidSafetyNetDeviceAttestationFailed", "appActionIfDeviceLockNotSet",
    "appActionIfDevicePasscodeComplexityLessThanHigh",
    "appActionIfDevicePasscodeComplexityLessThanLow",
    "appActionIfDevicePasscodeComplexityLessThanMedium",
    "appActionIfSamsungKnoxAttestationRequired", "blockAfterCompanyPortalUpdateDeferralInDays",
    "connectToVpnOnLaunch", "customBrowserDisplayName", "customDialerAppDisplayName",
    "deviceLockRequired", "disableAppEncryptionIfDeviceEncryptionIsEnabled",
    "fingerprintAndBiometricEnabled", "messagingRedirectAppDisplayName",
    "minimumRequiredCompanyPortalVersion", "minimumRequiredPatchVersion",
    "minimumWarningCompanyPortalVersion", "minimumWarningPatchVersion",
    "minimumWipeCompanyPortalVersion", "minimumWipePatchVersion", "requireClass3Biometrics",
    "requiredAndroidSafetyNetAppsVerificationType",
    "requiredAndroidSafetyNetDeviceAttestationType", "requiredAndroidSafetyNetEvaluationType",
    "requirePinAfterBiometricChange", "warnAfterCompanyPortalUpdateDeferralInDays",
    "wipeAfterCompanyPortalUpdateDeferralInDays",
  ])
}
