internal import AppProcess
public import Foundation

/// A window, which is the root of a tree of views. With the SDK, the app can set an identity for it.
@preconcurrency @MainActor open class UIWindow: UIView {
  /// The window's name on the device, which stays the same while the window exists. It is nil for the main window: the
  /// first window that becomes visible or is passed to the SDK.
  package private(set) lazy var deviceName: String? = WindowNames.next()
  open private(set) var isKeyWindow = false
  private var isVisible = false

  public override init(frame: CGRect) { super.init(frame: frame) }

  public required init?(coder: NSCoder) { super.init(coder: coder) }

  public convenience init(windowScene: UIWindowScene) {
    self.init(frame: CGRect.zero)
    self.windowScene = windowScene
    windowScene.add(self)
  }

  /// Creates the window that iOS creates for an app with a main storyboard.
  convenience init(storyboard name: String) {
    self.init(frame: CGRect.zero)
    rootViewController = UIStoryboard(name: name, bundle: nil).instantiateInitialViewController()
  }

  open override var next: UIResponder? { windowScene ?? UIApplication.shared }

  /// The root view controller. It appears when the window becomes visible.
  open var rootViewController: UIViewController? {
    didSet {
      guard oldValue !== rootViewController else { return }
      oldValue?.disappear()
      oldValue?.rootWindow = nil
      rootViewController?.rootWindow = self
      if isVisible { rootViewController?.appear() }
    }
  }

  open weak var windowScene: UIWindowScene? {
    didSet {
      guard oldValue !== windowScene else { return }
      oldValue?.remove(self)
      windowScene?.add(self)
    }
  }

  open override var isHidden: Bool {
    didSet { if isHidden { hide() } }
  }

  open func makeKeyAndVisible() {
    MainThread.check("UIWindow.makeKeyAndVisible")
    isHidden = false
    makeKey()
    guard !isVisible else { return }
    isVisible = true
    _ = deviceName
    rootViewController?.appear()
  }

  open func makeKey() {
    UIApplication.shared.add(self)
    for window in UIApplication.shared.windows { window.isKeyWindow = window === self }
  }

  private func hide() {
    guard isVisible else { return }
    isVisible = false
    isKeyWindow = false
    rootViewController?.disappear()
    UIApplication.shared.remove(self)
  }
}
