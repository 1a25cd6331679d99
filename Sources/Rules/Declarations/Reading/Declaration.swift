package import JSON

/// One declaration, as a file states it.
package struct Declaration: Sendable {
  /// `Type`, known or not.
  package var typeName: String
  /// `Identifier`, unique among all declarations.
  package var identifier: String
  /// `ServerToken`: another one means another revision.
  package var serverToken: String
  /// `Payload`: an object.
  package var payload: JSONValue
  /// Where it stands: the file's path in the folder.
  package var file: String
  package var position: Position

  /// nil for a type that is not simulated.
  package var type: DeclarationType? { DeclarationType(rawValue: typeName) }

  package var kind: DeclarationKind { type?.kind ?? DeclarationKind(ofUnknown: typeName) }
}
