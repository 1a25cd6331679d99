/// An item that an app shares with an extension, with all its attachments (`NSExtensionItem`).
public struct OfferedItem: Sendable, Equatable {
  /// `attributedTitle`, without its attributes; nil where there is none.
  public var title: String?
  /// `attributedContentText`, without its attributes; nil where there is none.
  public var contentText: String?
  public var attachments: [OfferedAttachment]

  /// An item with the given attachments.
  public init(
    title: String? = nil, contentText: String? = nil, attachments: [OfferedAttachment] = []
  ) {
    self.title = title
    self.contentText = contentText
    self.attachments = attachments
  }

  /// An item with one attachment in one representation.
  public init(_ item: Item) {
    self.init(attachments: [OfferedAttachment(item)])
  }
}

/// One shared thing, in one representation or several (`NSItemProvider`).
public struct OfferedAttachment: Sendable, Equatable {
  /// The thing's own name; nil where it has none.
  public var suggestedName: String?
  /// The representations, the most faithful first; no type twice.
  public var representations: [OfferedRepresentation]

  /// A thing with the given representations.
  public init(suggestedName: String? = nil, representations: [OfferedRepresentation]) {
    self.suggestedName = suggestedName
    self.representations = representations
  }

  /// A thing in the one representation of `item`.
  public init(_ item: Item) {
    self.init(
      suggestedName: item.name,
      representations: [
        OfferedRepresentation(type: item.type, content: .data(item.bytes, item.tag))
      ])
  }

  /// The types in the order of the representations.
  public var registeredTypeIdentifiers: [String] { representations.map(\.type) }
}

/// A thing's content as one uniform type.
public struct OfferedRepresentation: Sendable, Equatable {
  /// A uniform type identifier.
  public var type: String
  public var content: Content

  /// The content of a representation, or the promise of it.
  public enum Content: Sendable, Equatable {
    /// The bytes, with the tag under which the app once got them, nil for the app's own content.
    case data([UInt8], OwnershipTag?)
    /// A promise: the app is asked for the bytes when they are loaded.
    case promised
  }

  /// A representation of `type`.
  public init(type: String, content: Content) {
    self.type = type
    self.content = content
  }

  /// The number of bytes that travel along; 0 for a promise.
  public var count: Int {
    switch content {
    case .data(let bytes, _): bytes.count
    case .promised: 0
    }
  }
}
