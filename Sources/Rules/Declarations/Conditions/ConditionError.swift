package import Predicates

/// Why a text is no predicate that an activation can have here.
package struct ConditionError: Error, Sendable, Equatable {
  /// Of the Unicode scalar in the predicate, from 0.
  package var offset: Int
  /// Lower case, no full stop.
  package var message: String

  init(_ message: String, at part: SourcePart) {
    offset = part.offset
    self.message = message
  }
}

/// Why a predicate has no answer on a device.
package typealias ConditionFailure = PredicateFailure
