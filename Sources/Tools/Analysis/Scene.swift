public import Model

/// A representative flow: everything of a transfer but the policy.
public struct Scene: Sendable, Hashable {
  public var channel: Channel
  public var via: SharingPath
  public var parties: Parties
  public var subject: Subject
  public var device: DeviceCondition
  /// The release of the Intune App SDK in the managed apps; nil: the newest.
  public var sdkVersion: Version?

  /// What moves, or where.
  public enum Subject: Sendable, Hashable {
    case none
    /// A text of so many Unicode scalars.
    case text(Int)
    case url(String, Opener = .any)
    case location(StorageLocation)
    /// A page in a web view.
    case page(WebViewPolicy, Page)
  }

  /// An app that opens a URL.
  public enum Opener: Sendable, Hashable {
    case any
    /// The one that registers this scheme beside the URL's.
    case registering(String)

    /// The scheme; nil where any app is meant.
    public var scheme: String? { if case .registering(let scheme) = self { scheme } else { nil } }
  }

  /// Whose page a web view shows.
  public enum Page: String, Sendable, CaseIterable {
    case own, external
  }

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
