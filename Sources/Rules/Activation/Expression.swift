internal import UniformTypes

/// A part of a predicate that has a value. Equal where the structure is, wherever it stands.
package struct Expression: Sendable, Equatable {
  package var kind: Kind
  package var part: SourcePart

  package indirect enum Kind: Sendable, Equatable {
    case number(Int)
    case text(Literal)
    case list([Expression])
    /// `extensionItems`.
    case items
    case variable(Variable)
    /// `attachments` of an item.
    case attachments(of: Expression)
    /// `registeredTypeIdentifiers` of an attachment.
    case types(of: Expression)
    case subquery(Subquery)
    /// `.@count` of a collection.
    case count(of: Expression)
  }

  package static func == (left: Expression, right: Expression) -> Bool {
    left.kind == right.kind
  }
}

/// A string as written, between quotes.
package struct Literal: Sendable, Equatable {
  let reference: TypeReference

  package var text: String { reference.identifier }

  init(_ text: String) { reference = TypeReference(text) }
}

package struct Variable: Sendable, Equatable {
  /// Without the dollar sign.
  package var name: String
  /// How many variables are around it.
  var slot: Int
  var kind: ValueKind
}

/// `SUBQUERY(collection, $variable, predicate)`: the elements for which the predicate holds.
package struct Subquery: Sendable, Equatable {
  package var collection: Expression
  package var variable: Variable
  package var predicate: Clause
}
