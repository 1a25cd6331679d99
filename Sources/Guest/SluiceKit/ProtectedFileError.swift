internal import FileProtection
internal import Glibc
internal import Wire

/// The reason why a file, or protected data, is not available.
public struct ProtectedFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A code of `IntuneMAMFileProtectionManagerErrors` or `IntuneMAMDataProtectionManagerErrors`.
  public let code: Code
  /// One sentence, lower case, without full stop.
  public let description: String

  /// A code of a failure; files and data share numbers with different meanings.
  public struct Code: Sendable, Hashable {
    public let rawValue: Int

    /// No policy applies to any account in this app.
    public static let applicationNotManaged = Code(rawValue: 100)
    public static let invalidArguments = Code(rawValue: 101)
    public static let encryptFailed = Code(rawValue: 102)
    /// The content was cut or altered, or its key is gone.
    public static let decryptFailed = Code(rawValue: 103)
    /// For files; for data the number means that they are not protected.
    public static let fileNotFound = Code(rawValue: 104)
    public static let notProtected = Code(rawValue: 104)
    /// For files; for data the number means that there are none.
    public static let isFolder = Code(rawValue: 105)
    public static let emptyData = Code(rawValue: 105)
    /// The task's identity may not have the file or data.
    public static let identityNotManaged = Code(rawValue: 106)
    /// Any other failure; the system's reason is in the description.
    public static let `internal` = Code(rawValue: 107)
  }

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// The error of an outcome; nil where the host granted the request.
  init?(_ outcome: RequestOutcome, _ path: String) {
    switch outcome.end {
    case .delivered, .deliveredEncrypted: return nil
    case .refused:
      let rules = outcome.reasons.map(\.rule).joined(separator: ", ")
      self.init(.identityNotManaged, "`\(path)` is refused: \(rules)")
    case .failed where outcome.status == Code.fileNotFound.rawValue:
      self.init(.fileNotFound, "there is no file `\(path)`")
    case .failed where outcome.status == Code.isFolder.rawValue:
      self.init(.isFolder, "`\(path)` is a folder")
    case .failed where outcome.status == Code.decryptFailed.rawValue:
      self.init(.decryptFailed, "`\(path)` cannot be decrypted")
    case .failed, .undeliverable: self.init(.internal, "`\(path)` cannot be had")
    }
  }

  init(_ error: FileProtectionError) {
    switch error.code {
    case .cut, .altered, .wrongKey, .notProtected, .newerVersion:
      self.init(.decryptFailed, error.description)
    case .busy, .system, .closed: self.init(.internal, error.description)
    }
  }

  /// An error of the system's last `errno`.
  static func system(_ what: String, _ path: String) -> ProtectedFileError {
    ProtectedFileError(.internal, "cannot \(what) `\(path)`: \(String(cString: strerror(errno)))")
  }
}
