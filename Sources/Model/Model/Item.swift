/// Something that moves between apps: content of one uniform type.
public struct Item: Sendable, Equatable {
  /// A uniform type identifier, such as `public.plain-text`.
  public var type: String
  /// The suggested file name; nil where the item is no file.
  public var name: String?
  public var payload: Payload
  /// The tag under which the device delivered this item; nil for content that the app made itself.
  public var tag: OwnershipTag?

  /// An item of `type` with `payload`.
  public init(type: String, name: String? = nil, payload: Payload, tag: OwnershipTag? = nil) {
    self.type = type
    self.name = name
    self.payload = payload
    self.tag = tag
  }

  /// An item of plain text, of type `public.utf8-plain-text`.
  public init(text: String) {
    self.init(type: Item.plainText, payload: .inline(Array(text.utf8)))
  }

  /// The type of plain text, `public.utf8-plain-text`.
  public static let plainText = "public.utf8-plain-text"

  /// The bytes of the payload.
  package var bytes: [UInt8] {
    switch payload {
    case .inline(let bytes): bytes
    }
  }

  /// The payload as text; nil where it is not valid UTF-8.
  public var text: String? { String(validating: bytes, as: UTF8.self) }
}
