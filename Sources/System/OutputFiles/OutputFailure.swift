internal import Glibc

/// The reason why a file cannot be written.
public struct OutputFailure: Error, CustomStringConvertible {
  /// The system's error number (errno(3)).
  public let code: Int32

  /// Creates a failure for an error number.
  public init(_ code: Int32) { self.code = code }

  /// The system's words for it, in lower case.
  public var description: String { String(cString: strerror(code)).lowercased() }
}
