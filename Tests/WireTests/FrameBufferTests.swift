import Testing
import Wire

@Suite struct FrameBufferTests {
  private static let messages = Samples.guestBodies.map { GuestMessage(request: 1, $0) }

  @Test(arguments: [1, 2, 16, 100, 4096]) func `a frame buffer grows beyond its initial capacity`(
    capacity: Int
  ) {
    var buffer = FrameBuffer(capacity: capacity)
    let arena = Arena()
    for message in Self.messages { buffer.append(message, using: arena) }
    let expected = Self.messages.flatMap { frame($0) }
    #expect(Array(buffer.bytes) == expected)
    #expect(buffer.count == expected.count)
    #expect(buffer.isEmpty == false)
  }

  @Test func `a frame buffer can be reused once it is empty`() {
    var buffer = FrameBuffer(capacity: 8)
    let arena = Arena()
    buffer.append(Self.messages[0], using: arena)
    buffer.removeAll()
    #expect(buffer.isEmpty == true)
    #expect(buffer.count == 0)
    buffer.append(Self.messages[1], using: arena)
    #expect(Array(buffer.bytes) == frame(Self.messages[1]))
  }

  @Test func `appending a frame buffer to another adds all its frames`() {
    var first = FrameBuffer(capacity: 8)
    var second = FrameBuffer(capacity: 8)
    let arena = Arena()
    first.append(contentsOf: second)
    #expect(first.isEmpty == true)
    first.append(Self.messages[0], using: arena)
    second.append(Self.messages[1], using: arena)
    second.append(Self.messages[2], using: arena)
    first.append(contentsOf: second)
    #expect(Array(first.bytes) == Self.messages.prefix(3).flatMap { frame($0) })
    #expect(Array(second.bytes) == Self.messages[1...2].flatMap { frame($0) })
  }
}
