internal import Encodings
internal import Model
internal import Output

/// The properties that Graph documents for a type of object, including inherited properties.
package struct KnownProperties: Sendable {
  fileprivate let types: [String: PropertyType]
  /// The names of the properties. Suggestions for misspelled names come from here.
  let names: Vocabulary

  /// Creates a table from lists of names, one list for each type. No name may occur twice.
  package init(_ table: KeyValuePairs<PropertyType, [String]>) {
    self.init(
      Dictionary(
        uniqueKeysWithValues: table.flatMap { type, names in names.map { ($0, type) } }))
  }

  private init(_ types: [String: PropertyType]) {
    self.types = types
    names = Vocabulary(types.keys)
  }

  package func adding(_ properties: [String: PropertyType]) -> KnownProperties {
    KnownProperties(types.merging(properties) { $1 })
  }

  package func type(of name: String) -> PropertyType? { types[name] }
}

/// The type that Graph documents for a property's value. Null is also valid, and means no value.
package enum PropertyType: Sendable {
  case boolean, integer, text, duration, list, texts, objects
  /// Any value, such as the values that Graph adds on request (`$expand`).
  case any

  func admits(_ value: JSONValue) -> Bool {
    switch self {
    case .boolean: value.bool != nil
    case .integer: value.int != nil
    case .text, .duration: value.string != nil
    case .list: value.array != nil
    case .texts: value.array?.allSatisfy { $0.string != nil } ?? false
    case .objects: value.array?.allSatisfy { $0.members != nil } ?? false
    case .any: true
    }
  }

  /// The name of the type in messages, with an article if the noun needs one.
  var words: String {
    switch self {
    case .boolean: "a boolean"
    case .integer: "an integer"
    case .text: "a string"
    case .duration: "a duration"
    case .list: "a list"
    case .texts: "a list of strings"
    case .objects: "a list of objects"
    case .any: "anything"
    }
  }
}

// MARK: - Policies

package enum PolicyProperties {
  /// The documented properties that are not settings. The types of settings are declared in the table of settings in
  /// `Policy`.
  ///
  /// Source: Microsoft Graph, resource types `managedAppPolicy`, `managedAppProtection`, `targetedManagedAppProtection`
  /// and `iosManagedAppProtection`, v1.0 and beta.
  package static let others = KnownProperties([
    .boolean: ["isAssigned", "periodBeforePinResetRequired", "pinRequiredInsteadOfBiometric"],
    .integer: [
      "blockAfterCompanyPortalUpdateDeferralInDays", "deployedAppCount",
      "warnAfterCompanyPortalUpdateDeferralInDays", "wipeAfterCompanyPortalUpdateDeferralInDays",
    ],
    .text: [
      "appGroupType", "createdDateTime", "customBrowserDisplayName", "customBrowserPackageId",
      "customDialerAppDisplayName", "customDialerAppPackageId", "description", "displayName", "id",
      "lastModifiedDateTime", "messagingRedirectAppDisplayName", "messagingRedirectAppPackageId",
      "minimumRequiredCompanyPortalVersion", "minimumWarningCompanyPortalVersion",
      "minimumWipeCompanyPortalVersion", "mobileThreatDefensePartnerPriority",
      "shareWithBrowserVirtualSetting", "targetedAppManagementLevels", "version",
    ],
    .duration: ["gracePeriodToBlockAppsDuringOffClockHours"],
    .texts: ["roleScopeTagIds"],
    .objects: ["apps", "assignments", "exemptedAppPackages"],
    .any: ["deploymentSummary"],
  ])

  /// The names of the settings, which identify an object without a stated type as a policy.
  private static let settings = Set(
    Setting.allCases.filter { $0.holder == .policy }.map(\.rawValue))

  /// Returns whether Graph documents a property with this name for app protection policies.
  static func contains(_ name: String) -> Bool {
    settings.contains(name) || others.type(of: name) != nil
  }

  /// The properties that only app protection policies have. An object with one of them is recognised as a policy.
  static let telling = settings.union(others.types.keys).subtracting(common).subtracting(targeting)

  /// The properties that many types of objects share.
  private static let common: Set = [
    "assignments", "createdDateTime", "deployedAppCount", "deploymentSummary", "description",
    "displayName", "id", "isAssigned", "lastModifiedDateTime", "roleScopeTagIds", "version",
  ]

  /// The properties that state the targeted apps and device states. Only app protection policies and app configurations
  /// have them.
  static let targeting: Set = ["appGroupType", "apps", "targetedAppManagementLevels"]
}

/// The properties of Android policies (`androidManagedAppProtection`) that have no effect on iOS, although Graph
/// documents some of them for iOS policies too.
///
/// Source: Microsoft Graph, resource type `androidManagedAppProtection`, v1.0 and beta.
package enum AndroidProperties {
  package static func contains(_ name: String) -> Bool { names.contains(name) }

  /// Returns the iOS property with the same purpose; nil if there is none.
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

  static let names = Set(counterparts.keys).union([
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
