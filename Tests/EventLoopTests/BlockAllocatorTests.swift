import EventLoop
import Testing
import TestSupport

@Suite struct BlockAllocatorTests {
  @Test func `blocks are aligned, apart, and begin as low as there is room`() throws {
    let blocks = Blocks(5 * 4096)
    #expect(blocks.allocate(1) == 0)
    #expect(blocks.allocate(4097) == 4096)
    #expect(blocks.allocate(2 * 4096) == 3 * 4096)
    #expect(blocks.allocate(1) == nil)
    #expect(blocks.release(4096))
    #expect(blocks.allocate(2 * 4096 + 1) == nil)
    #expect(blocks.allocate(4096) == 4096)
    #expect(blocks.usedCount == 3)
  }

  @Test(arguments: [0, -1, Int.max, 5 * 4096 + 1])
  func `what cannot be is not handed out`(count: Int) {
    let blocks = Blocks(5 * 4096)
    #expect(blocks.allocate(count) == nil)
  }

  @Test func `only what begins a block in use is taken back, once`() {
    let blocks = Blocks(5 * 4096)
    #expect(blocks.allocate(8192) == 0)
    #expect(!blocks.release(4096))
    #expect(!blocks.release(8192))
    #expect(blocks.release(0))
    #expect(!blocks.release(0))
  }

  @Test
  func `whatever is taken and given back, blocks in use never overlap, and in the end all is free`()
  {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<50 {
      let size = 64 * 4096
      let blocks = Blocks(size)
      var used: [Range<Int>] = []
      for _ in 0..<300 {
        if Bool.random(using: &random), let range = used.randomElement(using: &random) {
          used.removeAll { $0 == range }
          #expect(blocks.release(range.lowerBound))
        } else {
          let count = Int.random(in: 1...(9 * 4096), using: &random)
          guard let offset = blocks.allocate(count) else { continue }
          let range = offset..<(offset + count)
          #expect(offset % 4096 == 0 && range.upperBound <= size)
          #expect(!used.contains { $0.overlaps(range) })
          used.append(range)
        }
      }
      for range in used { #expect(blocks.release(range.lowerBound)) }
      #expect(blocks.allocate(size) == 0)
    }
  }
}

/// An allocator in expectations, which take no value that changes.
private final class Blocks {
  private var blocks: BlockAllocator
  var usedCount: Int { blocks.usedCount }

  init(_ count: Int) { blocks = BlockAllocator(count, alignment: 4096) }

  func allocate(_ count: Int) -> Int? { blocks.allocate(count) }
  func release(_ offset: Int) -> Bool { blocks.release(offset) }
}
