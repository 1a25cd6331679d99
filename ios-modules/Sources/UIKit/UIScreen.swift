public import Foundation

/// The simulated iPhone's screen. Nothing is drawn; its size is that of an iPhone 15.
@preconcurrency @MainActor open class UIScreen: NSObject {
  public static let main = UIScreen()

  /// The size in points.
  open var bounds: CGRect { CGRect(x: 0, y: 0, width: 393, height: 852) }
  /// The size in pixels.
  open var nativeBounds: CGRect { CGRect(x: 0, y: 0, width: 1179, height: 2556) }
  open var scale: CGFloat { 3 }
  open var nativeScale: CGFloat { 3 }
}

extension UIWindowScene {
  public var screen: UIScreen { .main }
}
