/// The reason why a predicate has no answer: it compares values that cannot be compared.
package struct PredicateFailure: Error, Sendable, Equatable {
  /// The message, lower case, no full stop.
  package var message: String

  /// A failure with a message.
  package init(_ message: String) { self.message = message }
}
