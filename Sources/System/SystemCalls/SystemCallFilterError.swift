internal import Glibc

/// A filter of system calls that could not be made.
public struct SystemCallFilterError: Error, CustomStringConvertible {
  let operation: String
  /// The system's number of the error.
  let code: Int32

  static func check(_ operation: String, _ result: Int32) throws(SystemCallFilterError) {
    guard result >= 0 else { throw SystemCallFilterError(operation: operation, code: -result) }
  }

  public var description: String {
    "system calls cannot be filtered: \(operation): \(String(cString: strerror(code)))"
  }
}
