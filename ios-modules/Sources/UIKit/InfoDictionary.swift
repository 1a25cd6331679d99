internal import Foundation

/// The launch settings in the bundle's property list.
struct InfoDictionary {
  private let root: [String: Any]

  init(_ root: [String: Any]) { self.root = root }

  /// The property list of this process. If the main bundle has none, it is read from the file next to the executable.
  static var main: InfoDictionary { InfoDictionary(read()) }

  private static func read() -> [String: Any] {
    if let found = Bundle.main.infoDictionary, !found.isEmpty { return found }
    let executable = URL(fileURLWithPath: CommandLine.arguments.first ?? "")
    let file = executable.deletingLastPathComponent().appendingPathComponent("Info.plist")
    let object = (try? Data(contentsOf: file)).flatMap {
      try? PropertyListSerialization.propertyList(from: $0, format: nil)
    }
    return object as? [String: Any] ?? [:]
  }

  /// The value of `NSExtensionPrincipalClass`. Nil if this process is not an extension, or if the extension uses a
  /// storyboard.
  var principalClass: String? {
    (root["NSExtension"] as? [String: Any])?["NSExtensionPrincipalClass"] as? String
  }

  /// Whether the property list has a `UIApplicationSceneManifest`.
  var hasScenes: Bool { manifest != nil }

  /// The value of `UISceneDelegateClassName` in the first scene configuration for windows; nil if there is none.
  var sceneDelegateClass: String? { configuration?["UISceneDelegateClassName"] as? String }

  /// The value of `UISceneConfigurationName` in the first scene configuration for windows; nil if there is none.
  var sceneConfigurationName: String? { configuration?["UISceneConfigurationName"] as? String }

  /// The name of the storyboard that iOS shows at launch; nil if there is none.
  var mainStoryboard: String? { root["UIMainStoryboardFile"] as? String }

  /// The name of the storyboard in the first scene configuration for windows; nil if there is none.
  var sceneStoryboard: String? { configuration?["UISceneStoryboardFile"] as? String }

  private var manifest: [String: Any]? { root["UIApplicationSceneManifest"] as? [String: Any] }

  private var configuration: [String: Any]? {
    let roles = manifest?["UISceneConfigurations"] as? [String: Any]
    let all = roles?["UIWindowSceneSessionRoleApplication"] as? [Any]
    return all?.first as? [String: Any]
  }
}
