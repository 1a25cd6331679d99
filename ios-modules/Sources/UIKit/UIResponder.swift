public import Foundation

/// An object that can handle events. No events occur here.
@preconcurrency @MainActor open class UIResponder: NSObject, UIUserActivityRestoring {
  nonisolated public override init() { super.init() }

  /// The next responder in the chain; nil if there is none.
  open var next: UIResponder? { nil }

  /// Does nothing.
  open func restoreUserActivityState(_ activity: NSUserActivity) {}
}
