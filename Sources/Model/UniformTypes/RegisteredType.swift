/// A type that an attachment is registered under, looked up in one library.
package struct RegisteredType: Sendable {
  /// The identifier as it was registered.
  package let identifier: String
  /// The type's place in the library; nil where it is not declared.
  package let node: TypeNode?

  /// The identifier in lower case.
  var folded: String { folding(identifier) }
}
