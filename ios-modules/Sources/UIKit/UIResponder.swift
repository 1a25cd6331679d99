internal import AppProcess
public import Foundation
public import FoundationExtensions

/// An object that can handle events. No events occur on the simulated device.
@preconcurrency @MainActor open class UIResponder: NSObject, UIUserActivityRestoring {
  nonisolated public override init() { super.init() }

  /// The next responder in the chain; nil if there is none.
  open var next: UIResponder? { nil }

  /// Does nothing, because the simulated user does not type.
  @discardableResult open func becomeFirstResponder() -> Bool { false }

  /// Does nothing, because the simulated user does not type.
  @discardableResult open func resignFirstResponder() -> Bool { true }

  /// Returns whether this object has the selector's method. Of UIKit's own methods, only the application's `openURL:`
  /// is known.
  open func responds(to aSelector: Selector!) -> Bool {
    opensURL(by: aSelector) || aSelector.isMethod(of: self)
  }

  /// Calls the selector's method. The application's `openURL:` does nothing, because iOS 18 makes it return false.
  ///
  /// Source: Expensify/react-native-share-menu, issue 318; SalesforceMobileSDK-iOS, pull request 3766.
  ///
  /// - Returns: Always nil.
  @discardableResult
  open func perform(_ aSelector: Selector!, with object: Any! = nil) -> Unmanaged<AnyObject>! {
    if opensURL(by: aSelector) {
      AppProcess.current.logOnce(
        "`perform(openURL:)` does nothing: iOS 18 opens no URL by the deprecated `openURL(_:)`")
    } else {
      aSelector.perform(on: self, with: object)
    }
    return nil
  }

  private func opensURL(by selector: Selector) -> Bool {
    self is UIApplication && ["openURL:", "openURL(_:)"].contains(selector.description)
  }

  /// Does nothing, because the system restores no activities.
  open func restoreUserActivityState(_ activity: NSUserActivity) {}
}

/// The notifications of the keyboard, and the keys of their `userInfo`. The notifications are never posted.
extension UIResponder {
  public static let keyboardWillShowNotification = NSNotification.Name(
    "UIKeyboardWillShowNotification")
  public static let keyboardDidShowNotification = NSNotification.Name(
    "UIKeyboardDidShowNotification")
  public static let keyboardWillHideNotification = NSNotification.Name(
    "UIKeyboardWillHideNotification")
  public static let keyboardDidHideNotification = NSNotification.Name(
    "UIKeyboardDidHideNotification")
  public static let keyboardWillChangeFrameNotification = NSNotification.Name(
    "UIKeyboardWillChangeFrameNotification")
  public static let keyboardFrameEndUserInfoKey = "UIKeyboardFrameEndUserInfoKey"
  public static let keyboardAnimationDurationUserInfoKey = "UIKeyboardAnimationDurationUserInfoKey"
}
