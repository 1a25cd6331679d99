/// Why a text is no predicate that an activation can have here.
package struct ConditionError: Error, Sendable, Equatable {
  /// Of the Unicode scalar in the predicate, from 0.
  package var offset: Int
  /// Lower case, no full stop.
  package var message: String

  init(_ message: String, at offset: Int) {
    self.offset = offset
    self.message = message
  }
}

/// Why a predicate has no answer on a device: it compares what cannot be compared.
package struct ConditionFailure: Error, Sendable, Equatable {
  /// Lower case, no full stop.
  package var message: String

  init(_ message: String) { self.message = message }
}
