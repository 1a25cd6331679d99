internal import SluiceKit

/// The state of an extension's request, which is to be ended once.
enum ScriptRequest {
  /// The guest is an app, which has no request.
  case absent
  /// The request has not come yet: the file begins before it does.
  case awaited
  case open(ExtensionContext)
  case ended

  /// Returns the request, which counts as ended from now on; nil where none is open.
  mutating func take() -> ExtensionContext? {
    guard case .open(let context) = self else { return nil }
    self = .ended
    return context
  }
}
