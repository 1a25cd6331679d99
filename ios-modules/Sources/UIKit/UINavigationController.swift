internal import AppProcess
public import Foundation

/// A stack of view controllers. The top one is visible.
@preconcurrency @MainActor open class UINavigationController: UIViewController {
  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
  }

  public required init?(coder: NSCoder) { super.init(coder: coder) }

  public convenience init(rootViewController: UIViewController) {
    self.init(nibName: nil, bundle: nil)
    addChild(rootViewController)
  }

  open var viewControllers: [UIViewController] {
    get { children }
    set { setViewControllers(newValue, animated: false) }
  }

  open var topViewController: UIViewController? { children.last }
  open var visibleViewController: UIViewController? {
    topViewController?.presentedViewController ?? topViewController
  }

  open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
    for controller in children where !viewControllers.contains(controller) {
      controller.removeFromParent()
    }
    for controller in viewControllers { addChild(controller) }
  }

  open func pushViewController(_ viewController: UIViewController, animated: Bool) {
    MainThread.check("UINavigationController.pushViewController")
    let old = shownChildren
    addChild(viewController)
    updateShownChildren(from: old)
  }

  @discardableResult
  open func popViewController(animated: Bool) -> UIViewController? {
    guard children.count > 1, let top = topViewController else { return nil }
    top.removeFromParent()
    updateShownChildren(from: [])
    return top
  }

  @discardableResult
  open func popToRootViewController(animated: Bool) -> [UIViewController]? {
    var popped: [UIViewController] = []
    while let top = popViewController(animated: animated) { popped.insert(top, at: 0) }
    return popped
  }

  override var shownChildren: [UIViewController] { children.suffix(1) }
}
