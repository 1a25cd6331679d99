public import FoundationExtensions
public import Foundation

/// An object that can restore a user activity.
@preconcurrency @MainActor public protocol UIUserActivityRestoring: NSObjectProtocol {
  func restoreUserActivityState(_ activity: NSUserActivity)
}
