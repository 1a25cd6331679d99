public import Foundation

@preconcurrency @MainActor open class UIAlertAction: NSObject {
  public let title: String?
  public let style: Style
  open var isEnabled = true
  let handler: ((UIAlertAction) -> Void)?

  /// Creates a button.
  ///
  /// - Parameter handler: Called after the button has been tapped and the alert dismissed.
  public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
    self.title = title
    self.style = style
    self.handler = handler
    super.init()
  }

  public enum Style: Int, Sendable {
    case `default`
    case cancel
    case destructive
  }
}
