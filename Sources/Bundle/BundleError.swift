/// A bundle that cannot be read.
public struct BundleError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file at fault.
  public var file: String
  /// Lower case, no full stop.
  public var message: String

  public init(file: String, message: String) {
    self.file = file
    self.message = message
  }

  public var description: String { "\(file): error: \(message) [bundle]" }
}
