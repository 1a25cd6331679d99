/// A parser that splits a byte stream into frames. A frame is an unsigned 32-bit little-endian length, followed by that
/// number of bytes.
///
/// A frame that arrives complete is passed on without a copy. The parser buffers an incomplete last frame and the bytes
/// that follow a pause.
public struct FrameParser {
  /// The parser's action after a frame.
  public enum Next: Sendable {
    case proceed
    /// Stops, and buffers the remaining bytes until ``resume(_:)``.
    case pause
  }

  /// The maximum size of a frame in bytes. The 4 bytes of its length do not count.
  public var limit: Int
  private var kept: [UInt8] = []
  /// The offset in ``kept`` at which the first unprocessed frame begins.
  private var start = 0

  /// Creates a parser for frames of at most `limit` bytes.
  public init(limit: Int = ProtocolVersion.defaultFrameLimit) {
    self.limit = limit
  }

  /// The number of buffered bytes: an incomplete frame, or the bytes that follow a pause.
  public var keptCount: Int { kept.count - start }

  /// Adds bytes and calls `body` with each complete frame.
  ///
  /// - Throws: ``WireError/frameTooLarge(length:limit:)`` as soon as a frame's length is known and exceeds ``limit``,
  ///   and errors of `body`. After an error, the parser cannot be used.
  public mutating func consume(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Next
  ) throws {
    guard kept.isEmpty else {
      kept.append(contentsOf: bytes)
      return try resume(body)
    }
    let used = try parse(bytes, body)
    if used < bytes.count { try store(UnsafeRawBufferPointer(rebasing: bytes[used...])) }
  }

  /// Buffers an incomplete frame, and reserves memory for the whole frame.
  private mutating func store(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
    if bytes.count >= 4 { kept.reserveCapacity(4 + (try frameLength(in: bytes, at: 0))) }
    kept.append(contentsOf: bytes)
  }

  /// Continues after a pause: calls `body` with each complete frame in the buffer.
  ///
  /// - Throws: ``WireError/frameTooLarge(length:limit:)`` and errors of `body`.
  public mutating func resume(_ body: (UnsafeRawBufferPointer) throws -> Next) throws {
    var bytes = kept
    var used = start
    // The buffer is emptied first, so a frame that `body` rejects is not kept.
    (kept, start) = ([], 0)
    used += try bytes.withUnsafeBytes {
      try parse(UnsafeRawBufferPointer(rebasing: $0[used...]), body)
    }
    guard used < bytes.count else { return }
    // The rest moves to the front only if it is the smaller part. Each byte thus moves at most once,
    // regardless of the number of pauses and pieces.
    if used > bytes.count / 2 {
      bytes.removeSubrange(..<used)
      used = 0
    }
    (kept, start) = (bytes, used)
  }

  /// Checks that the stream has not ended within a frame.
  ///
  /// - Throws: ``WireError/truncated(missing:)`` if it has.
  public func finish() throws(WireError) {
    guard keptCount > 0 else { return }
    let length =
      keptCount < 4 ? 4 : 4 + kept.withUnsafeBytes { Self.length(in: $0, at: start) }
    throw .truncated(missing: max(1, length - keptCount))
  }

  private func parse(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Next
  ) throws -> Int {
    var offset = 0
    while bytes.count - offset >= 4 {
      let length = try frameLength(in: bytes, at: offset)
      guard bytes.count - offset - 4 >= length else { break }
      let frame = UnsafeRawBufferPointer(rebasing: bytes[(offset + 4)..<(offset + 4 + length)])
      offset += 4 + length
      if try body(frame) == .pause { break }
    }
    return offset
  }

  private func frameLength(
    in bytes: UnsafeRawBufferPointer, at offset: Int
  ) throws(WireError) -> Int {
    let length = Self.length(in: bytes, at: offset)
    guard length <= limit else { throw .frameTooLarge(length: length, limit: limit) }
    return length
  }

  private static func length(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
    Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}
