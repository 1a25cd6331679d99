public import Transfer

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

  public init(items: [OfferedItem], sender: String) {
    self.items = items
    self.sender = sender
  }
}
