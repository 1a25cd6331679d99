public import Foundation

/// An editable text. Only code changes it, because the simulated user does not type.
@preconcurrency @MainActor open class UITextView: UIView {
  open var text: String! = ""
  /// This property has no effect.
  open var attributedText: NSAttributedString!
  /// The delegate, whose methods are never called.
  open weak var delegate: (any UITextViewDelegate)?
  /// This property has no effect.
  open var isEditable = true
  /// This property has no effect.
  open var isSelectable = true
  /// This property has no effect.
  open var font: UIFont?
}

/// The delegate of a text view. The simulated user does not type, so no method is called.
@preconcurrency @MainActor public protocol UITextViewDelegate: AnyObject {
  func textViewShouldBeginEditing(_ textView: UITextView) -> Bool
  func textViewDidBeginEditing(_ textView: UITextView)
  func textViewDidChange(_ textView: UITextView)
  func textViewDidEndEditing(_ textView: UITextView)
}

extension UITextViewDelegate {
  public func textViewShouldBeginEditing(_ textView: UITextView) -> Bool { true }
  public func textViewDidBeginEditing(_ textView: UITextView) {}
  public func textViewDidChange(_ textView: UITextView) {}
  public func textViewDidEndEditing(_ textView: UITextView) {}
}
