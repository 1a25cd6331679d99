internal import AppProcess
public import Foundation
public import FoundationExtensions

/// A view controller with appearance callbacks and presentation. It has no layout.
@preconcurrency @MainActor open class UIViewController: UIResponder, NSExtensionRequestHandling {
  public let nibName: String?
  public let nibBundle: Bundle?
  /// The storyboard that created this view controller; nil if code created it.
  open internal(set) var storyboard: UIStoryboard?
  /// The title. It has an effect only for an alert: the trace contains the alert's title, and the step `tap` can name
  /// it.
  open var title: String?
  /// This property has no effect.
  open var modalPresentationStyle = UIModalPresentationStyle.automatic
  /// This property has no effect.
  open var modalTransitionStyle = UIModalTransitionStyle.coverVertical
  /// This property has no effect.
  open var isModalInPresentation = false
  open internal(set) var presentedViewController: UIViewController?
  open internal(set) weak var presentingViewController: UIViewController?
  open private(set) weak var parent: UIViewController?
  open private(set) var children: [UIViewController] = []
  /// The context of the request to this extension; nil in an app.
  open internal(set) var extensionContext: NSExtensionContext? {
    get { ownContext ?? parent?.extensionContext ?? presentingViewController?.extensionContext }
    set { ownContext = newValue }
  }
  private var ownContext: NSExtensionContext?
  private var loadedView: UIView? {
    didSet {
      oldValue?.controller = nil
      loadedView?.controller = self
    }
  }
  private var isOnScreen = false
  /// Whether this controller is currently appearing because another one presents it.
  open private(set) var isBeingPresented = false
  /// Whether this controller is currently disappearing because it, or the controller that presents it, is dismissed.
  open private(set) var isBeingDismissed = false
  /// Whether this controller is currently appearing because it was added to a container.
  open private(set) var isMovingToParent = false
  /// Whether this controller is currently disappearing because it was removed from a container.
  open private(set) var isMovingFromParent = false
  /// The window that has this controller as its root view controller.
  weak var rootWindow: UIWindow?
  /// The window in which this controller is visible; nil if it is not on the screen.
  var window: UIWindow? {
    isOnScreen ? rootWindow ?? parent?.window ?? presentingViewController?.window : nil
  }

  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    nibName = nibNameOrNil
    nibBundle = nibBundleOrNil
    super.init()
  }

  public required init?(coder: NSCoder) {
    nibName = nil
    nibBundle = nil
    super.init()
  }

  public convenience init(_ nothing: Void = ()) { self.init(nibName: nil, bundle: nil) }

  /// The next responder. It is the first that exists of these: the superview of this controller's view, the presenting
  /// controller, the window. If none exists, it is the application object in an extension, and nil in an app.
  open override var next: UIResponder? {
    loadedView?.superview ?? presentingViewController ?? rootWindow
      ?? (ownContext == nil ? nil : UIApplication.shared)
  }

  // MARK: The view

  open var view: UIView! {
    get {
      loadViewIfNeeded()
      return loadedView
    }
    set { loadedView = newValue }
  }

  open var viewIfLoaded: UIView? { loadedView }
  open var isViewLoaded: Bool { loadedView != nil }

  /// Creates a plain view.
  open func loadView() { loadedView = UIView() }

  open func loadViewIfNeeded() {
    guard loadedView == nil else { return }
    loadView()
    viewDidLoad()
  }

  open func viewDidLoad() {}
  open func viewWillAppear(_ animated: Bool) {}
  open func viewWillLayoutSubviews() {}
  open func viewDidLayoutSubviews() {}
  open func viewDidAppear(_ animated: Bool) {}
  open func viewWillDisappear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}
  /// This method is never called.
  open func didReceiveMemoryWarning() {}

  // MARK: Extensions

  open func beginRequest(with context: NSExtensionContext) { extensionContext = context }

  // MARK: Presenting

  /// Presents a view controller, which appears immediately. A step of the scenario answers it for the user
  /// (``PresentedPrompts``). If this controller already presents another, only writes a line to the trace.
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool,
    completion: (() -> Void)? = nil
  ) {
    MainThread.check("UIViewController.present")
    guard presentedViewController == nil else {
      return AppProcess.current.log(
        "`\(named)` cannot present `\(viewControllerToPresent.named)` while it presents another view controller"
      )
    }
    presentedViewController = viewControllerToPresent
    viewControllerToPresent.presentingViewController = self
    AppProcess.current.log(viewControllerToPresent.presentationNote)
    viewControllerToPresent.isBeingPresented = true
    viewControllerToPresent.appear()
    viewControllerToPresent.isBeingPresented = false
    completion?()
  }

  /// The popover of this view controller. Always nil, because phones have no popovers.
  open var popoverPresentationController: UIPopoverPresentationController? { nil }

  /// Dismisses the view controller that this one presents. If it presents none, dismisses this view controller.
  open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    MainThread.check("UIViewController.dismiss")
    let presenter = presentedViewController == nil ? presentingViewController : self
    presenter?.endPresentation()
    completion?()
  }

  /// Dismisses the view controller that this one presents, and all that are presented on top of it.
  func endPresentation() {
    guard let presented = presentedViewController else { return }
    presented.endPresentation()
    presentedViewController = nil
    presented.isBeingPresented = false
    presented.isBeingDismissed = true
    presented.disappear()
    presented.isBeingDismissed = false
    presented.presentingViewController = nil
  }

  /// The line in the trace about the presentation of this view controller.
  var presentationNote: String { "the app presents `\(named)`" }

  var named: String { "\(type(of: self))" }

  // MARK: Containers

  open func addChild(_ childController: UIViewController) {
    childController.willMove(toParent: self)
    childController.removeFromParent()
    children.append(childController)
    childController.parent = self
    guard isOnScreen, shownChildren.contains(childController) else { return }
    childController.isMovingToParent = true
    childController.appear()
    childController.isMovingToParent = false
  }

  open func removeFromParent() {
    guard let parent else { return }
    parent.children.removeAll { $0 === self }
    self.parent = nil
    isMovingFromParent = true
    disappear()
    isMovingFromParent = false
    didMove(toParent: nil)
  }

  /// The bar buttons and the title in the navigation bar. The step `tap` presses a bar button.
  open private(set) lazy var navigationItem = UINavigationItem(title: title ?? "")

  /// Does nothing, because segues are not read. The trace reports the first call for each segue.
  open func performSegue(withIdentifier identifier: String, sender: Any?) {
    AppProcess.current.logOnce(
      "the segue `\(identifier)` is not performed: Sluice does not read the segues of storyboards")
  }
  /// This method is never called.
  open func shouldPerformSegue(withIdentifier identifier: String, sender: Any?) -> Bool { true }
  /// This method is never called.
  open func prepare(for segue: UIStoryboardSegue, sender: Any?) {}

  open func willMove(toParent parent: UIViewController?) {}
  open func didMove(toParent parent: UIViewController?) {}

  open var navigationController: UINavigationController? {
    (parent as? UINavigationController) ?? parent?.navigationController
  }

  open var tabBarController: UITabBarController? {
    (parent as? UITabBarController) ?? parent?.tabBarController
  }

  // MARK: Appearance

  /// The child view controllers that are visible whenever this controller is visible.
  var shownChildren: [UIViewController] { children }

  /// Runs the appearance callbacks of this view controller and its visible children.
  func appear() {
    guard !isOnScreen else { return }
    loadViewIfNeeded()
    isOnScreen = true
    viewWillAppear(false)
    viewWillLayoutSubviews()
    viewDidLayoutSubviews()
    for child in shownChildren { child.appear() }
    viewDidAppear(false)
    didShow()
  }

  func disappear() {
    guard isOnScreen else { return }
    viewWillDisappear(false)
    for child in shownChildren { child.disappear() }
    isOnScreen = false
    viewDidDisappear(false)
    didHide()
  }

  /// Called after the view controller has become visible and the app's appearance callbacks have run.
  func didShow() { (self as? any AppearanceObserver)?.hasAppeared() }
  func didHide() {}

  /// Updates the children after a change, if this view controller is visible. Children that are no longer shown
  /// disappear, and the shown children appear.
  func updateShownChildren(from old: [UIViewController]) {
    guard isOnScreen else { return }
    let new = shownChildren
    for child in old where !new.contains(child) { child.disappear() }
    for child in new { child.appear() }
  }
}

/// The location at which a popover appears. It has no effect.
@preconcurrency @MainActor open class UIPopoverPresentationController: NSObject {
  open var sourceView: UIView?
  open var sourceRect = CGRect.zero
  open var barButtonItem: UIBarButtonItem?
}
