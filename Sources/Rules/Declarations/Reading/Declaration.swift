package import JSON

/// One declaration, as a file states it.
package struct Declaration: Sendable {
  /// `Type`, known or not.
  package var typeName: String
  /// `Identifier`, unique among all declarations.
  package var identifier: String
  /// `ServerToken`, which differs between revisions.
  package var serverToken: String
  /// `Payload`, an object.
  package var payload: JSONValue
  /// The path, in the folder, of the file with the declaration.
  package var file: String
  package var position: Position

  /// The declaration's type; nil for a type that is not simulated.
  package var type: DeclarationType? { DeclarationType(rawValue: typeName) }

  package var kind: DeclarationKind { type?.kind ?? DeclarationKind(ofUnknown: typeName) }
}
