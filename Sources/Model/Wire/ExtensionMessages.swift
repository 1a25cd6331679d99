public import Model

/// Items offered to an extension, which loads what it wants of them.
public struct ShareItems: Sendable, Equatable {
  /// Guest name or bundle id.
  public var destination: String
  public var items: [OfferedItem]
  public var via: SharingPath

  public init(destination: String, items: [OfferedItem], via: SharingPath = .sdk) {
    self.destination = destination
    self.items = items
    self.via = via
  }
}

/// One representation of what was shared.
public struct RepresentationReference: Sendable, Hashable {
  /// Index of the item, and in it of the attachment.
  public var item: Int
  public var attachment: Int
  /// One of the attachment's types.
  public var type: String

  public init(item: Int, attachment: Int, type: String) {
    self.item = item
    self.attachment = attachment
    self.type = type
  }
}

/// What an extension was started for: representations come as promises.
public struct ExtensionRequest: Sendable, Equatable {
  public var items: [OfferedItem]
  /// Bundle id of the app that shares.
  public var sender: String
  /// Where an Open-In action leaves the document; nil for any other extension.
  public var openIn: OpenInPlace?

  public init(items: [OfferedItem], sender: String, openIn: OpenInPlace? = nil) {
    self.items = items
    self.sender = sender
    self.openIn = openIn
  }
}

/// Where an Open-In action leaves a document for its app, and how it tells the app.
public struct OpenInPlace: Sendable, Equatable {
  /// An app group that both have; empty: they share none.
  public var group: String
  /// The app's URL scheme that ends in `-intunemam`; empty: it registers none beside its twin.
  public var scheme: String
  /// What no other document's file name in the group begins with.
  public var mark: String

  public init(group: String, scheme: String, mark: String) {
    self.group = group
    self.scheme = scheme
    self.mark = mark
  }
}
