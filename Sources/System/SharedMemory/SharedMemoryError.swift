/// A refusal of the operating system to make or map shared memory.
public struct SharedMemoryError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The attempted system call.
  public let operation: String
  /// The errno as a positive number.
  public let code: Int32

  /// A refusal of `operation` by the errno `code`.
  public init(operation: String, code: Int32) {
    self.operation = operation
    self.code = code
  }

  public var description: String { "\(operation) failed with errno \(code)" }
}
