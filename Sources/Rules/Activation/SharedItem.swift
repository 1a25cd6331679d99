package import UniformTypes

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

/// An `NSItemProvider`, as far as activation rules can see it.
package struct SharedAttachment: Sendable, Hashable {
  /// The types that the attachment can be loaded as, the most faithful one first.
  package var registeredTypeIdentifiers: [String]

  /// Creates an attachment that can be loaded as these types.
  package init(registeredTypeIdentifiers: [String]) {
    self.registeredTypeIdentifiers = registeredTypeIdentifiers
  }
}

// MARK: - Types looked up

/// Shared items with their types looked up, so that many rules can be asked about them.
package struct ResolvedItems: Sendable {
  let library: TypeLibrary
  /// The types of all attachments.
  let types: [RegisteredType]
  /// The attachments of all items, each as the range of its places in ``types``.
  let attachments: [Range<Int>]
  /// The items, each as the range of its places in ``attachments``.
  let items: [Range<Int>]

  /// Looks up the types of all attachments of `items` in `library`.
  package init(_ items: [SharedItem], types library: TypeLibrary) {
    var types: [RegisteredType] = []
    var attachments: [Range<Int>] = []
    let attachmentCount = items.reduce(0) { $0 + $1.attachments.count }
    attachments.reserveCapacity(attachmentCount)
    types.reserveCapacity(2 * attachmentCount)
    self.items = items.map { item in
      let first = attachments.count
      for attachment in item.attachments {
        let start = types.count
        for identifier in attachment.registeredTypeIdentifiers {
          types.append(library.registered(identifier))
        }
        attachments.append(start..<types.count)
      }
      return first..<attachments.count
    }
    self.library = library
    self.types = types
    self.attachments = attachments
  }

  func conforms(_ type: Int, to other: TypeReference) -> Bool {
    library.conforms(types[type], to: other)
  }
}
