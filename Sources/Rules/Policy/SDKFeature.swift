public import Model

/// Behaviour that changed with a release of the Intune App SDK. An app has the feature from that release on; an app
/// that states no release has all features.
///
/// Source: release notes of the Intune App SDK for iOS.
public enum SDKFeature: String, Sendable, CaseIterable {
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

  /// The first release of each line of releases that has the feature, oldest first.
  public var releases: [Version] {
    switch self {
    case .configurationThroughService: [Version(7, 0, 1)]
    case .activityFiltering: [Version(8, 0, 2)]
    case .nilAccountIsUnmanaged: [Version(15, 1, 0)]
    case .noPatcher: [Version(17, 7, 1)]
    case .screenCaptureFollowsSend: [Version(19, 7, 6), Version(20, 2, 1)]
    }
  }

  /// Whether the release has the feature: it is at least the first of its line that has it or, where its line has
  /// none, of the nearest line before.
  public func isPresent(in version: Version) -> Bool {
    let own = releases.first { $0.major == version.major }
    guard let first = own ?? releases.last(where: { $0.major < version.major }) else {
      return false
    }
    return version >= first
  }
}

extension AppState {
  /// Whether the app's SDK has the feature; an app that states no version has every feature.
  public func has(_ feature: SDKFeature) -> Bool {
    sdkVersion.map(feature.isPresent(in:)) ?? true
  }
}
