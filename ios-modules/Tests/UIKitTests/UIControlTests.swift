internal import Synchronization
internal import Testing
@testable internal import UIKit
internal import Wire

@MainActor @Suite struct UIControlTests {
  final class Page: UIViewController {
    let button = UIButton()
    var senders: [UIControl] = []

    override func viewDidLoad() {
      button.setTitle("Send", for: .normal)
      view.addSubview(button)
      button.addTarget(self, action: Selector("send(_:)", Page.send(_:)), for: .touchUpInside)
    }

    func send(_ sender: UIButton) { senders.append(sender) }

    var cancellations = 0
    func cancel() { cancellations += 1 }
  }

  @Test func `a control calls a target only for its registered events`() {
    let page = Page()
    page.loadViewIfNeeded()
    page.button.sendActions(for: [.touchUpInside, .valueChanged])
    #expect(page.senders == [page.button])
    page.button.sendActions(for: .valueChanged)
    #expect(page.senders.count == 1)
    page.button.removeTarget(page, action: nil, for: .touchUpInside)
    page.button.sendActions(for: .touchUpInside)
    #expect(page.senders.count == 1)
  }

  @Test func `a tap triggers a visible, enabled button if no prompt is shown`() {
    let (page, window) = (Page(), UIWindow())
    window.rootViewController = UINavigationController(rootViewController: page)
    window.makeKeyAndVisible()
    defer { window.isHidden = true }
    #expect(tap("Send") == nil)
    #expect(page.senders == [page.button])
    page.button.isEnabled = false
    #expect(tap("Send") == "the button `Send` is not enabled")
    page.button.isHidden = true
    #expect(tap("Send")?.hasPrefix("the app shows no alert") == true)
    #expect(page.senders.count == 1)
  }

  @Test func `a navigation bar has the items of its view controllers`() {
    let (first, second) = (UIViewController(), UIViewController())
    let stack = UINavigationController(rootViewController: first)
    stack.addChild(second)
    #expect(stack.navigationBar.topItem === second.navigationItem)
    #expect(stack.navigationBar.items == [first.navigationItem, second.navigationItem])
    #expect(UINavigationBar(frame: CGRect.zero).topItem == nil)
  }

  @Test func `a tap presses a visible, enabled bar button`() {
    let (page, window) = (Page(), UIWindow())
    window.rootViewController = UINavigationController(rootViewController: page)
    window.makeKeyAndVisible()
    defer { window.isHidden = true }
    let cancel = UIBarButtonItem(
      barButtonSystemItem: .cancel, target: page, action: Selector("cancel()", Page.cancel))
    page.navigationItem.leftBarButtonItem = cancel
    #expect(tap("Cancel") == nil)
    #expect(page.cancellations == 1)
    cancel.isEnabled = false
    #expect(tap("Cancel") == "the button `Cancel` is not enabled")
    #expect(page.cancellations == 1)
  }

  @Test func `a tap on a button or bar button calls its UIAction closure`() {
    let (page, window) = (UIViewController(), UIWindow())
    var calls: [String] = []
    window.rootViewController = page
    window.makeKeyAndVisible()
    defer { window.isHidden = true }
    page.view.addSubview(
      UIButton(primaryAction: UIAction(title: "Send") { calls.append($0.title) }))
    page.navigationItem.rightBarButtonItem = UIBarButtonItem(
      systemItem: .done, primaryAction: UIAction { _ in calls.append("done") })
    #expect(tap("Send") == nil)
    #expect(tap("Done") == nil)
    #expect(calls == ["Send", "done"])
  }

  @Test func `a responder performs only selectors that its class defines`() {
    let page = Page()
    let cancel = Selector("cancel()", Page.cancel)
    #expect(page.responds(to: cancel))
    page.perform(cancel)
    #expect(page.cancellations == 1)
    #expect(!UIViewController().responds(to: cancel))
  }

  @Test func `only UIApplication responds to the openURL selector`() {
    let open = sel_registerName("openURL:")
    #expect(UIApplication.shared.responds(to: open))
    #expect(!Page().responds(to: open))
    #expect(!UIApplication.shared.responds(to: NSSelectorFromString("openURL:options:")))
  }

  /// Returns nil, or the reason why the button was not tapped.
  private func tap(_ title: String) -> String? {
    let answer = Mutex<String?>("no answer")
    PresentedPrompts().take(.tap(button: title, title: nil)) { failure in
      answer.withLock { $0 = failure }
    }
    return answer.withLock { $0 }
  }
}

@MainActor @Suite struct NSLayoutConstraintTests {
  @Test func `constraints of views and guides are stored but cause no layout`() {
    let (view, button) = (UIView(), UIButton(type: .system))
    view.addSubview(button)
    button.translatesAutoresizingMaskIntoConstraints = false
    let constraints = [
      button.centerXAnchor.constraint(equalTo: view.centerXAnchor),
      button.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor, constant: 70),
      button.widthAnchor.constraint(equalToConstant: 150),
      button.heightAnchor.constraint(equalTo: view.heightAnchor, multiplier: 0.5),
    ]
    NSLayoutConstraint.activate(constraints)
    #expect(constraints.count { $0.isActive } == 4)
    #expect(constraints.map(\.constant) == [0, 70, 150, 0])
    #expect(view.safeAreaLayoutGuide.owningView === view)
    #expect(button.frame == .zero)
  }

  @Test func `removing an arranged view from a stack keeps it as a subview`() {
    let (first, second) = (UIButton(), UIButton())
    let stack = UIStackView(arrangedSubviews: [first, second])
    #expect(stack.subviews == [first, second])
    stack.removeArrangedSubview(first)
    #expect(stack.arrangedSubviews == [second])
    #expect(stack.subviews == [first, second])
    second.removeFromSuperview()
    #expect(stack.arrangedSubviews.isEmpty)
  }
}
