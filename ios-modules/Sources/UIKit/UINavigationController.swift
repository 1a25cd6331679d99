internal import AppProcess
public import Foundation
public import FoundationExtensions

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

  /// The navigation bar, with the items of the view controllers. It is not drawn.
  open private(set) lazy var navigationBar = UINavigationBar(of: self)
  /// This property has no effect.
  open var isNavigationBarHidden = false
  open func setNavigationBarHidden(_ hidden: Bool, animated: Bool) {
    isNavigationBarHidden = hidden
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

/// The bar of a navigation controller, which is not drawn.
@preconcurrency @MainActor open class UINavigationBar: UIView {
  private weak var stack: UINavigationController?
  /// This property has no effect.
  open var barTintColor: UIColor?
  /// This property has no effect.
  open var isTranslucent = true
  /// This property has no effect.
  open var prefersLargeTitles = false
  /// This property has no effect.
  open var titleTextAttributes: [NSAttributedString.Key: Any]?

  convenience init(of stack: UINavigationController) {
    self.init(frame: CGRect.zero)
    self.stack = stack
  }

  /// The navigation items of the view controllers in the stack; nil for a navigation bar from a storyboard.
  open var items: [UINavigationItem]? { stack?.viewControllers.map(\.navigationItem) }
  open var topItem: UINavigationItem? { stack?.topViewController?.navigationItem }
}

/// The content of a navigation bar. It is not drawn.
@preconcurrency @MainActor open class UINavigationItem: NSObject {
  /// This property has no effect.
  open var title: String?
  open var leftBarButtonItems: [UIBarButtonItem]?
  open var rightBarButtonItems: [UIBarButtonItem]?
  /// This property has no effect.
  open var hidesBackButton = false
  /// This property has no effect.
  open var titleView: UIView?

  public init(title: String) { self.title = title }

  open var leftBarButtonItem: UIBarButtonItem? {
    get { leftBarButtonItems?.first }
    set { leftBarButtonItems = newValue.map { [$0] } }
  }

  open var rightBarButtonItem: UIBarButtonItem? {
    get { rightBarButtonItems?.first }
    set { rightBarButtonItems = newValue.map { [$0] } }
  }

  open func setLeftBarButton(_ item: UIBarButtonItem?, animated: Bool) { leftBarButtonItem = item }
  open func setRightBarButton(_ item: UIBarButtonItem?, animated: Bool) {
    rightBarButtonItem = item
  }

  /// Returns the bar button with this title; nil if there is none.
  func button(titled title: String) -> UIBarButtonItem? {
    ((leftBarButtonItems ?? []) + (rightBarButtonItems ?? [])).first { $0.title == title }
  }
}

/// A button in a navigation bar. The step `tap` with the button's title calls the button's action, unless a prompt is
/// shown.
@preconcurrency @MainActor open class UIBarButtonItem: NSObject {
  open var title: String?
  open var isEnabled = true
  open weak var target: AnyObject?
  open var action: Selector?

  public init(title: String? = nil, style: Style, target: AnyObject?, action: Selector?) {
    self.title = title
    self.target = target
    self.action = action
  }

  /// Creates a bar button for a system item. Its title is the item's name, such as `add`, even if the item has an image
  /// instead of a title on iOS.
  public convenience init(
    barButtonSystemItem systemItem: SystemItem, target: AnyObject? = nil, action: Selector? = nil
  ) {
    self.init(title: systemItem.title, style: .plain, target: target, action: action)
  }

  /// Creates a bar button that calls a closure.
  public convenience init(systemItem: SystemItem, primaryAction: UIAction? = nil) {
    self.init(barButtonSystemItem: systemItem)
    self.primaryAction = primaryAction
  }

  public convenience override init() { self.init(style: .plain, target: nil, action: nil) }

  public required init?(coder: NSCoder) {}

  open var primaryAction: UIAction?

  /// Calls the button's action. If there is no target, does nothing: the responder chain is not searched.
  func press() {
    if let primaryAction { return primaryAction.handler(primaryAction) }
    guard let target else { return }
    action?.perform(on: target, with: self)
  }

  /// A style, which has no effect.
  public enum Style: Int, Sendable { case plain, bordered, done }

  public enum SystemItem: String, Sendable {
    case done, cancel, edit, save, add, compose, reply, action, organize, bookmarks, search
    case refresh, stop, camera, trash, play, pause, undo, redo, close, flexibleSpace, fixedSpace

    var title: String {
      switch self {
      case .done, .cancel, .edit, .save, .undo, .redo, .close: rawValue.capitalized
      case .add, .compose, .reply, .action, .organize, .bookmarks, .search, .refresh, .stop,
        .camera, .trash, .play, .pause, .flexibleSpace, .fixedSpace:
        rawValue
      }
    }
  }
}
