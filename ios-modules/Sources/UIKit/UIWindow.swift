public import Foundation

/// A window: the root of what the app shows, and one of the levels at which identities are set.
@preconcurrency @MainActor open class UIWindow: UIView {
  /// The name by which the device knows the window, the same as long as the window lives; nil is the main window, which
  /// is the first that becomes visible.
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

  open override var next: UIResponder? { windowScene ?? UIApplication.shared }

  /// The controller at the root, which appears once the window is visible.
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
