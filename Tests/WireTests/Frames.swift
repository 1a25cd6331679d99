import Testing
import Wire

/// Returns the frame of `message`, including its length.
func frame(_ message: GuestMessage) -> [UInt8] {
  var buffer = FrameBuffer()
  buffer.append(message, using: Arena())
  return Array(buffer.bytes)
}

/// Returns the frame of `message`, including its length.
func frame(_ message: HostMessage) -> [UInt8] {
  var buffer = FrameBuffer()
  buffer.append(message, using: Arena())
  return Array(buffer.bytes)
}

/// Returns a frame with `content`.
func frame(_ content: [UInt8]) -> [UInt8] {
  withUnsafeBytes(of: UInt32(content.count).littleEndian) { Array($0) } + content
}

/// Returns a frame's content: everything except its length.
func content(_ frame: [UInt8]) -> [UInt8] { Array(frame.dropFirst(4)) }

func decodeGuest(_ content: [UInt8], arena: Arena = Arena()) throws -> GuestMessage {
  defer { arena.reset() }
  return try content.withUnsafeBytes { try GuestFrame($0, arena: arena).message(using: arena) }
}

func decodeHost(_ content: [UInt8], arena: Arena = Arena()) throws -> HostMessage {
  try content.withUnsafeBytes { try HostMessage($0, arena: arena) }
}

/// Collects the parser's frames in order.
final class FrameCollector {
  var parser: FrameParser
  private(set) var frames: [[UInt8]] = []
  private let pauses: Bool

  init(limit: Int = ProtocolVersion.defaultFrameLimit, pausingAfterEach pauses: Bool = false) {
    parser = FrameParser(limit: limit)
    self.pauses = pauses
  }

  func consume(_ bytes: some Sequence<UInt8>) throws {
    try Array(bytes).withUnsafeBytes { try parser.consume($0, collect) }
  }

  func resume() throws { try parser.resume(collect) }

  private func collect(_ frame: UnsafeRawBufferPointer) -> FrameParser.Next {
    frames.append(Array(frame))
    return pauses ? .pause : .proceed
  }
}
