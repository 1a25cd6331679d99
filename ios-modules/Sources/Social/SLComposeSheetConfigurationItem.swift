public import Foundation

/// A configuration row below the text. It is listed but never tapped.
@preconcurrency @MainActor open class SLComposeSheetConfigurationItem: NSObject {
  open var title: String! = ""
  open var value: String! = ""
  open var valuePending = false
  /// This closure is never called.
  open var tapHandler: (() -> Void)?

  public override init() { super.init() }
}
