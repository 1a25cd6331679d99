/// The bytes of an item, or where they are.
public enum Payload: Sendable, Equatable {
  /// The bytes travel in the message.
  case inline([UInt8])

  /// How many bytes the payload has.
  public var count: Int {
    switch self {
    case .inline(let bytes): bytes.count
    }
  }
}
