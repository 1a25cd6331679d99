/// A row of the compose sheet below the text. The simulated user never taps it.
@preconcurrency @MainActor open class SLComposeSheetConfigurationItem {
  open var title: String! = ""
  open var value: String! = ""
  open var valuePending = false
  /// This closure is never called.
  open var tapHandler: (() -> Void)?

  /// The result is implicitly unwrapped, as Swift imports it from Objective-C.
  public init!() {}
}
