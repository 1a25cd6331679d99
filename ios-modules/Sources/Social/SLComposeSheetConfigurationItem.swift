/// A row of the compose sheet below the text. The simulated user never taps it.
@preconcurrency @MainActor open class SLComposeSheetConfigurationItem {
  open var title: String! = ""
  open var value: String! = ""
  open var valuePending = false
  /// This closure is never called.
  open var tapHandler: (() -> Void)?

  /// Creates an item. The optional is implicitly unwrapped, as in Swift's import of the Objective-C
  /// initializer.
  public init!() {}
}
