public import JSON

/// What an expectation asked for, and what there was.
public struct Comparison: Sendable, Equatable {
  /// A few words, as `verdict blocked`.
  public var expected: String
  /// A few words of the same kind, as `verdict allowed`.
  public var found: String
  public var isMet: Bool
  /// Where the expectation stands in the scenario's file; nil: in none.
  public var position: Position?

  public init(expected: String, found: String, isMet: Bool, at position: Position? = nil) {
    self.expected = expected
    self.found = found
    self.isMet = isMet
    self.position = position
  }

  /// `expected verdict blocked, found verdict allowed`.
  public var text: String { "expected \(expected), found \(found)" }
}
