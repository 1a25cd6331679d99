public import Foundation

/// An extension's principal object.
@preconcurrency @MainActor public protocol NSExtensionRequestHandling: NSObjectProtocol {
  /// Begins the one request of this process.
  func beginRequest(with context: NSExtensionContext)
}
