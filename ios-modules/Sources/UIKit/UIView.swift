public import Foundation

/// A view, which is a node in a tree and is never drawn.
@preconcurrency @MainActor open class UIView: UIResponder {
  open private(set) var subviews: [UIView] = []
  open private(set) weak var superview: UIView?
  /// The frame. Only ``bounds`` depends on it.
  open var frame: CGRect
  /// The frame's size, at the origin. There is no layout.
  open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
  /// Whether the view is hidden. The step `tap` finds no button in a hidden view.
  open var isHidden = false
  /// This property has no effect.
  open var tag = 0
  /// This property has no effect.
  open var accessibilityIdentifier: String?
  /// This property has no effect.
  open var isUserInteractionEnabled = true
  /// This property has no effect.
  open var backgroundColor: UIColor?
  /// This property has no effect.
  open var tintColor: UIColor! = .systemBlue
  /// This property has no effect.
  open var alpha: CGFloat = 1
  /// This property has no effect.
  open var clipsToBounds = false
  /// This property has no effect, because there is no layout.
  open var translatesAutoresizingMaskIntoConstraints = true
  /// The layer, which is never drawn.
  public let layer = CALayer()

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

  /// Does nothing, because the simulated user edits no text.
  @discardableResult open func endEditing(_ force: Bool) -> Bool { true }

  /// The window at the root of the tree; nil if this view is not on the screen.
  open var window: UIWindow? {
    guard let superview else { return controller?.window }
    return (superview as? UIWindow) ?? superview.window
  }
}

/// A layer. None of its properties has an effect.
open class CALayer: NSObject {
  open var cornerRadius: CGFloat = 0
  open var borderWidth: CGFloat = 0
  open var masksToBounds = false
  open var opacity: Float = 1
}

/// An image that is never drawn.
@preconcurrency @MainActor open class UIImageView: UIView {
  open var image: UIImage?

  public convenience init(image: UIImage?) {
    self.init(frame: CGRect.zero)
    self.image = image
  }
}

/// An activity indicator that is never drawn.
@preconcurrency @MainActor open class UIActivityIndicatorView: UIView {
  open private(set) var isAnimating = false
  /// This property has no effect.
  open var hidesWhenStopped = true

  public convenience init(style: Style) { self.init(frame: CGRect.zero) }

  open func startAnimating() { isAnimating = true }
  open func stopAnimating() { isAnimating = false }

  public enum Style: Int, Sendable { case medium = 100, large = 101 }
}

/// A colour, which is never drawn. System colours have one fixed value.
open class UIColor: NSObject, @unchecked Sendable {
  /// Red, green, blue and alpha, from 0 to 1.
  let components: [CGFloat]

  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    components = [red, green, blue, alpha]
  }

  public convenience init(white: CGFloat, alpha: CGFloat) {
    self.init(red: white, green: white, blue: white, alpha: alpha)
  }

  open func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
    UIColor(red: components[0], green: components[1], blue: components[2], alpha: alpha)
  }

  public static let black = UIColor(white: 0, alpha: 1)
  public static let darkGray = UIColor(white: 1 / 3, alpha: 1)
  public static let gray = UIColor(white: 0.5, alpha: 1)
  public static let lightGray = UIColor(white: 2 / 3, alpha: 1)
  public static let white = UIColor(white: 1, alpha: 1)
  public static let clear = UIColor(white: 0, alpha: 0)
  public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
  public static let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
  public static let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)
  public static let systemBlue = UIColor(red: 0, green: 0.48, blue: 1, alpha: 1)
  public static let systemRed = UIColor(red: 1, green: 0.23, blue: 0.19, alpha: 1)
  public static let systemGreen = UIColor(red: 0.2, green: 0.78, blue: 0.35, alpha: 1)
  public static let systemGray = UIColor(white: 0.56, alpha: 1)
  public static let systemBackground = white
  public static let secondarySystemBackground = UIColor(white: 0.95, alpha: 1)
  public static let label = black
  public static let secondaryLabel = gray
}
