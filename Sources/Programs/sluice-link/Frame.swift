internal import NIOCore

/// What goes between a process and its link, or between two links, cut into frames.
enum Frame {
  /// The number in frames that are orders and notices.
  static let control = UInt32.max
  /// The largest frame in bytes, without its length.
  static let largest = 1 << 30

  /// Takes the next whole frame out of `buffer`; nil: more bytes are needed.
  ///
  /// - Throws: ``LinkError`` where the frame is larger than any is.
  static func take(from buffer: inout ByteBuffer) throws(LinkError) -> ByteBuffer? {
    guard
      let length = buffer.getInteger(
        at: buffer.readerIndex, endianness: .little, as: UInt32.self)
    else { return nil }
    guard length <= largest else { throw LinkError("a frame of \(length) bytes is too large") }
    let whole = 4 + Int(length)
    guard buffer.readableBytes >= whole else {
      buffer.reserveCapacity(minimumWritableBytes: whole - buffer.readableBytes)
      return nil
    }
    buffer.moveReaderIndex(forwardBy: 4)
    return buffer.readSlice(length: Int(length))
  }
}

extension ByteBuffer {
  /// The size from which a message is sent as it is, rather than copied to others that go with it.
  static let largePayload = 1 << 14

  /// Adds a frame for another link.
  mutating func writeFrame(_ message: ByteBuffer) {
    writeInteger(UInt32(message.readableBytes), endianness: .little)
    writeImmutableBuffer(message)
  }

  /// Adds a frame for the process that is served.
  mutating func writeFrame(_ message: ByteBuffer, of peer: UInt32) {
    writeInteger(UInt32(message.readableBytes + 4), endianness: .little)
    writeInteger(peer, endianness: .little)
    writeImmutableBuffer(message)
  }

  /// Adds bytes that have come to those that wait for more.
  mutating func append(_ bytes: inout ByteBuffer) {
    if readableBytes == 0 {
      self = bytes
    } else {
      if readerIndex > writerIndex / 2 { discardReadBytes() }
      writeBuffer(&bytes)
    }
  }
}
