public import Foundation

/// An alert. It waits in ``PresentedPrompts`` until a button is tapped.
@preconcurrency @MainActor open class UIAlertController: UIViewController {
  open var message: String?
  public let preferredStyle: Style
  open private(set) var actions: [UIAlertAction] = []
  /// This property has no effect.
  open var preferredAction: UIAlertAction?

  public init(title: String?, message: String?, preferredStyle: Style) {
    self.message = message
    self.preferredStyle = preferredStyle
    super.init(nibName: nil, bundle: nil)
    self.title = title
  }

  public required init?(coder: NSCoder) {
    preferredStyle = .alert
    super.init(coder: coder)
  }

  open func addAction(_ action: UIAlertAction) { actions.append(action) }

  override var presentationNote: String { "the app shows an alert: \(content)" }

  /// A description of the alert, for error messages.
  var words: String { "the alert \(content)" }

  private var content: String {
    let name = title.map { "`\($0)`" } ?? "without title"
    let texts = name + (message.map { ", message `\($0)`" } ?? "")
    let buttons = actions.map { "`\($0.title ?? "")`" }.joined(separator: ", ")
    return "\(texts); buttons: \(buttons.isEmpty ? "none" : buttons)"
  }

  override func didShow() { PresentedPrompts.shared.add(self) }
  override func didHide() { PresentedPrompts.shared.remove(self) }

  public enum Style: Int, Sendable {
    case actionSheet
    case alert
  }
}
