/// The versions and constants on which a guest and its host must agree.
public enum ProtocolVersion {
  /// The version of frames and handshake.
  public static let transport: UInt32 = 1
  /// The version of the messages in `proto/sluice.proto`.
  public static let application: UInt32 = 2
  /// The default maximum frame size in bytes, without the length.
  public static let defaultFrameLimit = 16 * 1024 * 1024
  /// The guest's descriptor of the connection to its host.
  public static let descriptor: Int32 = 3
}

/// The limits of one request. Longer texts for the trace and the journal are truncated. Exceeding any other limit is a
/// protocol violation.
package enum RequestLimits {
  /// The maximum total size in bytes of a message's names, such as accounts, types and paths. Each tag has
  /// a separate limit of the same size.
  package static let names = 8192
  /// The maximum number of fields in a message, including all of its parts.
  static let fields = 65_536
  /// The size in bytes to which the text of a `Log` is truncated.
  package static let log = 64 * 1024
  /// The size in bytes to which a guest's explanation in the journal is truncated.
  package static let sentence = 2_000
  /// The maximum number of items that a request names as sources.
  static let sources = 64
  /// The maximum number of items that an extension returns at once.
  package static let returnedItems = 64
}

/// An error in received bytes: they are not a message, or not a permitted message.
public enum WireError: Error, Sendable, Equatable, CustomStringConvertible {
  case frameTooLarge(length: Int, limit: Int)
  /// The frame is not a message of `proto/sluice.proto`, or has too many fields.
  case malformedMessage(length: Int)
  /// The message has no body that this version knows, lacks a required part, or has an unknown value.
  case emptyMessage
  /// The names in the message exceed the limit in ``RequestLimits``.
  case longNames(length: Int)
  /// A string is not UTF-8 or contains U+0000.
  case malformedText(field: String)
  /// The number of source items exceeds the limit in ``RequestLimits``.
  case tooManySources(count: Int)
  /// A payload is outside of the shared memory, misaligned, too short, beyond the frame's limit, or overlaps a
  /// payload that is in use.
  case outsideOfMemory(offset: UInt64, length: UInt64)
  /// The stream ended within a frame.
  case truncated(missing: Int)

  public var description: String {
    switch self {
    case .frameTooLarge(let length, let limit):
      "a frame of \(length) bytes; the limit is \(limit)"
    case .malformedMessage(let length): "a frame of \(length) bytes that holds no message"
    case .emptyMessage: "a message without a known body"
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
