public import Model

/// Behaviour that changed with a release of the Intune App SDK. An app has it from that release on; one that
/// states no release has all.
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
  /// Whether the screen may be captured follows Send.
  case screenCaptureFollowsSend

  /// The first release of each line of releases that has it, oldest first.
  public var releases: [Version] {
    switch self {
    case .configurationThroughService: [Version(7, 0, 1)]
    case .activityFiltering: [Version(8, 0, 2)]
    case .nilAccountIsUnmanaged: [Version(15, 1, 0)]
    case .noPatcher: [Version(17, 7, 1)]
    case .screenCaptureFollowsSend: [Version(19, 7, 6), Version(20, 2, 1)]
    }
  }

  /// Whether the release has it: at least the first of its line, where its line has one, else of the
  /// nearest line before.
  public func isPresent(in version: Version) -> Bool {
    let own = releases.first { $0.major == version.major }
    guard let first = own ?? releases.last(where: { $0.major < version.major }) else {
      return false
    }
    return version >= first
  }
}

extension AppState {
  public func has(_ feature: SDKFeature) -> Bool {
    sdkVersion.map(feature.isPresent(in:)) ?? true
  }
}
