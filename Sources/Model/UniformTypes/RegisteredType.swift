/// A type that an attachment is registered under, looked up in one library.
package struct RegisteredType: Sendable {
  /// As registered.
  package let identifier: String
  /// Its place in the library; nil where nobody declares it.
  package let node: TypeNode?

  /// In lower case.
  var folded: String { folding(identifier) }
}
