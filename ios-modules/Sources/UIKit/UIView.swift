public import Foundation

/// A view. It is a node in a tree of views, and is never drawn.
@preconcurrency @MainActor open class UIView: UIResponder {
  open private(set) var subviews: [UIView] = []
  open private(set) weak var superview: UIView?
  /// The frame. It affects only ``bounds`` and ``center``, because there is no layout.
  open var frame: CGRect
  /// A rectangle at the origin with the frame's size.
  open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
  /// The centre of the frame. Setting it moves the frame.
  open var center: CGPoint {
    get { CGPoint(x: frame.midX, y: frame.midY) }
    set {
      let size = frame.size
      frame.origin = CGPoint(x: newValue.x - size.width / 2, y: newValue.y - size.height / 2)
    }
  }
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
  /// This property has no effect.
  open var contentMode = ContentMode.scaleToFill
  /// This property has no effect, because there is no layout.
  open var translatesAutoresizingMaskIntoConstraints = true
  /// The layer, which is never drawn.
  public let layer = CALayer()

  /// The view controller that owns this view; nil if there is none.
  weak var controller: UIViewController?
  /// The next responder: the view's controller or, without one, its superview. Nil if both are
  /// missing.
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

  public enum ContentMode: Int, Sendable {
    case scaleToFill, scaleAspectFit, scaleAspectFill, redraw, center, top, bottom, left, right
    case topLeft, topRight, bottomLeft, bottomRight
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
  public static let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)
  public static let yellow = UIColor(red: 1, green: 1, blue: 0, alpha: 1)
  public static let purple = UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1)
  public static let brown = UIColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1)
  public static let cyan = UIColor(red: 0, green: 1, blue: 1, alpha: 1)
  public static let magenta = UIColor(red: 1, green: 0, blue: 1, alpha: 1)
  public static let systemBlue = UIColor(red: 0, green: 0.48, blue: 1, alpha: 1)
  public static let systemRed = UIColor(red: 1, green: 0.23, blue: 0.19, alpha: 1)
  public static let systemGreen = UIColor(red: 0.2, green: 0.78, blue: 0.35, alpha: 1)
  public static let systemOrange = UIColor(red: 1, green: 0.58, blue: 0, alpha: 1)
  public static let systemYellow = UIColor(red: 1, green: 0.8, blue: 0, alpha: 1)
  public static let systemPink = UIColor(red: 1, green: 0.18, blue: 0.33, alpha: 1)
  public static let systemPurple = UIColor(red: 0.69, green: 0.32, blue: 0.87, alpha: 1)
  public static let systemTeal = UIColor(red: 0.19, green: 0.69, blue: 0.78, alpha: 1)
  public static let systemIndigo = UIColor(red: 0.35, green: 0.34, blue: 0.84, alpha: 1)
  public static let systemGray = UIColor(white: 0.56, alpha: 1)
  public static let systemGray2 = UIColor(white: 0.68, alpha: 1)
  public static let systemGray3 = UIColor(white: 0.78, alpha: 1)
  public static let systemGray4 = UIColor(white: 0.82, alpha: 1)
  public static let systemGray5 = UIColor(white: 0.9, alpha: 1)
  public static let systemGray6 = UIColor(white: 0.95, alpha: 1)
  public static let systemBackground = white
  public static let secondarySystemBackground = UIColor(white: 0.95, alpha: 1)
  public static let label = black
  public static let secondaryLabel = gray
  public static let tertiaryLabel = lightGray
  public static let separator = lightGray
  public static let systemGroupedBackground = secondarySystemBackground
  public static let tertiarySystemBackground = white
}

/// A font, with which nothing is drawn.
open class UIFont: NSObject, @unchecked Sendable {
  public let pointSize: CGFloat

  private init(_ size: CGFloat) { pointSize = size }

  public static let systemFontSize: CGFloat = 14

  open class func systemFont(ofSize size: CGFloat) -> UIFont { UIFont(size) }
  open class func systemFont(ofSize size: CGFloat, weight: Weight) -> UIFont { UIFont(size) }
  open class func boldSystemFont(ofSize size: CGFloat) -> UIFont { UIFont(size) }
  /// Returns a font of the default size, because there are no settings for text sizes.
  open class func preferredFont(forTextStyle style: TextStyle) -> UIFont { UIFont(17) }

  public struct Weight: Hashable, Sendable {
    let value: CGFloat

    public static let light = Weight(value: -0.4)
    public static let regular = Weight(value: 0)
    public static let medium = Weight(value: 0.23)
    public static let semibold = Weight(value: 0.3)
    public static let bold = Weight(value: 0.4)
  }

  public struct TextStyle: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let largeTitle = TextStyle(rawValue: "UICTFontTextStyleTitle0")
    public static let title1 = TextStyle(rawValue: "UICTFontTextStyleTitle1")
    public static let title2 = TextStyle(rawValue: "UICTFontTextStyleTitle2")
    public static let title3 = TextStyle(rawValue: "UICTFontTextStyleTitle3")
    public static let headline = TextStyle(rawValue: "UICTFontTextStyleHeadline")
    public static let subheadline = TextStyle(rawValue: "UICTFontTextStyleSubhead")
    public static let body = TextStyle(rawValue: "UICTFontTextStyleBody")
    public static let callout = TextStyle(rawValue: "UICTFontTextStyleCallout")
    public static let footnote = TextStyle(rawValue: "UICTFontTextStyleFootnote")
    public static let caption1 = TextStyle(rawValue: "UICTFontTextStyleCaption1")
    public static let caption2 = TextStyle(rawValue: "UICTFontTextStyleCaption2")
  }
}
