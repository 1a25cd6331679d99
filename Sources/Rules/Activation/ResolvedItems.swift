package import UniformTypes

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
