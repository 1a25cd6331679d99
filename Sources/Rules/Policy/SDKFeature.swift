package import Model

/// Behaviour that changed with a release of the Intune App SDK. An app has the feature from that release on; an app
/// that states no release has all features.
///
/// Source: release notes of the Intune App SDK for iOS; Microsoft Learn, "iOS app protection policy settings", for
/// keyboards and composers.
package enum SDKFeature: String, Sendable, CaseIterable {
  /// Configuration arrives through the MAM service.
  case configurationThroughService
  /// The system's share sheet lists managed destinations only, where the policy filters.
  case activityFiltering
  /// A nil account of a storage location means an unmanaged one, not the current one.
  case nilAccountIsUnmanaged
  /// The SDK needs no patcher run over the app.
  case noPatcher
  /// The permission to capture the screen follows Send.
  case screenCaptureFollowsSend
  /// A policy that blocks third-party keyboards also blocks them for the other accounts of a multi-identity app.
  case keyboardsOfAllAccounts
  /// The composers for mail and messages within an app take the exemptions for `mailto` and `sms`.
  case composerExemptions

  /// The first release of each line of releases that has the feature, oldest first.
  package var releases: [Version] {
    switch self {
    case .configurationThroughService: [Version(7, 0, 1)]
    case .activityFiltering: [Version(8, 0, 2)]
    case .nilAccountIsUnmanaged: [Version(15, 1, 0)]
    case .noPatcher: [Version(17, 7, 1)]
    case .screenCaptureFollowsSend: [Version(19, 7, 6), Version(20, 2, 1)]
    case .keyboardsOfAllAccounts: [Version(12, 0, 16)]
    case .composerExemptions: [Version(14, 5, 0)]
    }
  }

  /// Whether the release has the feature.
  func isPresent(in version: Version) -> Bool { version.isIncluded(in: releases) }
}

extension Setting {
  /// The first release of the Intune App SDK, of each line of releases, that reads the setting, oldest first; empty
  /// where every release reads it.
  ///
  /// Source: Microsoft Learn, "iOS app protection policy settings".
  package var releases: [Version] { SettingTable.row(of: self).releases }
}

extension Version {
  /// Whether the release is at least the first of its line in `releases` or, where its line has none, of the nearest
  /// line before.
  fileprivate func isIncluded(in releases: [Version]) -> Bool {
    let own = releases.first { $0.major == major }
    guard let first = own ?? releases.last(where: { $0.major < major }) else { return false }
    return self >= first
  }
}

extension AppState {
  /// Whether the app's SDK has the feature; an app that states no version has every feature.
  package func has(_ feature: SDKFeature) -> Bool {
    sdkVersion.map(feature.isPresent(in:)) ?? true
  }

  /// Whether the app's SDK reads the setting. An app that states no version reads every setting.
  package func reads(_ setting: Setting) -> Bool {
    guard let sdkVersion else { return true }
    let releases = setting.releases
    return releases.isEmpty || sdkVersion.isIncluded(in: releases)
  }
}
