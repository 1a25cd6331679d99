package import Predicates

/// The reason why a text is no predicate that an activation can have here.
package struct ConditionError: Error, Sendable, Equatable {
  /// The offset of the Unicode scalar in the predicate where the fault is, from 0.
  package var offset: Int
  /// The message, in lower case, without full stop.
  package var message: String

  init(_ message: String, at part: SourcePart) {
    offset = part.offset
    self.message = message
  }
}

/// The reason why a predicate has no answer on a device.
package typealias ConditionFailure = PredicateFailure
