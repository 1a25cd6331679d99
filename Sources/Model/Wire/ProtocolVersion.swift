/// The versions and values that a guest and its host must agree on before anything else is sent.
public enum ProtocolVersion {
  /// The version of frames and handshake.
  public static let transport: UInt32 = 1
  /// The version of the messages of `proto/sluice.proto`.
  public static let application: UInt32 = 1
  /// Largest frame by default, in bytes without its length.
  public static let defaultFrameLimit = 16 * 1024 * 1024
  /// The descriptor on which a guest finds its host.
  public static let descriptor: Int32 = 3
}

/// The limits on one request: a guest that sends more has broken the protocol.
package enum RequestLimits {
  /// Bytes of all names in a message, such as accounts, types and paths; the limit applies again to each tag in it.
  package static let names = 8192
  /// Fields of a message with all its parts.
  static let fields = 65_536
  /// Bytes of a `Log` that are traced.
  package static let log = 64 * 1024
  /// Bytes of a sentence that the journal keeps.
  package static let sentence = 2_000
  /// Items that a guest names as sources of what it moves.
  static let sources = 64
  /// Items that an extension hands back at once.
  package static let returnedItems = 64
}

/// An error about bytes that are no message, or not an allowed one.
public enum WireError: Error, Sendable, Equatable, CustomStringConvertible {
  case frameTooLarge(length: Int, limit: Int)
  /// The frame does not hold a message of `proto/sluice.proto`.
  case malformedMessage(length: Int)
  /// The message has no body that this version knows.
  case emptyMessage
  /// The names in the message are longer than ``RequestLimits`` allows.
  case longNames(length: Int)
  /// A string is not UTF-8, or has U+0000 in it.
  case malformedText(field: String)
  /// More items are named as sources than ``RequestLimits`` allows.
  case tooManySources(count: Int)
  /// A payload is said to lie where no memory is that was lent for it, or that is taken already.
  case outsideOfMemory(offset: UInt64, length: UInt64)
  /// The stream ended within a frame.
  case truncated(missing: Int)

  public var description: String {
    switch self {
    case .frameTooLarge(let length, let limit):
      "a frame of \(length) bytes, the limit is \(limit)"
    case .malformedMessage(let length): "a frame of \(length) bytes that holds no message"
    case .emptyMessage: "a message without a known body"
    case .longNames(let length): "names of \(length) bytes in one message"
    case .malformedText(let field): "a `\(field)` that is not UTF-8 without U+0000"
    case .tooManySources(let count): "\(count) items as sources of one"
    case .outsideOfMemory(let offset, let length):
      "a payload of \(length) bytes at \(offset), where the guest has none to give"
    case .truncated(let missing): "the stream ended \(missing) bytes before the end of a frame"
    }
  }
}
