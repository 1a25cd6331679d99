public import Model

/// A representative flow: all properties of a transfer except the policy.
public struct Scene: Sendable, Hashable {
  public var channel: Channel
  public var via: SharingPath
  public var parties: Parties
  public var subject: Subject
  public var device: DeviceCondition
  /// The release of the Intune App SDK in the managed apps; nil: the newest.
  public var sdkVersion: Version?

  /// The content that moves, or its place.
  public enum Subject: Sendable, Hashable {
    case none
    /// A text of a number of Unicode scalars.
    case text(Int)
    case url(String, Opener = .any)
    case location(StorageLocation)
    /// A page in a web view.
    case page(WebViewPolicy, Page)
  }

  /// An app that opens a URL.
  public enum Opener: Sendable, Hashable {
    case any
    /// The app that registers this scheme beside the URL's.
    case registering(String)

    /// The scheme; nil where any app is meant.
    public var scheme: String? { if case .registering(let scheme) = self { scheme } else { nil } }
  }

  /// The owner of the page in a web view: the account, or an external site.
  public enum Page: String, Sendable, CaseIterable {
    case own, external
  }

  /// Creates a scene with the newest SDK.
  public init(
    _ channel: Channel, via: SharingPath = .sdk, _ parties: Parties, _ subject: Subject = .none,
    _ device: DeviceCondition = .unenrolled
  ) {
    self.channel = channel
    self.via = via
    self.parties = parties
    self.subject = subject
    self.device = device
  }
}
