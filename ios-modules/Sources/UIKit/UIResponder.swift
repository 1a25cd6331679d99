public import Foundation

/// An object that takes events. Here none come.
@preconcurrency @MainActor open class UIResponder: NSObject, UIUserActivityRestoring {
  nonisolated public override init() { super.init() }

  /// The responder that is asked next; nil: there is none.
  open var next: UIResponder? { nil }

  /// Exists and does nothing.
  open func restoreUserActivityState(_ activity: NSUserActivity) {}
}
