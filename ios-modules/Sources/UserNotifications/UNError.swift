public import Foundation

/// An error of notifications.
public struct UNError: Error, Sendable {
  public let code: Code

  init(_ code: Code) { self.code = code }

  public enum Code: Int, Sendable {
    case notificationsNotAllowed = 1
    case attachmentInvalidURL = 100
    case attachmentUnrecognizedType = 101
    case attachmentInvalidFileSize = 102
    case attachmentNotInDataStore = 103
    case attachmentMoveIntoDataStoreFailed = 104
    case attachmentCorrupt = 105
    case notificationInvalidNoDate = 1400
    case notificationInvalidNoContent = 1401
  }
}

/// The domain of ``UNError``.
public let UNErrorDomain = "UNErrorDomain"

extension UNError: CustomNSError {
  public static var errorDomain: String { UNErrorDomain }
  public var errorCode: Int { code.rawValue }
}
