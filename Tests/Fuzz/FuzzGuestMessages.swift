import Wire

// If this is built with -sanitize=fuzzer and -DFUZZING, libFuzzer calls this function with
// generated input. Otherwise ``Replay`` calls it with files or the seeds.

/// Decodes `count` bytes as a stream of frames, as a host and as a guest.
///
/// The function must terminate for all input. Invalid messages are an error, never a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: data, count: count)
  let arena = Arena(capacity: 4096)
  var parser = FrameParser(limit: 64 * 1024)
  do {
    try parser.consume(bytes) { frame in
      decodeAsGuestMessage(frame, arena)
      decodeAsHostMessage(frame, arena)
      return .proceed
    }
    try parser.finish()
  } catch {
    expectWireError(error)
  }
  return 0
}

private func decodeAsGuestMessage(_ frame: UnsafeRawBufferPointer, _ arena: Arena) {
  defer { arena.reset() }
  do {
    let message = try GuestFrame(frame, arena: arena)
    message.share.map(readEveryField)
    expectSameAgain(try message.message(using: arena))
  } catch {
    expectWireError(error)
  }
}

private func readEveryField(of share: ShareFrame) {
  let parts = [
    share.destination, share.claimedSource, share.item.type, share.item.name, share.item.payload,
  ]
  let sum = parts.joined().reduce(0) { $0 &+ Int($1) }
  precondition(sum >= 0, "bytes are not negative")
}

private func decodeAsHostMessage(_ frame: UnsafeRawBufferPointer, _ arena: Arena) {
  do {
    let message = try HostMessage(frame, arena: arena)
    var buffer = FrameBuffer()
    buffer.append(message, using: arena)
    let again = try HostMessage(UnsafeRawBufferPointer(rebasing: buffer.bytes[4...]), arena: arena)
    precondition(isSame(again, message), "a message of the host that changes on its way")
  } catch {
    expectWireError(error)
  }
}

/// Expects that a decoded message is equal after encoding and decoding.
private func expectSameAgain(_ message: GuestMessage) {
  let arena = Arena()
  var buffer = FrameBuffer()
  buffer.append(message, using: arena)
  let frame = UnsafeRawBufferPointer(rebasing: buffer.bytes[4...])
  guard let again = try? GuestFrame(frame, arena: arena).message(using: arena) else {
    preconditionFailure("a message of a guest that does not survive its way")
  }
  precondition(isSame(again, message), "a message of a guest that changes on its way")
}

/// Returns whether two messages are equal. NaN does not equal itself, but counts as equal here.
private func isSame<Message: Equatable>(_ message: Message, _ other: Message) -> Bool {
  message == other || String(describing: message) == String(describing: other)
}

private func expectWireError(_ error: any Error) {
  precondition(error is WireError, "an error of another kind: \(error)")
}
