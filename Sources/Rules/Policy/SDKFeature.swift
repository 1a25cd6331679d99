package import Model

/// A behaviour that changed with an Intune App SDK release. Apps that declare no release have every feature.
///
/// Source: release notes of the Intune App SDK for iOS; Microsoft Learn, "iOS app protection policy settings", for
/// keyboards and composers.
package enum SDKFeature: String, Sendable, CaseIterable {
  /// Configuration arrives through the MAM service.
  case configurationThroughService
  /// If `filterOpenInToOnlyManagedApps` is set, the system's share sheet lists only managed destinations.
  case activityFiltering
  /// A nil account of a storage location means an unmanaged account, not the current account.
  case nilAccountIsUnmanaged
  /// A key of the app configuration restricts saving under "All apps", as "Save copies of org data: Block" does.
  case savingRestrictedUnderAllApps
  /// Apps no longer need the SDK's patcher.
  case noPatcher
  case screenCaptureFollowsSend
  /// A policy that blocks third-party keyboards also blocks them for a multi-identity app's other accounts.
  case keyboardsOfAllAccounts
  /// An app's mail and message composers honour the exemptions for `mailto` and `sms`.
  case composerExemptions
  /// An app without the enrolled user's account receives no org data if `IntuneMAMRequireAccounts` is set.
  case requiredAccounts

  /// The first release of each line that has the feature, oldest first.
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
  /// The first SDK release of each line that reads the setting, oldest first; empty for every release.
  ///
  /// Source: Microsoft Learn, "iOS app protection policy settings".
  package var releases: [Version] { SettingTable.row(of: self).releases }
}

extension Version {
  /// Returns whether the release is at least the first listed release of its line. If the line is not listed, the
  /// nearest earlier line applies.
  fileprivate func isIncluded(in releases: [Version]) -> Bool {
    guard let first = releases.last(where: { $0.major <= major }) else { return false }
    return self >= first
  }
}

extension AppState {
  /// An app that declares no version has every feature.
  package func has(_ feature: SDKFeature) -> Bool {
    sdkVersion.map(feature.isPresent(in:)) ?? true
  }

  /// An app that declares no version reads every setting.
  package func reads(_ setting: Setting) -> Bool {
    guard let sdkVersion else { return true }
    let releases = setting.releases
    return releases.isEmpty || sdkVersion.isIncluded(in: releases)
  }
}
