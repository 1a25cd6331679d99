/// Text that the user writes: nobody does, and it is what code sets.
@preconcurrency @MainActor open class UITextView: UIView {
  open var text: String! = ""
  open var isEditable = true
}
