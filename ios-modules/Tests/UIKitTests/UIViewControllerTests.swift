internal import Testing

@testable internal import UIKit

@MainActor @Suite struct UIViewControllerTests {
  final class Recorder: UIViewController {
    var calls: [String] = []
    /// The reasons for the controller's appearances and disappearances, according to its properties
    /// at the time.
    var reasons: [String] = []
    override func viewDidLoad() { calls.append("didLoad") }
    override func viewWillAppear(_ animated: Bool) {
      calls.append("willAppear")
      state()
    }
    override func viewDidAppear(_ animated: Bool) { calls.append("didAppear") }
    override func viewWillDisappear(_ animated: Bool) {
      calls.append("willDisappear")
      state()
    }
    override func viewDidDisappear(_ animated: Bool) { calls.append("didDisappear") }

    private func state() {
      let all = ["moving to": isMovingToParent, "moving from": isMovingFromParent]
      reasons.append(all.filter(\.value).keys.sorted().joined(separator: " "))
    }
  }

  @Test func `the appearance methods of a view controller are called once`() {
    let controller = Recorder()
    controller.appear()
    controller.appear()
    #expect(controller.calls == ["didLoad", "willAppear", "didAppear"])
    controller.disappear()
    #expect(controller.calls.suffix(2) == ["willDisappear", "didDisappear"])
  }

  @Test func `a view controller knows when it is pushed to or popped from a stack`() {
    let (root, pushed) = (Recorder(), Recorder())
    let stack = UINavigationController(rootViewController: root)
    stack.appear()
    stack.pushViewController(pushed, animated: false)
    stack.popViewController(animated: false)
    #expect(root.reasons == ["", "", ""])
    #expect(pushed.reasons == ["moving to", "moving from"])
  }

  @Test func `the responder chain of an extension ends at the application object`() {
    let (controller, child) = (UIViewController(), UIViewController())
    #expect(controller.next == nil)
    controller.extensionContext = NSExtensionContext()
    controller.addChild(child)
    controller.view.addSubview(child.view)
    let chain = sequence(first: child.view as UIResponder, next: \.next)
    #expect(Array(chain).last === UIApplication.shared)
  }

  @Test func `an app without a scene life cycle has one window scene`() throws {
    let app = UIApplication()
    let window = UIWindow()
    SceneConnection.connectWithoutLifeCycle(app)
    let scene = try #require(app.connectedScenes.first as? UIWindowScene)
    #expect(
      app.connectedScenes.count == 1 && scene.delegate == nil && scene.session.scene === scene)
    app.add(window)
    #expect(window.windowScene === scene && scene.windows == [window])
    AppActivation.activate(app)
    #expect(scene.activationState == .foregroundActive)
  }

  @Test func `only the top of a navigation stack is shown`() {
    let (root, top) = (Recorder(), Recorder())
    let stack = UINavigationController(rootViewController: root)
    stack.appear()
    stack.pushViewController(top, animated: false)
    #expect(root.calls == ["didLoad", "willAppear", "didAppear", "willDisappear", "didDisappear"])
    #expect(top.calls == ["didLoad", "willAppear", "didAppear"])
    #expect(top.navigationController === stack)
    #expect(stack.popViewController(animated: false) === top)
    #expect(root.calls.suffix(2) == ["willAppear", "didAppear"])
    #expect(stack.popViewController(animated: false) == nil)
  }

  @Test func `a class such as a view controller is instantiated by its name`() throws {
    let type = try #require(ClassInstance.type(named: NSStringFromClass(Made.self)))
    let made = try #require(ClassInstance.make(type) as? Made)
    #expect(made.isMade)
    let plain = try #require(ClassInstance.make(Plain.self) as? Plain)
    #expect(plain.list == ["a"])
  }

  @Test func `the class lookup returns nil for an unknown name`() {
    #expect(ClassInstance.type(named: "UIKitTests.Missing") == nil)
  }
}

class Made: UIViewController {
  let isMade: Bool
  override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    isMade = true
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
  }
  required init?(coder: NSCoder) { nil }
}

class Plain: NSObject {
  var list = ["a"]
}
