public import Model

/// Items offered to an extension, which loads the representations that it wants.
public struct ShareItems: Sendable, Equatable {
  /// The destination's guest name or bundle id.
  public var destination: String
  public var items: [OfferedItem]
  public var via: SharingPath

  /// An offer of `items` to `destination`.
  public init(destination: String, items: [OfferedItem], via: SharingPath = .sdk) {
    self.destination = destination
    self.items = items
    self.via = via
  }
}

/// A reference to one representation of a shared item.
public struct RepresentationReference: Sendable, Hashable {
  /// The index of the item; ``attachment`` is the index of the attachment in it.
  public var item: Int
  public var attachment: Int
  /// One of the attachment's types.
  public var type: String

  /// A reference to the representation as `type` of an attachment.
  public init(item: Int, attachment: Int, type: String) {
    self.item = item
    self.attachment = attachment
    self.type = type
  }
}

/// The request that an extension was started for; its representations are promises.
public struct ExtensionRequest: Sendable, Equatable {
  public var items: [OfferedItem]
  /// The bundle id of the app that shares.
  public var sender: String
  /// The place in which an Open-In action leaves the document; nil for any other extension.
  public var openIn: OpenInPlace?

  /// A request with `items` from `sender`.
  public init(items: [OfferedItem], sender: String, openIn: OpenInPlace? = nil) {
    self.items = items
    self.sender = sender
    self.openIn = openIn
  }
}

/// The place in which an Open-In action leaves a document for its app, and the way in which it tells the app.
public struct OpenInPlace: Sendable, Equatable {
  /// An app group that extension and app have in common; empty where they share none.
  public var group: String
  /// The app's URL scheme that ends in `-intunemam`; empty where it registers none beside its twin.
  public var scheme: String
  /// The beginning of the document's file name in the group, which no other document's name begins with.
  public var mark: String

  /// A place in `group`, announced to the app by a URL of `scheme`.
  public init(group: String, scheme: String, mark: String) {
    self.group = group
    self.scheme = scheme
    self.mark = mark
  }
}
