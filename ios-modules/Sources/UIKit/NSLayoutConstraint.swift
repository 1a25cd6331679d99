public import Foundation

/// A relation between two anchors. There is no layout, so it has no effect.
@preconcurrency @MainActor open class NSLayoutConstraint: NSObject {
  open var isActive = false
  open var constant: CGFloat
  open var priority = UILayoutPriority.required
  open var identifier: String?

  init(constant: CGFloat) { self.constant = constant }

  open class func activate(_ constraints: [NSLayoutConstraint]) {
    for constraint in constraints { constraint.isActive = true }
  }

  open class func deactivate(_ constraints: [NSLayoutConstraint]) {
    for constraint in constraints { constraint.isActive = false }
  }
}

/// The priority of a constraint. It has no effect.
public struct UILayoutPriority: RawRepresentable, Hashable, Sendable {
  public let rawValue: Float
  public init(rawValue: Float) { self.rawValue = rawValue }
  public init(_ rawValue: Float) { self.rawValue = rawValue }
  public static let required = UILayoutPriority(1000)
  public static let defaultHigh = UILayoutPriority(750)
  public static let defaultLow = UILayoutPriority(250)
  public static let fittingSizeLevel = UILayoutPriority(50)
}

/// An edge, an axis or a dimension of a view, to which constraints refer. Constraints have no
/// effect.
@preconcurrency @MainActor open class NSLayoutAnchor<AnchorType: AnyObject>: NSObject {
  public func constraint(
    equalTo anchor: NSLayoutAnchor<AnchorType>, constant: CGFloat = 0
  ) -> NSLayoutConstraint { NSLayoutConstraint(constant: constant) }

  public func constraint(
    lessThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>, constant: CGFloat = 0
  ) -> NSLayoutConstraint { NSLayoutConstraint(constant: constant) }

  public func constraint(
    greaterThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>, constant: CGFloat = 0
  ) -> NSLayoutConstraint { NSLayoutConstraint(constant: constant) }
}

open class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}
open class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}

open class NSLayoutDimension: NSLayoutAnchor<NSLayoutDimension> {
  public func constraint(equalToConstant constant: CGFloat) -> NSLayoutConstraint {
    NSLayoutConstraint(constant: constant)
  }

  public func constraint(lessThanOrEqualToConstant constant: CGFloat) -> NSLayoutConstraint {
    NSLayoutConstraint(constant: constant)
  }

  public func constraint(greaterThanOrEqualToConstant constant: CGFloat) -> NSLayoutConstraint {
    NSLayoutConstraint(constant: constant)
  }

  public func constraint(
    equalTo anchor: NSLayoutDimension, multiplier: CGFloat, constant: CGFloat = 0
  ) -> NSLayoutConstraint { NSLayoutConstraint(constant: constant) }
}

/// A view or a layout guide. Constraints refer to its anchors.
@preconcurrency @MainActor public protocol LayoutItem: AnyObject {}

extension LayoutItem {
  public var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
  public var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
  public var leftAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
  public var rightAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
  public var centerXAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
  public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
  public var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
  public var centerYAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
  public var widthAnchor: NSLayoutDimension { NSLayoutDimension() }
  public var heightAnchor: NSLayoutDimension { NSLayoutDimension() }
}

extension UIView: LayoutItem {}

/// A rectangle in a view, to which constraints refer. Constraints have no effect.
@preconcurrency @MainActor open class UILayoutGuide: NSObject, LayoutItem {
  open private(set) weak var owningView: UIView?

  init(of view: UIView) { owningView = view }
}

extension UIView {
  public var safeAreaLayoutGuide: UILayoutGuide { UILayoutGuide(of: self) }
  public var layoutMarginsGuide: UILayoutGuide { UILayoutGuide(of: self) }
}

/// A stack of views in a row or a column. There is no layout, so it only has a place in the tree of
/// views.
@preconcurrency @MainActor open class UIStackView: UIView {
  private var arranged: [UIView] = []
  open var arrangedSubviews: [UIView] { arranged.filter { $0.superview === self } }
  /// This property has no effect.
  open var axis = Axis.horizontal
  /// This property has no effect.
  open var spacing: CGFloat = 0
  /// This property has no effect.
  open var alignment = Alignment.fill
  /// This property has no effect.
  open var distribution = Distribution.fill

  public convenience init(arrangedSubviews views: [UIView]) {
    self.init(frame: CGRect.zero)
    for view in views { addArrangedSubview(view) }
  }

  open func addArrangedSubview(_ view: UIView) {
    removeArrangedSubview(view)
    arranged.append(view)
    if view.superview !== self { addSubview(view) }
  }

  /// Removes the view from the arrangement. It remains in the tree, as on iOS.
  open func removeArrangedSubview(_ view: UIView) { arranged.removeAll { $0 === view } }

  public typealias Axis = NSLayoutConstraint.Axis

  public enum Alignment: Int, Sendable {
    case fill, leading, firstBaseline, center, trailing, lastBaseline
    public static let top = Alignment.leading
    public static let bottom = Alignment.trailing
  }

  public enum Distribution: Int, Sendable {
    case fill, fillEqually, fillProportionally, equalSpacing, equalCentering
  }
}

extension NSLayoutConstraint {
  public enum Axis: Int, Sendable { case horizontal, vertical }
}
