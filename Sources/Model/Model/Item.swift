/// Content of one uniform type that moves between apps.
public struct Item: Sendable, Equatable {
  /// A uniform type identifier, such as `public.plain-text`.
  public var type: String
  /// The suggested file name; nil for items that are not files.
  public var name: String?
  public var payload: Payload
  /// The tag under which the device delivered the item; nil for the app's own content.
  public var tag: OwnershipTag?

  public init(type: String, name: String? = nil, payload: Payload, tag: OwnershipTag? = nil) {
    self.type = type
    self.name = name
    self.payload = payload
    self.tag = tag
  }

  /// Creates an item of plain text, of type ``plainText``.
  public init(text: String) {
    self.init(type: Item.plainText, payload: .inline(Array(text.utf8)))
  }

  public static let plainText = "public.utf8-plain-text"

  package var bytes: [UInt8] {
    switch payload {
    case .inline(let bytes): bytes
    }
  }

  /// The payload as text; nil if it is not valid UTF-8.
  public var text: String? { String(validating: bytes, as: UTF8.self) }

  /// The number of Unicode scalars in the text, the unit in which policies count characters; nil if
  /// the payload is not valid UTF-8.
  ///
  /// - Complexity: O(n) in the size of the payload.
  public var characterCount: Int? { bytes.withUnsafeBytes(scalarCount) }
}

/// Returns the number of Unicode scalars in UTF-8 bytes; nil if the bytes are malformed (The Unicode Standard, table
/// 3-7). `String` counts scalars about twenty times slower, and an item can fill a frame of 16 MiB.
private func scalarCount(of bytes: UnsafeRawBufferPointer) -> Int? {
  var (position, count) = (0, 0)
  while position < bytes.count {
    if bytes.count - position >= 8,
      bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      position += 8
      count += 8
      continue
    }
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch bytes[position] {
    case 0...0x7F: length = 1
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return nil  // open: bytes; no other byte begins a character
    }
    guard bytes.count - position >= length else { return nil }
    if length > 1 {
      guard second.contains(bytes[position + 1]) else { return nil }
      for next in (position + 2)..<(position + max(length, 2)) where bytes[next] & 0xC0 != 0x80 {
        return nil
      }
    }
    position += length
    count += 1
  }
  return count
}

public enum Payload: Sendable, Equatable {
  /// Bytes in the message itself.
  case inline([UInt8])

  /// The size of the payload in bytes.
  public var count: Int {
    switch self {
    case .inline(let bytes): bytes.count
    }
  }
}

/// The owner of an item, sealed by the device.
///
/// Only the host makes tags. An app may keep a tag and return it with the item; the host verifies the seal
/// before it trusts the tag.
public struct OwnershipTag: Sendable, Equatable {
  /// The owner's UPN; `""` for an unknown, unmanaged owner.
  public var ownerUPN: String
  /// The owner's object id; `""` if unknown.
  public var ownerObjectID: String
  /// The owner's tenant; `""` if unknown.
  public var ownerTenantID: String
  /// Whether a policy protected the owner's data in the app of origin.
  public var isManaged: Bool
  /// The bundle id of the app that sent the item.
  public var originApp: String
  /// The identifier of the device that sealed the tag.
  public var device: String
  /// The number of the request that delivered the item, on the device that sealed the tag.
  public var sequence: UInt64
  /// HMAC-SHA256 over all fields above and the item's type and payload, 32 bytes.
  public var seal: [UInt8]

  public init(
    ownerUPN: String, ownerObjectID: String, ownerTenantID: String, isManaged: Bool,
    originApp: String, device: String, sequence: UInt64, seal: [UInt8]
  ) {
    self.ownerUPN = ownerUPN
    self.ownerObjectID = ownerObjectID
    self.ownerTenantID = ownerTenantID
    self.isManaged = isManaged
    self.originApp = originApp
    self.device = device
    self.sequence = sequence
    self.seal = seal
  }

  /// The owner; nil if unknown.
  public var owner: Account? {
    Account(ownerUPN: ownerUPN, ownerObjectID: ownerObjectID, ownerTenantID: ownerTenantID)
  }
}

// MARK: - Items offered to extensions

/// An item that an app shares with an extension, with its attachments (`NSExtensionItem`).
public struct OfferedItem: Sendable, Equatable {
  /// `attributedTitle` without its attributes; nil if there is none.
  public var title: String?
  /// `attributedContentText` without its attributes; nil if there is none.
  public var contentText: String?
  public var attachments: [OfferedAttachment]

  public init(
    title: String? = nil, contentText: String? = nil, attachments: [OfferedAttachment] = []
  ) {
    self.title = title
    self.contentText = contentText
    self.attachments = attachments
  }

  /// Creates an item with one attachment in one representation.
  public init(_ item: Item) {
    self.init(attachments: [OfferedAttachment(item)])
  }
}

/// Shared content in one or more representations (`NSItemProvider`).
public struct OfferedAttachment: Sendable, Equatable {
  /// The content's own name; nil if it has none.
  public var suggestedName: String?
  /// The representations, the most faithful first, without duplicate types.
  public var representations: [OfferedRepresentation]

  public init(suggestedName: String? = nil, representations: [OfferedRepresentation]) {
    self.suggestedName = suggestedName
    self.representations = representations
  }

  /// Creates an attachment with `item` as its only representation.
  public init(_ item: Item) {
    self.init(
      suggestedName: item.name,
      representations: [
        OfferedRepresentation(type: item.type, content: .data(item.bytes, item.tag))
      ])
  }

  public var registeredTypeIdentifiers: [String] { representations.map(\.type) }
}

/// An attachment's content as one uniform type.
public struct OfferedRepresentation: Sendable, Equatable {
  /// A uniform type identifier.
  public var type: String
  public var content: Content

  /// The content of a representation, or a promise of it.
  public enum Content: Sendable, Equatable {
    /// The bytes, and the tag under which the app received them; nil for the app's own content.
    case data([UInt8], OwnershipTag?)
    /// A promise: the app provides the bytes when they are loaded.
    case promised
  }

  public init(type: String, content: Content) {
    self.type = type
    self.content = content
  }

  /// The size of the included bytes; 0 for a promise.
  public var count: Int {
    switch content {
    case .data(let bytes, _): bytes.count
    case .promised: 0
    }
  }
}
