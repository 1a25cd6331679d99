public import Foundation
public import FoundationExtensions

/// An instance of the app's user interface.
@preconcurrency @MainActor open class UIScene: UIResponder {
  public let session: UISceneSession
  open var delegate: (any UISceneDelegate)?
  open internal(set) var activationState = ActivationState.unattached
  /// This property has no effect.
  open var title: String! = ""

  public init(session: UISceneSession, connectionOptions: ConnectionOptions) {
    self.session = session
    super.init()
  }

  open override var next: UIResponder? { UIApplication.shared }

  /// Opens a URL, as `UIApplication.open` does.
  open func open(
    _ url: URL, options: OpenExternalURLOptions?,
    completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
  ) {
    UIApplication.shared.open(url, options: [:], completionHandler: completion)
  }

  public enum ActivationState: Int, Sendable {
    case unattached = -1
    case foregroundActive
    case foregroundInactive
    case background
  }

  /// The options of a scene's connection. They contain the URL or link that the app was launched to
  /// open. The app receives this URL or link only here.
  @preconcurrency @MainActor open class ConnectionOptions: NSObject {
    private let url: IncomingURL?
    /// Whether the app has read the URL or link that it was launched to open.
    private(set) var isRead = false

    open var urlContexts: Set<UIOpenURLContext> {
      guard let url, !url.isLink else { return [] }
      isRead = true
      return [UIOpenURLContext(url.url, from: url.sender)]
    }
    open var userActivities: Set<NSUserActivity> {
      guard let url, url.isLink else { return [] }
      isRead = true
      return [url.activity]
    }
    open var sourceApplication: String? { url?.sender }

    init(_ url: IncomingURL?) {
      self.url = url
      super.init()
    }
  }

  /// The options that the app receives when it opens a URL.
  @preconcurrency @MainActor open class OpenURLOptions: NSObject {
    public let sourceApplication: String?
    open var annotation: Any? { nil }
    /// Whether the file is the sender's original. Always false, because files are copied.
    open var openInPlace: Bool { false }

    init(from sender: String) {
      sourceApplication = sender
      super.init()
    }
  }

  /// The options with which the app asks the system to open a URL. They have no effect.
  @preconcurrency @MainActor open class OpenExternalURLOptions: NSObject {
    open var universalLinksOnly = false
    nonisolated public override init() { super.init() }
  }
}
