public import Foundation
public import FoundationExtensions

/// The session of a scene. It exists whether or not the scene is connected.
@preconcurrency @MainActor open class UISceneSession: NSObject {
  public let role: Role
  public let configuration: UISceneConfiguration
  public let persistentIdentifier: String
  open internal(set) weak var scene: UIScene?
  /// This property has no effect.
  open var userInfo: [String: Any]?
  /// This property has no effect.
  open var stateRestorationActivity: NSUserActivity?

  init(_ configuration: UISceneConfiguration, _ identifier: String) {
    role = configuration.role
    self.configuration = configuration
    persistentIdentifier = identifier
    super.init()
  }

  public struct Role: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
    public static let windowExternalDisplayNonInteractive = Role(
      rawValue: "UIWindowSceneSessionRoleExternalDisplayNonInteractive")
  }
}
