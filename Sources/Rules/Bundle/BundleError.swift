public import Diagnostics

/// A bundle that cannot be read.
public struct BundleError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file at fault.
  public var file: String
  /// The line of the fault, from 1; nil where no line of the file is at fault, or it has none.
  public var line: Int?
  /// The column of the fault, from 1, in Unicode scalars; nil where only a line is known, or none.
  public var column: Int?
  /// The message, in lower case, without full stop.
  public var message: String
  /// The kind of mistake among the findings about bundles.
  package var rule = BundleRule.unreadable

  /// Creates an error at a place in `file`.
  public init(file: String, line: Int? = nil, column: Int? = nil, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  public var diagnostic: Diagnostic {
    let place = [line, column].compactMap(\.self).map { ":\($0)" }.joined()
    return Diagnostic(.path(file + place), message, rule: "bundle")
  }

  public var description: String { diagnostic.description }
}
