/// A place in a text: both numbers count from 1, columns in Unicode scalars.
public struct Position: Sendable, Hashable {
  public var line: Int
  public var column: Int

  /// The place in `line` and `column`.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}
