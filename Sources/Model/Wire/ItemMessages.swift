public import Model

// MARK: - Items

extension Item: DeclaredMessage {
  static var blank: Item { Item(type: "", payload: .inline([])) }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    var bytes = bytes
    form.field(1, &type)
    form.field(2, &name)
    try form.payload(inline: 3, shared: 4, &bytes)
    try form.field(5, &tag)
    payload = .inline(bytes)
  }
}

extension OwnershipTag: DeclaredMessage {
  static var blank: OwnershipTag {
    OwnershipTag(
      ownerUPN: "", ownerObjectID: "", ownerTenantID: "", isManaged: false, originApp: "",
      device: "", sequence: 0, seal: [])
  }

  mutating func declare(in form: inout MessageForm) {
    form.field(1, &ownerUPN)
    form.field(2, &ownerObjectID)
    form.field(3, &ownerTenantID)
    form.field(4, &isManaged)
    form.field(5, &originApp)
    form.field(6, &device)
    form.field(7, &sequence)
    form.field(8, &seal)
  }
}

extension OfferedItem: DeclaredMessage {
  static var blank: OfferedItem { OfferedItem() }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    form.field(1, &title)
    form.field(2, &contentText)
    try form.field(3, &attachments)
  }
}

extension OfferedAttachment: DeclaredMessage {
  static var blank: OfferedAttachment { OfferedAttachment(representations: []) }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    form.field(1, &suggestedName)
    try form.field(2, &representations)
  }
}

extension OfferedRepresentation: DeclaredMessage {
  static var blank: OfferedRepresentation { OfferedRepresentation(type: "", content: .promised) }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    var (hasData, bytes) = (false, [UInt8]())
    var tag: OwnershipTag?
    if case .data(let data, let stated) = content { (hasData, bytes, tag) = (true, data, stated) }
    form.field(1, &type)
    form.field(2, &hasData)
    try form.payload(inline: 3, shared: 5, &bytes)
    try form.field(4, &tag)
    content = hasData ? .data(bytes, tag) : .promised
  }
}

// MARK: - Items for extensions

/// A request to share items with an extension. The extension later loads the representations that it needs.
public struct ShareItems: Sendable, Equatable, DeclaredMessage {
  /// The guest name or bundle id of the receiving extension.
  public var destination: String
  public var items: [OfferedItem]
  public var via: SharingPath

  public init(destination: String, items: [OfferedItem], via: SharingPath = .sdk) {
    self.destination = destination
    self.items = items
    self.via = via
  }

  static var blank: ShareItems { ShareItems(destination: "", items: []) }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    form.field(1, &destination)
    try form.field(2, &items)
    form.field(3, &via)
  }
}

/// A reference to one representation of a shared item.
public struct RepresentationReference: Sendable, Hashable, DeclaredMessage {
  /// The index of the item among the shared items. ``attachment`` is the index among this item's attachments.
  public var item: Int
  public var attachment: Int
  /// The requested type, which must be one of the attachment's types.
  public var type: String

  public init(item: Int, attachment: Int, type: String) {
    self.item = item
    self.attachment = attachment
    self.type = type
  }

  static var blank: RepresentationReference {
    RepresentationReference(item: 0, attachment: 0, type: "")
  }

  mutating func declare(in form: inout MessageForm) {
    form.field(item: 1, attachment: 2, type: 3, &self)
  }
}

extension MessageForm {
  mutating func field(
    item: UInt32, attachment: UInt32, type: UInt32, _ reference: inout RepresentationReference
  ) {
    field(item, &reference.item)
    field(attachment, &reference.attachment)
    field(type, &reference.type)
  }
}

/// The request that started an extension. Its representations contain no data, because the extension loads the data
/// that it needs.
public struct ExtensionRequest: Sendable, Equatable, DeclaredMessage {
  public var items: [OfferedItem]
  /// The bundle id of the sharing app.
  public var sender: String
  /// The place where an Open-In action must store the document; nil for other extensions.
  public var openIn: OpenInPlace?

  public init(items: [OfferedItem], sender: String, openIn: OpenInPlace? = nil) {
    self.items = items
    self.sender = sender
    self.openIn = openIn
  }

  static var blank: ExtensionRequest { ExtensionRequest(items: [], sender: "") }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    try form.field(1, &items)
    form.field(2, &sender)
    try form.field(3, &openIn)
  }
}

/// The place where an Open-In action stores a document for its containing app, and the URL scheme that notifies the
/// app.
public struct OpenInPlace: Sendable, Equatable, DeclaredMessage {
  /// An app group that the extension and the app share; empty if there is none.
  public var group: String
  /// The app's URL scheme that ends in `-intunemam`; empty unless the app registers both this scheme and the scheme
  /// without the ending.
  public var scheme: String
  /// The prefix of the document's file name. No other document in the group has it.
  public var mark: String

  public init(group: String, scheme: String, mark: String) {
    self.group = group
    self.scheme = scheme
    self.mark = mark
  }

  static var blank: OpenInPlace { OpenInPlace(group: "", scheme: "", mark: "") }

  mutating func declare(in form: inout MessageForm) {
    form.field(1, &group)
    form.field(2, &scheme)
    form.field(3, &mark)
  }
}
