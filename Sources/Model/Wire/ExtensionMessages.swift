internal import CMessages
internal import CProtobufC
public import Model

/// Items offered to an extension, which loads the representations that it needs.
public struct ShareItems: Sendable, Equatable {
  /// The destination's guest name or bundle id.
  public var destination: String
  public var items: [OfferedItem]
  public var via: SharingPath

  /// Creates an offer of `items` to `destination`.
  public init(destination: String, items: [OfferedItem], via: SharingPath = .sdk) {
    self.destination = destination
    self.items = items
    self.via = via
  }
}

/// A reference to one representation of a shared item.
public struct RepresentationReference: Sendable, Hashable {
  /// The index of the item. ``attachment`` is an index into the item's attachments.
  public var item: Int
  public var attachment: Int
  /// One of the attachment's types.
  public var type: String

  /// Creates a reference to an attachment's representation as `type`.
  public init(item: Int, attachment: Int, type: String) {
    self.item = item
    self.attachment = attachment
    self.type = type
  }
}

/// The request that started an extension. Its representations are promises.
public struct ExtensionRequest: Sendable, Equatable {
  public var items: [OfferedItem]
  /// The bundle id of the sharing app.
  public var sender: String
  /// The place in which an Open-In action leaves the document; nil for other extensions.
  public var openIn: OpenInPlace?

  /// Creates a request with `items` from `sender`.
  public init(items: [OfferedItem], sender: String, openIn: OpenInPlace? = nil) {
    self.items = items
    self.sender = sender
    self.openIn = openIn
  }
}

/// The place in which an Open-In action leaves a document for its app, and the notification of the app.
public struct OpenInPlace: Sendable, Equatable {
  /// An app group shared by extension and app; empty if there is none.
  public var group: String
  /// The app's URL scheme that ends in `-intunemam`; empty unless the app registers it beside its original.
  public var scheme: String
  /// The unique prefix of the document's file name in the group.
  public var mark: String

  /// Creates a place in `group`. A URL of `scheme` notifies the app.
  public init(group: String, scheme: String, mark: String) {
    self.group = group
    self.scheme = scheme
    self.mark = mark
  }
}

// MARK: - Coding

extension Arena {
  func offeredItems(
    _ items: [OfferedItem]
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<Sluice__OfferedItem>?> {
    pointers(items.map(offeredItem))
  }

  private func offeredItem(_ item: OfferedItem) -> UnsafeMutablePointer<Sluice__OfferedItem> {
    message(sluice__offered_item__init) {
      $0.title = string(item.title ?? "")
      $0.content_text = string(item.contentText ?? "")
      $0.attachments = pointers(item.attachments.map(attachment))
      $0.n_attachments = item.attachments.count
    }
  }

  private func attachment(
    _ attachment: OfferedAttachment
  ) -> UnsafeMutablePointer<Sluice__OfferedAttachment> {
    message(sluice__offered_attachment__init) {
      $0.suggested_name = string(attachment.suggestedName ?? "")
      $0.representations = pointers(attachment.representations.map(representation))
      $0.n_representations = attachment.representations.count
    }
  }

  private func representation(
    _ representation: OfferedRepresentation
  ) -> UnsafeMutablePointer<Sluice__OfferedRepresentation> {
    message(sluice__offered_representation__init) {
      $0.type = string(representation.type)
      guard case .data(let data, let tag) = representation.content else { return }
      $0.has_data = 1
      $0.shared = place(data)
      if $0.shared == nil { $0.inline_ = bytes(data) }
      $0.tag = tag.map(self.tag)
    }
  }
}

extension OpenInPlace {
  init(_ raw: Sluice__OpenInPlace) {
    self.init(
      group: cString(raw.group), scheme: cString(raw.scheme), mark: cString(raw.mark))
  }
}

extension OfferedItem {
  private init(_ raw: Sluice__OfferedItem) {
    let (title, text) = (cString(raw.title), cString(raw.content_text))
    self.init(
      title: title.isEmpty ? nil : title, contentText: text.isEmpty ? nil : text,
      attachments: (0..<raw.n_attachments).compactMap { index in
        raw.attachments[index].map { OfferedAttachment($0.pointee) }
      })
  }

  static func list(
    _ raw: UnsafeMutablePointer<UnsafeMutablePointer<Sluice__OfferedItem>?>?, _ count: Int
  ) -> [OfferedItem] {
    (0..<count).compactMap { index in raw?[index].map { OfferedItem($0.pointee) } }
  }
}

extension OfferedAttachment {
  fileprivate init(_ raw: Sluice__OfferedAttachment) {
    let name = cString(raw.suggested_name)
    self.init(
      suggestedName: name.isEmpty ? nil : name,
      representations: (0..<raw.n_representations).compactMap { index in
        raw.representations[index].map { OfferedRepresentation($0.pointee) }
      })
  }
}

extension OfferedRepresentation {
  fileprivate init(_ raw: Sluice__OfferedRepresentation) {
    self.init(
      type: cString(raw.type),
      content: raw.has_data == 0
        ? .promised
        : .data(byteArray(raw.inline_), raw.tag.map { OwnershipTag($0.pointee) }))
  }
}
