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
  }

  @Test func `a control calls its targets for the events that they were added for`() {
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

  /// Returns nil, or the reason why the button was not tapped.
  private func tap(_ title: String) -> String? {
    let answer = Mutex<String?>("no answer")
    PresentedPrompts().take(.tap(button: title, title: nil)) { failure in
      answer.withLock { $0 = failure }
    }
    return answer.withLock { $0 }
  }
}
