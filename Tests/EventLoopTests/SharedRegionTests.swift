import EventLoop
import Glibc
import TestSupport
import Testing

/// Tests the actions of another process on a shared region. They are performed in this process.
@Suite struct SharedRegionTests {
  private static let count = 16 * 4096

  @Test func `the peer of a shared region reads what the creator writes`() throws {
    let region = try SharedRegion.make(Self.count, writtenBy: .maker)
    let other = try SharedRegion.adopt(region.descriptor, Self.count, for: .reading)
    region.bytes[4711] = 42
    #expect(other.bytes[4711] == 42)
  }

  @Test func `the creator of a shared region reads what the peer writes`() throws {
    let region = try SharedRegion.make(Self.count, writtenBy: .other)
    let other = try SharedRegion.adopt(region.descriptor, Self.count, for: .writing)
    other.bytes[4711] = 42
    #expect(region.bytes[4711] == 42)
  }

  @Test func `a shared region written by its creator is read-only for the peer`() throws {
    let region = try SharedRegion.make(Self.count, writtenBy: .maker)
    #expect(throws: SharedMemoryError(operation: "mmap", code: EPERM)) {
      try SharedRegion.adopt(region.descriptor, Self.count, for: .writing)
    }
    let other = try SharedRegion.adopt(region.descriptor, Self.count, for: .reading)
    #expect(mprotect(other.bytes.baseAddress, Self.count, PROT_READ | PROT_WRITE) == -1)
    #expect(errno == EACCES)
    #expect(pwrite(region.descriptor, "x", 1, 0) == -1)
    #expect(errno == EPERM)
    let again = open("/proc/self/fd/\(region.descriptor)", O_RDWR)
    defer { close(again) }
    #expect(again >= 0)
    #expect(mmap(nil, Self.count, PROT_WRITE, MAP_SHARED, again, 0) == MAP_FAILED)
    // The creator can still access the region, and other pages appear on demand.
    #expect(region.fill(Self.count))
    region.bytes[Self.count - 1] = 1
    #expect(other.bytes[Self.count - 1] == 1)
  }

  @Test(arguments: [SharedRegion.Writer.maker, .other])
  func `the size and the seals of a shared region cannot be changed`(writer: SharedRegion.Writer)
    throws
  {
    let region = try SharedRegion.make(Self.count, writtenBy: writer)
    for size in [0, Self.count - 1, Self.count + 1] {
      #expect(ftruncate(region.descriptor, size) == -1)
      #expect(errno == EPERM)
    }
    // The numbers are F_ADD_SEALS and F_SEAL_WRITE.
    #expect(fcntl(region.descriptor, 1033, 8) == -1)
    #expect(errno == EPERM)
  }

  @Test func `a shared region's descriptor can be closed twice, and its data stays readable`()
    throws
  {
    let region = try SharedRegion.make(Self.count, writtenBy: .other)
    region.closeDescriptor()
    region.closeDescriptor()
    #expect(region.descriptor == -1)
    #expect(region.bytes[0] == 0)
  }
}

@Suite struct BlockAllocatorTests {
  @Test func `blocks of a shared region are aligned, disjoint and at the lowest free offset`()
    throws
  {
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
  func `allocating an invalid or excessive size in a shared region fails`(count: Int) {
    let blocks = Blocks(5 * 4096)
    #expect(blocks.allocate(count) == nil)
  }

  @Test func `a shared region's block can be released once, and only by its start offset`() {
    let blocks = Blocks(5 * 4096)
    #expect(blocks.allocate(8192) == 0)
    #expect(!blocks.release(4096))
    #expect(!blocks.release(8192))
    #expect(blocks.release(0))
    #expect(!blocks.release(0))
  }

  @Test func `random allocations never overlap, and all blocks end up free`() {
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

/// Wraps an allocator for expectations, which accept no mutating calls.
private final class Blocks {
  private var blocks: BlockAllocator
  var usedCount: Int { blocks.usedCount }

  init(_ count: Int) { blocks = BlockAllocator(count, alignment: 4096) }

  func allocate(_ count: Int) -> Int? { blocks.allocate(count) }
  func release(_ offset: Int) -> Bool { blocks.release(offset) }
}
