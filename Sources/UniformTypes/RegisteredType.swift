/// A type that an attachment is registered under, looked up in one library.
package struct RegisteredType: Sendable {
  /// As registered.
  package let identifier: String
  let folded: String
  let node: TypeNode?
}
