internal import SluiceKit

/// How far the request of an extension has come, which is to be ended once.
enum ScriptRequest {
  /// An app has none.
  case absent
  /// It has not come yet: the file begins before it does.
  case awaited
  case open(ExtensionContext)
  case ended

  /// The request, which counts as ended from now on; nil where none is open.
  mutating func take() -> ExtensionContext? {
    guard case .open(let context) = self else { return nil }
    self = .ended
    return context
  }
}
