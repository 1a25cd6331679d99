internal import AppProcess
public import Foundation

/// A storyboard. It only determines the classes of view controllers. Views, outlets, actions and segues are not read.
///
/// The file is `NAME.storyboard` in the app's bundle or in its folder `Base.lproj`. If there is no file, an identifier
/// is used as the name of a class.
@preconcurrency @MainActor open class UIStoryboard: NSObject {
  private let name: String
  private let scenes: StoryboardScenes?

  public init(name: String, bundle storyboardBundleOrNil: Bundle?) {
    self.name = name
    scenes = StoryboardScenes(named: name, in: storyboardBundleOrNil ?? .main)
    super.init()
  }

  /// Creates a storyboard from its source.
  init(name: String, source: String) {
    self.name = name
    scenes = StoryboardScenes(source)
    super.init()
  }

  /// Creates the view controller at the storyboard's entry point; nil if there is none.
  open func instantiateInitialViewController() -> UIViewController? {
    MainThread.check("UIStoryboard.instantiateInitialViewController")
    guard let scene = scenes?.initial else { return nil }
    return make(scene)
  }

  /// Creates the view controller with this identifier. An unknown identifier terminates the app, as on iOS.
  open func instantiateViewController(withIdentifier identifier: String) -> UIViewController {
    MainThread.check("UIStoryboard.instantiateViewController")
    guard let scenes else { return make(StoryboardScene(className: identifier)) }
    guard let scene = scenes.scene(identifier) else {
      fatalError(
        "the storyboard `\(name)` has no view controller with the identifier `\(identifier)`")
    }
    return make(scene)
  }

  /// Creates the view controller of a scene. If its class is unknown, creates a plain view controller, as on iOS.
  ///
  /// Apps may create view controllers on a thread other than the main thread, which the trace reports. The code
  /// therefore uses no closure, which would check that it runs on the main actor.
  private func make(_ scene: StoryboardScene) -> UIViewController {
    var type = scene.kind
    if let name = scene.className {
      if let named = ClassInstance.type(named: name) as? UIViewController.Type {
        type = named
      } else {
        AppProcess.current.log(
          "the storyboard `\(self.name)` names an unknown class `\(name)`: a plain view controller "
            + "takes its place")
      }
    }
    let controller = type.init(coder: NSCoder()) ?? UIViewController()
    controller.storyboard = self
    controller.title = scene.title
    var children: [UIViewController] = []
    for id in scene.children {
      if let child = scenes?.scene(withID: id) { children.append(make(child)) }
    }
    (controller as? UINavigationController)?.viewControllers = children
    (controller as? UITabBarController)?.viewControllers = children
    return controller
  }
}

/// A view controller in a storyboard.
struct StoryboardScene {
  var id = ""
  var identifier: String?
  /// The custom class; nil for a class of UIKit.
  var className: String?
  var title: String?
  /// UIKit's class.
  var kind: UIViewController.Type = UIViewController.self
  /// The `id`s of the child view controllers, if this is a container.
  var children: [String] = []
}

/// The view controllers that a storyboard's source contains.
struct StoryboardScenes {
  private var scenes: [StoryboardScene] = []
  private var initialID: String?

  /// Reads the storyboard's file. Returns nil if there is none.
  @MainActor init?(named name: String, in bundle: Bundle) {
    let folder = bundle.bundleURL
    for file in ["\(name).storyboard", "Base.lproj/\(name).storyboard"] {
      if let text = try? String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8) {
        self.init(text)
        return
      }
    }
    return nil
  }

  @MainActor init(_ source: String) {
    for match in source.matches(of: /<(\w+)\b([^>]*)>/) {
      let tag = String(match.1)
      let attributes = Self.attributes(match.2)
      if tag == "document" {
        initialID = attributes["initialViewController"]
      } else if tag == "segue", attributes["kind"] == "relationship" {
        if !scenes.isEmpty, let child = attributes["destination"] {
          scenes[scenes.count - 1].children.append(child)
        }
      } else if tag.hasSuffix("ontroller"), let id = attributes["id"] {
        scenes.append(
          StoryboardScene(
            id: id, identifier: attributes["storyboardIdentifier"],
            className: attributes["customClass"], title: attributes["title"], kind: Self.kind(tag)))
      }
    }
  }

  var initial: StoryboardScene? { initialID.flatMap { scene(withID: $0) } }

  func scene(_ identifier: String) -> StoryboardScene? {
    scenes.first { $0.identifier == identifier }
  }

  func scene(withID id: String) -> StoryboardScene? { scenes.first { $0.id == id } }

  private static func attributes(_ text: Substring) -> [String: String] {
    var attributes: [String: String] = [:]
    for match in text.matches(of: /(\w+)="([^"]*)"/) {
      attributes[String(match.1)] = String(match.2).replacingOccurrences(of: "&amp;", with: "&")
    }
    return attributes
  }

  @MainActor private static func kind(_ tag: String) -> UIViewController.Type {
    switch tag {
    case "navigationController": UINavigationController.self
    case "tabBarController": UITabBarController.self
    default: UIViewController.self  // open: the tag of any other controller
    }
  }
}
