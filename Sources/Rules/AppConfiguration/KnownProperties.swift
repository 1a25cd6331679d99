/// The properties of Graph's app configurations, inherited ones included.
///
/// Source: Microsoft Graph, resource types `targetedManagedAppConfiguration`, `iosMobileAppConfiguration` and
/// `defaultManagedAppProtection`, v1.0 and beta.
enum KnownProperties {
  static func names(of channel: AppConfigurationDocument.Channel) -> Set<String> {
    switch channel {
    case .managedApps: common.union(managedApps)
    case .managedDevices: common.union(managedDevices)
    }
  }

  private static let common: Set<String> = [
    "assignments", "createdDateTime", "description", "displayName", "id", "lastModifiedDateTime",
    "roleScopeTagIds", "settings", "version",
  ]

  private static let managedApps: Set<String> = [
    "appGroupType", "apps", "customSettings", "deployedAppCount", "deploymentSummary",
    "isAssigned", "targetedAppManagementLevels",
  ]

  private static let managedDevices: Set<String> = [
    "deviceStatusSummary", "deviceStatuses", "encodedSettingXml", "targetedMobileApps",
    "userStatusSummary", "userStatuses",
  ]
}
