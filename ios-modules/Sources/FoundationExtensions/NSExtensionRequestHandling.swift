public import Foundation

/// An extension's principal object.
@preconcurrency @MainActor public protocol NSExtensionRequestHandling: NSObjectProtocol {
  /// Begins this process's only request.
  func beginRequest(with context: NSExtensionContext)
}
