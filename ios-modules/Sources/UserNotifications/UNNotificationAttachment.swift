public import Foundation

/// A file of a notification. It is neither shown nor moved.
open class UNNotificationAttachment: NSObject, @unchecked Sendable {
  public let identifier: String
  public let url: URL

  /// Creates an attachment.
  ///
  /// - Parameters:
  ///   - identifier: The identifier; an empty string for a unique one.
  ///   - options: Ignored.
  /// - Throws: An error if the file does not exist.
  public init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw UNError(.attachmentInvalidURL)
    }
    self.identifier = identifier.isEmpty ? UUID().uuidString : identifier
    self.url = url
    super.init()
  }
}
