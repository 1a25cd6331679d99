/// An editable text. Only code changes it, because the simulated user does not type.
@preconcurrency @MainActor open class UITextView: UIView {
  open var text: String! = ""
  /// This property has no effect.
  open var isEditable = true
}
