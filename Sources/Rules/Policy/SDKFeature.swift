package import Model

/// A behaviour that a release of the Intune App SDK introduced. An app that declares no SDK version has all of these
/// behaviours.
///
/// Source: release notes of the Intune App SDK for iOS; Microsoft Learn, "iOS app protection policy settings", for
/// keyboards and composers.
package enum SDKFeature: String, Sendable, CaseIterable {
  /// The SDK receives app configurations through the MAM service.
  case configurationThroughService
  /// `filterOpenInToOnlyManagedApps` removes unmanaged destinations from the system's share sheet.
  case activityFiltering
  /// If an app asks about a storage location and states no account, the SDK assumes an unmanaged account, not the
  /// current account.
  case nilAccountIsUnmanaged
  /// An app configuration can restrict saving, even if the policy has "All apps". The restriction works like "Save
  /// copies of org data: Block".
  case savingRestrictedUnderAllApps
  /// Apps no longer need the SDK's patcher.
  case noPatcher
  case screenCaptureFollowsSend
  /// If one account's policy blocks third-party keyboards, they are also blocked for the other accounts of a
  /// multi-identity app.
  case keyboardsOfAllAccounts
  /// The exemptions of the schemes `mailto` and `sms` also apply to mail and message composers inside the app.
  case composerExemptions
  /// With `IntuneMAMRequireAccounts`, an app to which the enrolled user is not signed in receives no org data.
  case requiredAccounts

  /// The first release with the feature, for each line of releases (major version) that introduced it; oldest first.
  /// Every release of a later line has the feature.
  package var releases: [Version] {
    switch self {
    case .configurationThroughService: [Version(7, 0, 1)]
    case .activityFiltering: [Version(8, 0, 2)]
    case .nilAccountIsUnmanaged: [Version(15, 1, 0)]
    case .savingRestrictedUnderAllApps: [Version(12, 6, 1)]
    case .noPatcher: [Version(17, 7, 1)]
    case .screenCaptureFollowsSend: [Version(19, 7, 6), Version(20, 2, 1)]
    case .keyboardsOfAllAccounts: [Version(12, 0, 16)]
    case .composerExemptions: [Version(14, 5, 0)]
    case .requiredAccounts: [Version(12, 3, 3)]
    }
  }

  func isPresent(in version: Version) -> Bool { version.isIncluded(in: releases) }
}

extension Setting {
  /// The first SDK release that reads the setting, for each line of releases (major version) that introduced it; oldest
  /// first. Every release of a later line reads the setting. Empty if all releases read it.
  ///
  /// Source: Microsoft Learn, "iOS app protection policy settings".
  package var releases: [Version] { SettingTable.row(of: self).releases }
}

extension Version {
  /// Returns whether the version is at least the listed release with the same major version. If none is listed,
  /// compares with the listed release of the nearest lower major version; false if there is none.
  fileprivate func isIncluded(in releases: [Version]) -> Bool {
    guard let first = releases.last(where: { $0.major <= major }) else { return false }
    return self >= first
  }
}

extension AppState {
  /// Returns whether the app's SDK has the feature. If the app declares no version, it has every feature.
  package func has(_ feature: SDKFeature) -> Bool {
    sdkVersion.map(feature.isPresent(in:)) ?? true
  }

  /// Returns whether the app's SDK reads the setting. If the app declares no version, it reads every setting.
  package func reads(_ setting: Setting) -> Bool {
    guard let sdkVersion else { return true }
    let releases = setting.releases
    return releases.isEmpty || sdkVersion.isIncluded(in: releases)
  }
}
