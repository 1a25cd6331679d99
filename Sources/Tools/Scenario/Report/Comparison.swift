public import JSON

/// An expected property and the one that was found.
public struct Comparison: Sendable, Equatable {
  /// The expected property in a few words, such as `verdict blocked`.
  public var expected: String
  /// The property that was found in a few words of the same kind, such as `verdict allowed`.
  public var found: String
  public var isMet: Bool
  /// The position of the expectation in the scenario's file; nil where it stands in none.
  public var position: Position?

  /// Creates a comparison.
  public init(expected: String, found: String, isMet: Bool, at position: Position? = nil) {
    self.expected = expected
    self.found = found
    self.isMet = isMet
    self.position = position
  }

  /// The comparison as a clause, such as `expected verdict blocked, found verdict allowed`.
  public var text: String { "expected \(expected), found \(found)" }
}
