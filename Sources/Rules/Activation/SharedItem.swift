/// An item that a host app shares: an `NSExtensionItem`, as far as activation rules can see it.
package struct SharedItem: Sendable, Hashable {
  package var attachments: [SharedAttachment]

  /// Creates an item with these attachments.
  package init(attachments: [SharedAttachment]) { self.attachments = attachments }

  /// Creates an item with one attachment for each list of types.
  package init(types: [String]...) {
    attachments = types.map(SharedAttachment.init(registeredTypeIdentifiers:))
  }
}
