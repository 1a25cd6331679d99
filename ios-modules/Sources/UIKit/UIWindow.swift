public import Foundation

/// A window: the root of the view hierarchy, and a level at which identities can be set.
@preconcurrency @MainActor open class UIWindow: UIView {
  /// The window's name on the device, fixed while the window exists; nil for the main window, which is the
  /// first to become visible.
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

  /// The root view controller, which appears once the window is visible.
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
