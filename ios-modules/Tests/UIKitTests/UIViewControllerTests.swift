internal import Testing

@testable internal import UIKit

@MainActor @Suite struct UIViewControllerTests {
  final class Recorder: UIViewController {
    var calls: [String] = []
    override func viewDidLoad() { calls.append("didLoad") }
    override func viewWillAppear(_ animated: Bool) { calls.append("willAppear") }
    override func viewDidAppear(_ animated: Bool) { calls.append("didAppear") }
    override func viewWillDisappear(_ animated: Bool) { calls.append("willDisappear") }
    override func viewDidDisappear(_ animated: Bool) { calls.append("didDisappear") }
  }

  @Test func `viewDidAppear is called once`() {
    let controller = Recorder()
    controller.appear()
    controller.appear()
    #expect(controller.calls == ["didLoad", "willAppear", "didAppear"])
    controller.disappear()
    #expect(controller.calls.suffix(2) == ["willDisappear", "didDisappear"])
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

  @Test func `a class is instantiated by name`() throws {
    let type = try #require(ClassInstance.type(named: NSStringFromClass(Made.self)))
    let made = try #require(ClassInstance.make(type) as? Made)
    #expect(made.isMade)
    let plain = try #require(ClassInstance.make(Plain.self) as? Plain)
    #expect(plain.list == ["a"])
  }

  @Test func `a missing class is not found`() {
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
