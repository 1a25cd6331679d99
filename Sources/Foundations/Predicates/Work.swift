/// The cost of asking a predicate, and its limit: the elements that were visited, and the characters
/// that were looked at, 64 for an element.
package struct Work: Sendable {
  /// The limit on elements that one predicate may visit. Nested subqueries visit as many as the product of their
  /// lists; no meaningful predicate comes near.
  package static let maximumElements = 100_000
  private static let charactersPerElement = 64

  private let limit: Int
  /// The cost so far in characters.
  package private(set) var steps = 0

  /// A cost of 0 with a limit of `limit` elements.
  package init(elements limit: Int = maximumElements) {
    self.limit = limit * Self.charactersPerElement
  }

  /// The cost so far in elements.
  package var elements: Int { steps / Self.charactersPerElement }

  /// Whether the limit was exceeded; the predicate's answer is meaningless then.
  package var isExhausted: Bool { steps > limit }

  /// Counts elements.
  package mutating func charge(elements count: Int) { steps += count * Self.charactersPerElement }

  /// Counts characters.
  package mutating func charge(characters count: Int) { steps += count }
}
