internal import Foundation

/// The reason why a request to an extension cannot begin.
enum ExtensionError: LocalizedError {
  case noExtension
  case noHandler(String)

  var errorDescription: String? {
    switch self {
    case .noExtension: "this app is not an extension"
    case .noHandler(let name):
      "`\(name)` must be a `UIViewController` or conform to `NSExtensionRequestHandling`"
    }
  }
}
