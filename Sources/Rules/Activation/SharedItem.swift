package import UniformTypes

/// An `NSExtensionItem` that an app shares. It has only the properties that activation rules read.
package struct SharedItem: Sendable, Hashable {
  package var attachments: [SharedAttachment]

  package init(attachments: [SharedAttachment]) { self.attachments = attachments }

  /// Creates an item. Each argument is the list of types of one attachment.
  package init(types: [String]...) {
    attachments = types.map(SharedAttachment.init(registeredTypeIdentifiers:))
  }
}

/// An `NSItemProvider`: an attachment of a shared item. It has only the properties that activation rules read.
package struct SharedAttachment: Sendable, Hashable {
  /// The types in which the content is available, the most faithful one first.
  package var registeredTypeIdentifiers: [String]

  package init(registeredTypeIdentifiers: [String]) {
    self.registeredTypeIdentifiers = registeredTypeIdentifiers
  }
}

// MARK: - Resolved types

/// Shared items whose types are already looked up, so many rules can be evaluated on them.
package struct ResolvedItems: Sendable {
  let library: TypeLibrary
  let types: [RegisteredType]
  /// The attachments of all items. Each is the range of its types in ``types``.
  let attachments: [Range<Int>]
  /// The items. Each is the range of its attachments in ``attachments``.
  let items: [Range<Int>]

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
