/// What an app shares with an extension at once (`NSExtensionItem`).
public struct OfferedItem: Sendable, Equatable {
  /// `attributedTitle`, without its attributes; nil where there is none.
  public var title: String?
  /// `attributedContentText`, without its attributes; nil where there is none.
  public var contentText: String?
  public var attachments: [OfferedAttachment]

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

/// One thing that is shared, in one representation or several (`NSItemProvider`).
public struct OfferedAttachment: Sendable, Equatable {
  /// nil where the thing has no name of its own.
  public var suggestedName: String?
  /// The most faithful first; no type twice.
  public var representations: [OfferedRepresentation]

  public init(suggestedName: String? = nil, representations: [OfferedRepresentation]) {
    self.suggestedName = suggestedName
    self.representations = representations
  }

  public init(_ item: Item) {
    switch item.payload {
    case .inline(let bytes):
      self.init(
        suggestedName: item.name,
        representations: [
          OfferedRepresentation(type: item.type, content: .data(bytes, item.tag))
        ])
    }
  }

  /// In the order of the representations.
  public var registeredTypeIdentifiers: [String] { representations.map(\.type) }
}

/// A thing's content as one uniform type.
public struct OfferedRepresentation: Sendable, Equatable {
  /// A uniform type identifier.
  public var type: String
  public var content: Content

  public enum Content: Sendable, Equatable {
    /// The bytes, with the tag under which the app once got them, nil for content of its own.
    case data([UInt8], OwnershipTag?)
    /// To be asked for when somebody loads it.
    case promised
  }

  public init(type: String, content: Content) {
    self.type = type
    self.content = content
  }

  /// Bytes that travel along; 0 for a promise.
  public var count: Int {
    switch content {
    case .data(let bytes, _): bytes.count
    case .promised: 0
    }
  }
}
