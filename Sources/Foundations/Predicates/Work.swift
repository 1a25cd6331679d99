/// What asking a predicate has cost, and may cost: the elements that were visited, and the characters
/// that were looked at, 64 for an element.
package struct Work: Sendable {
  /// How many elements one predicate may visit. Nested subqueries visit as many as the product of their lists; no
  /// predicate that means something comes near.
  package static let maximumElements = 100_000
  private static let charactersPerElement = 64

  private let limit: Int
  /// In characters.
  package private(set) var steps = 0

  package init(elements limit: Int = maximumElements) {
    self.limit = limit * Self.charactersPerElement
  }

  package var elements: Int { steps / Self.charactersPerElement }

  /// What the predicate came to means nothing then.
  package var isExhausted: Bool { steps > limit }

  package mutating func visit(_ count: Int = 1) { steps += count * Self.charactersPerElement }

  package mutating func look(_ count: Int = 1) { steps += count }
}
