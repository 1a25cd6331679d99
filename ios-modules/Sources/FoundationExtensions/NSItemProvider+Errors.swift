internal import Foundation

extension NSItemProvider {
  public static let errorDomain = "NSItemProviderErrorDomain"

  /// The reason why loading failed.
  public enum ErrorCode: Int, Sendable {
    case unknownError = -1
    case itemUnavailableError = -1000
    case unexpectedValueClassError = -1100
    case unavailableCoercionError = -1200
  }

  static func error(_ code: ErrorCode, _ why: String) -> NSError {
    NSError(
      domain: errorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: why])
  }
}
