internal import Foundation

/// What the bundle's property list says of the launch.
struct InfoDictionary {
  private let root: [String: Any]

  init(_ root: [String: Any]) { self.root = root }

  /// That of this process: beside the executable.
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

  /// `NSExtensionPrincipalClass`; nil where this is no extension, or it has a storyboard.
  var principalClass: String? {
    (root["NSExtension"] as? [String: Any])?["NSExtensionPrincipalClass"] as? String
  }

  /// Whether `UIApplicationSceneManifest` is there.
  var hasScenes: Bool { manifest != nil }

  /// `UISceneDelegateClassName` of the first configuration of windows; nil where there is none.
  var sceneDelegateClass: String? { configuration?["UISceneDelegateClassName"] as? String }

  /// `UISceneConfigurationName` of it.
  var sceneConfigurationName: String? { configuration?["UISceneConfigurationName"] as? String }

  private var manifest: [String: Any]? { root["UIApplicationSceneManifest"] as? [String: Any] }

  private var configuration: [String: Any]? {
    let roles = manifest?["UISceneConfigurations"] as? [String: Any]
    let all = roles?["UIWindowSceneSessionRoleApplication"] as? [Any]
    return all?.first as? [String: Any]
  }
}
