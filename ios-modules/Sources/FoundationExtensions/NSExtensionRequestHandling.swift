public import Foundation

/// An extension's principal object.
@preconcurrency @MainActor public protocol NSExtensionRequestHandling: NSObjectProtocol {
  /// Begins the request for which this extension process was launched. It is the only one.
  func beginRequest(with context: NSExtensionContext)
}
