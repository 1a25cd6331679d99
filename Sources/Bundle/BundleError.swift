/// A bundle that cannot be read.
public struct BundleError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file at fault.
  public var file: String
  /// From 1; nil where no line of the file is at fault, or it has none.
  public var line: Int?
  /// Lower case, no full stop.
  public var message: String

  public init(file: String, line: Int? = nil, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  public var description: String {
    "\(file)\(line.map { ":\($0)" } ?? ""): error: \(message) [bundle]"
  }
}
