/// Why a predicate has no answer: it compares what cannot be compared.
package struct PredicateFailure: Error, Sendable, Equatable {
  /// Lower case, no full stop.
  package var message: String

  package init(_ message: String) { self.message = message }
}
