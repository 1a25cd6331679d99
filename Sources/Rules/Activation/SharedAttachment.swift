/// An `NSItemProvider`, as far as activation rules can see it.
package struct SharedAttachment: Sendable, Hashable {
  /// The types that the attachment can be loaded as, the most faithful one first.
  package var registeredTypeIdentifiers: [String]

  /// Creates an attachment that can be loaded as these types.
  package init(registeredTypeIdentifiers: [String]) {
    self.registeredTypeIdentifiers = registeredTypeIdentifiers
  }
}
