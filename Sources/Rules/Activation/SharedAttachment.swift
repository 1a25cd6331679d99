/// An `NSItemProvider`, as far as activation rules can see it.
package struct SharedAttachment: Sendable, Hashable {
  /// The types that it can be loaded as, the most faithful one first.
  package var registeredTypeIdentifiers: [String]

  package init(registeredTypeIdentifiers: [String]) {
    self.registeredTypeIdentifiers = registeredTypeIdentifiers
  }
}
