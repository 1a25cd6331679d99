/// What a host app shares: an `NSExtensionItem`, as far as activation rules can see it.
package struct SharedItem: Sendable, Hashable {
  package var attachments: [SharedAttachment]

  package init(attachments: [SharedAttachment]) { self.attachments = attachments }

  /// An item with one attachment for each list of types.
  package init(types: [String]...) {
    attachments = types.map(SharedAttachment.init(registeredTypeIdentifiers:))
  }
}
