/// The content of an item.
public enum Payload: Sendable, Equatable {
  /// The bytes travel in the message.
  case inline([UInt8])

  /// The number of the payload's bytes.
  public var count: Int {
    switch self {
    case .inline(let bytes): bytes.count
    }
  }
}
