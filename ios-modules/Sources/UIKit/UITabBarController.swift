/// A container of view controllers. The selected one is visible.
@preconcurrency @MainActor open class UITabBarController: UIViewController {
  open var selectedIndex = 0 {
    didSet {
      let all = children
      let old = all.indices.contains(oldValue) ? [all[oldValue]] : []
      updateShownChildren(from: old)
    }
  }

  open var viewControllers: [UIViewController]? {
    get { children }
    set { setViewControllers(newValue, animated: false) }
  }

  open var selectedViewController: UIViewController? {
    get { shownChildren.first }
    set { selectedIndex = children.firstIndex { $0 === newValue } ?? selectedIndex }
  }

  open func setViewControllers(_ viewControllers: [UIViewController]?, animated: Bool) {
    for controller in children { controller.removeFromParent() }
    for controller in viewControllers ?? [] { addChild(controller) }
  }

  override var shownChildren: [UIViewController] {
    children.indices.contains(selectedIndex) ? [children[selectedIndex]] : []
  }
}
