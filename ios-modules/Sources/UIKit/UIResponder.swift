public import Foundation

/// An object that can handle events. No events occur on the simulated device.
@preconcurrency @MainActor open class UIResponder: NSObject, UIUserActivityRestoring {
  nonisolated public override init() { super.init() }

  /// The next responder in the chain; nil if there is none.
  open var next: UIResponder? { nil }

  /// Does nothing, because the system restores no activities.
  open func restoreUserActivityState(_ activity: NSUserActivity) {}
}
