public import Foundation

/// An extension's principal object.
@preconcurrency @MainActor public protocol NSExtensionRequestHandling: NSObjectProtocol {
  /// Begins the single request of this process.
  func beginRequest(with context: NSExtensionContext)
}
