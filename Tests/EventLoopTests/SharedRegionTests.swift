import EventLoop
import Glibc
import Testing

/// What another process can do to a region that it was given the descriptor of: here the same process does it.
@Suite struct SharedRegionTests {
  private static let count = 16 * 4096

  @Test func `what its maker writes, the other process reads`() throws {
    let region = try SharedRegion.make(Self.count, writtenBy: .maker)
    let other = try SharedRegion.adopt(region.descriptor, Self.count, for: .reading)
    region.bytes[4711] = 42
    #expect(other.bytes[4711] == 42)
  }

  @Test func `what the other process writes, the maker reads`() throws {
    let region = try SharedRegion.make(Self.count, writtenBy: .other)
    let other = try SharedRegion.adopt(region.descriptor, Self.count, for: .writing)
    other.bytes[4711] = 42
    #expect(region.bytes[4711] == 42)
  }

  @Test func `nobody but its maker writes to what the maker writes`() throws {
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
    // Its maker still does, and other pages appear as they are needed.
    #expect(region.fill(Self.count))
    region.bytes[Self.count - 1] = 1
    #expect(other.bytes[Self.count - 1] == 1)
  }

  @Test(arguments: [SharedRegion.Writer.maker, .other])
  func `its size stays, and so do its seals`(writer: SharedRegion.Writer) throws {
    let region = try SharedRegion.make(Self.count, writtenBy: writer)
    for size in [0, Self.count - 1, Self.count + 1] {
      #expect(ftruncate(region.descriptor, size) == -1)
      #expect(errno == EPERM)
    }
    // F_ADD_SEALS, F_SEAL_WRITE
    #expect(fcntl(region.descriptor, 1033, 8) == -1)
    #expect(errno == EPERM)
  }

  @Test func `nothing is given back twice, and a region that is closed can still be read`() throws {
    let region = try SharedRegion.make(Self.count, writtenBy: .other)
    region.closeDescriptor()
    region.closeDescriptor()
    #expect(region.descriptor == -1)
    #expect(region.bytes[0] == 0)
  }
}
