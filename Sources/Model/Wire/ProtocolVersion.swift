/// The protocol versions and constants that a guest and its host must share.
public enum ProtocolVersion {
  /// The version of the frame format and the handshake.
  public static let transport: UInt32 = 1
  /// The version of the messages in `proto/sluice.proto`.
  public static let application: UInt32 = 2
  /// The default maximum size of a frame in bytes. The 4 bytes of its length do not count.
  public static let defaultFrameLimit = 16 * 1024 * 1024
  /// The file descriptor of a guest's connection to its host.
  public static let descriptor: Int32 = 3
}

/// The limits of one request. Texts for the trace and the journal are truncated to their limit. A message that exceeds
/// any other limit is a protocol violation.
package enum RequestLimits {
  /// The maximum total size in bytes of the short strings in a message, such as accounts, types and paths. The strings
  /// of a tag are counted separately, with the same maximum for each tag.
  package static let names = 8192
  /// The maximum number of fields in a message. The fields of its parts count too.
  static let fields = 65_536
  /// The size in bytes to which the text of a `Log` is truncated.
  package static let log = 64 * 1024
  /// The size in bytes to which a reason or explanation from a guest is truncated in the journal.
  package static let sentence = 2_000
  /// The maximum number of source items in a request.
  static let sources = 64
  /// The maximum number of items that an extension can return from one run.
  package static let returnedItems = 64
}

/// An error in received bytes: they are not a message, or the message violates a rule of the protocol.
public enum WireError: Error, Sendable, Equatable, CustomStringConvertible {
  case frameTooLarge(length: Int, limit: Int)
  /// The frame is not a message of `proto/sluice.proto`, or has too many fields.
  case malformedMessage(length: Int)
  /// The message has no body that this version knows, lacks a required part, or contains an unknown value.
  case emptyMessage
  /// The total size of the message's names exceeds the limit in ``RequestLimits``.
  case longNames(length: Int)
  /// A string is not UTF-8 or contains U+0000.
  case malformedText(field: String)
  /// The message states more source items than ``RequestLimits`` allows.
  case tooManySources(count: Int)
  /// The location of a payload is invalid. It is outside of the shared memory, is misaligned, is too short, exceeds
  /// what the frame may refer to, or overlaps a payload in use.
  case outsideOfMemory(offset: UInt64, length: UInt64)
  /// The stream ended within a frame.
  case truncated(missing: Int)

  public var description: String {
    switch self {
    case .frameTooLarge(let length, let limit):
      "a frame of \(length) bytes; the limit is \(limit)"
    case .malformedMessage(let length): "a frame of \(length) bytes that is not a valid message"
    case .emptyMessage: "a message with an unknown or incomplete body"
    case .longNames(let length):
      "names of \(length) bytes in one message; the limit is \(RequestLimits.names)"
    case .malformedText(let field): "a `\(field)` that is not UTF-8 or contains U+0000"
    case .tooManySources(let count): "\(count) source items; the limit is \(RequestLimits.sources)"
    case .outsideOfMemory(let offset, let length):
      "an invalid location of a payload in shared memory: \(length) bytes at offset \(offset)"
    case .truncated(let missing): "the stream ended \(missing) bytes before the end of a frame"
    }
  }
}
