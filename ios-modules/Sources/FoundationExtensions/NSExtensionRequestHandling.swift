public import Foundation

/// An extension's principal object.
@preconcurrency @MainActor public protocol NSExtensionRequestHandling: NSObjectProtocol {
  /// Begins the only request of this extension process, for which the process was launched.
  func beginRequest(with context: NSExtensionContext)
}
