import Testing

@testable import Wire

@Suite struct ArenaTests {
  @Test(arguments: [1, 8, 15, 16, 17, 64, 1000]) func `blocks allocated in an arena do not overlap`(
    size: Int
  ) {
    let arena = Arena(capacity: 256)
    let blocks = (0..<40).map { index in
      let block = arena.allocate(size)
      block.initializeMemory(as: UInt8.self, repeating: UInt8(index), count: size)
      return block
    }
    for (index, block) in blocks.enumerated() {
      #expect(Int(bitPattern: block).isMultiple(of: 16))
      let bytes = UnsafeRawBufferPointer(start: block, count: size)
      #expect(bytes.allSatisfy { $0 == UInt8(index) })
    }
  }

  @Test func `an arena reuses its memory after a reset`() {
    let arena = Arena(capacity: 64)
    let first = arena.allocate(40)
    let large = arena.allocate(1 << 20)
    #expect(large != first)
    arena.reset()
    #expect(arena.allocate(64) == first)
    arena.reset()
    arena.reset()
    #expect(arena.allocate(1) == first)
  }

  @Test func `blocks that fill an arena exactly are allocated`() {
    let arena = Arena(capacity: 64)
    let first = arena.allocate(32)
    #expect(arena.allocate(32) == first + 32)
    let beyond = arena.allocate(1)
    #expect(beyond < first || beyond >= first + 64)
  }

  @Test(arguments: ["", "a", Samples.text, String(repeating: "x", count: 100_000)])
  func `arena strings are null-terminated`(text: String) {
    let arena = Arena(capacity: 64)
    #expect(cString(arena.string(text)) == text)
  }

  // Pointers into an arena whose owner is gone are of no use: hold it while they are read.
  @Test func `bytes that are copied into an arena stay the same`() {
    let arena = Arena(capacity: 64)
    for bytes in [[], [1], Array(repeating: 7, count: 1000)] as [[UInt8]] {
      #expect(byteArray(arena.bytes(bytes)) == bytes)
    }
  }
}
