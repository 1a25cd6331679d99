/// Cuts a stream of bytes into frames: an unsigned 32-bit little-endian length, then that many bytes.
///
/// Whole frames are handed on in place; only the rest of the last one is kept.
public struct FrameParser {
  /// The action after a frame.
  public enum Next: Sendable {
    case goOn
    /// Keeps the rest until ``resume(_:)``.
    case pause
  }

  /// Largest frame, in bytes without its length.
  public var limit: Int
  private var kept: [UInt8] = []
  /// The offset in ``kept`` of the first frame that was not handed on.
  private var start = 0

  /// A parser for frames of at most `limit` bytes.
  public init(limit: Int = ProtocolVersion.defaultFrameLimit) {
    self.limit = limit
  }

  /// The number of bytes that wait for more, or for ``resume(_:)``.
  public var keptCount: Int { kept.count - start }

  /// Takes in bytes, and calls `body` with each frame that is complete now.
  ///
  /// - Throws: ``WireError/frameTooLarge(length:limit:)``, before any byte of such a frame is kept, and
  ///   any error of `body`. The parser is of no use afterwards.
  public mutating func consume(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Next
  ) throws {
    guard kept.isEmpty else {
      kept.append(contentsOf: bytes)
      return try resume(body)
    }
    let used = try parse(bytes, body)
    if used < bytes.count { try keep(UnsafeRawBufferPointer(rebasing: bytes[used...])) }
  }

  /// Keeps the beginning of a frame, in memory that is large enough for all of it.
  private mutating func keep(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
    if bytes.count >= 4 { kept.reserveCapacity(4 + (try frameLength(in: bytes, at: 0))) }
    kept.append(contentsOf: bytes)
  }

  /// Goes on with the bytes that a pause left behind.
  ///
  /// - Throws: ``WireError/frameTooLarge(length:limit:)``, and any error of `body`.
  public mutating func resume(_ body: (UnsafeRawBufferPointer) throws -> Next) throws {
    var bytes = kept
    var used = start
    // Emptied first: no frame that `body` refuses is kept.
    (kept, start) = ([], 0)
    used += try bytes.withUnsafeBytes {
      try parse(UnsafeRawBufferPointer(rebasing: $0[used...]), body)
    }
    guard used < bytes.count else { return }
    // The rest moves to the front only when it is the smaller part, so that each byte moves once at most,
    // however often a pause or a frame in small pieces leads here.
    if used > bytes.count / 2 {
      bytes.removeSubrange(..<used)
      used = 0
    }
    (kept, start) = (bytes, used)
  }

  /// Checks that the stream may end here.
  ///
  /// - Throws: ``WireError/truncated(missing:)`` where it ends within a frame.
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
