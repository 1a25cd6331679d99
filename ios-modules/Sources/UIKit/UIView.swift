public import Foundation

/// A view, which is a node in a tree and is never drawn.
@preconcurrency @MainActor open class UIView: UIResponder {
  open private(set) var subviews: [UIView] = []
  open private(set) weak var superview: UIView?
  /// This property has no effect.
  open var frame: CGRect
  /// The frame's size, at the origin. There is no layout.
  open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
  /// This property has no effect.
  open var isHidden = false
  /// This property has no effect.
  open var tag = 0
  /// This property has no effect.
  open var accessibilityIdentifier: String?

  /// The view controller that owns this view; nil if there is none.
  weak var controller: UIViewController?
  /// The next responder: the view's controller, or else its superview.
  open override var next: UIResponder? { controller ?? superview }

  public init(frame: CGRect) {
    self.frame = frame
    super.init()
  }

  public required init?(coder: NSCoder) {
    frame = CGRect.zero
    super.init()
  }

  public convenience init(_ nothing: Void = ()) { self.init(frame: CGRect.zero) }

  open func addSubview(_ view: UIView) {
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
  }

  open func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }

  /// The window at the root of the tree; nil if this view is not on the screen.
  open var window: UIWindow? {
    guard let superview else { return controller?.window }
    return (superview as? UIWindow) ?? superview.window
  }
}
