internal import CSharedMemory

#if canImport(Glibc)
  internal import Glibc
#endif

/// Memory of a fixed size that two processes map: a file without a name.
///
/// The other process may do to the file whatever its seals allow (F_ADD_SEALS of fcntl(2)): it cannot change the size, so
/// that no address of the mapping becomes invalid, and seal nothing more.
public final class SharedRegion {
  /// The whole memory as this process maps it.
  public let bytes: UnsafeMutableRawBufferPointer
  /// The file's descriptor, -1 where the region was made by the other process, and after ``closeDescriptor()``.
  public private(set) var descriptor: Int32
  /// The number of bytes from the beginning that have pages.
  private var filled = 0

  private init(_ bytes: UnsafeMutableRawBufferPointer, _ descriptor: Int32) {
    self.bytes = bytes
    self.descriptor = descriptor
  }

  deinit {
    munmap(bytes.baseAddress, bytes.count)
    closeDescriptor()
  }

  /// Closes the descriptor, which has been given to the other process: the mapping needs it no longer.
  public func closeDescriptor() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// The process that writes to a region.
  public enum Writer: Sendable {
    /// The process that has made the region; the other one can only read.
    case maker
    /// The other process; the maker only reads.
    case other
  }

  /// Makes a region of `count` bytes, which must be whole pages, without taking memory for them yet.
  ///
  /// - Throws: ``SharedMemoryError`` where the system refuses.
  public static func make(
    _ count: Int, writtenBy writer: Writer
  ) throws(SharedMemoryError) -> SharedRegion {
    let descriptor = shared_memory_make(count)
    guard descriptor >= 0 else {
      throw SharedMemoryError(operation: "memfd_create", code: -descriptor)
    }
    // The maker's mapping comes first: the seal forbids later ones.
    let bytes: UnsafeMutableRawBufferPointer
    do throws(SharedMemoryError) {
      bytes = try map(descriptor, count, writer == .maker ? PROT_READ | PROT_WRITE : PROT_READ)
    } catch {
      close(descriptor)
      throw error
    }
    let region = SharedRegion(bytes, descriptor)
    if writer == .maker {
      try check("F_ADD_SEALS", shared_memory_forbid_writing(descriptor))
    }
    try check("F_ADD_SEALS", shared_memory_settle(descriptor))
    return region
  }

  /// The role of this process for a region that the other one has made.
  public enum Access: Sendable {
    case reading, writing
  }

  /// Maps a region that the other process has made. The descriptor still belongs to the caller, who may close it.
  ///
  /// - Throws: ``SharedMemoryError`` where the system refuses.
  public static func adopt(
    _ descriptor: Int32, _ count: Int, for access: Access
  ) throws(SharedMemoryError) -> SharedRegion {
    SharedRegion(
      try map(descriptor, count, access == .writing ? PROT_READ | PROT_WRITE : PROT_READ), -1)
  }

  /// Makes sure that the first `count` bytes have memory, so that writing to them cannot fail.
  ///
  /// - Returns: false where the system has no memory for them.
  public func fill(_ count: Int) -> Bool {
    guard count > filled else { return true }
    guard shared_memory_fill(descriptor, filled, count - filled) == 0 else { return false }
    filled = count
    return true
  }

  private static func map(
    _ descriptor: Int32, _ count: Int, _ protection: Int32
  ) throws(SharedMemoryError) -> UnsafeMutableRawBufferPointer {
    guard let start = mmap(nil, count, protection, MAP_SHARED, descriptor, 0), start != MAP_FAILED
    else { throw SharedMemoryError(operation: "mmap", code: errno) }
    return UnsafeMutableRawBufferPointer(start: start, count: count)
  }

  private static func check(_ operation: String, _ code: Int32) throws(SharedMemoryError) {
    if code < 0 { throw SharedMemoryError(operation: operation, code: -code) }
  }
}

// MARK: - Error

/// A refusal of the operating system to make or map shared memory.
public struct SharedMemoryError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The attempted system call.
  public let operation: String
  /// The errno as a positive number.
  public let code: Int32

  /// A refusal of `operation` by the errno `code`.
  public init(operation: String, code: Int32) {
    self.operation = operation
    self.code = code
  }

  public var description: String { "\(operation) failed with errno \(code)" }
}

// MARK: - Blocks

/// The parts of a region that are in use: each is handed out at the lowest place that has room, so that the same memory
/// serves again and again, and few pages of the region are ever touched.
public struct BlockAllocator: Sendable {
  /// The free ranges in ascending order; no two touch.
  private var free: [Range<Int>]
  /// The ranges in use, by where they begin.
  private var used: [Int: Range<Int>] = [:]
  /// The number of bytes that every block begins at a multiple of.
  private let alignment: Int

  /// An allocator for a region of `count` bytes; `alignment` is a power of two.
  public init(_ count: Int, alignment: Int) {
    free = [0..<count]
    self.alignment = alignment
  }

  /// The number of blocks in use.
  public var usedCount: Int { used.count }

  /// Takes a block of at least `count` bytes.
  ///
  /// - Returns: the offset at which the block begins; nil where no room is left.
  public mutating func allocate(_ count: Int) -> Int? {
    guard count > 0, count <= Int.max - alignment else { return nil }
    let size = (count + alignment - 1) & ~(alignment - 1)
    guard let index = free.firstIndex(where: { $0.count >= size }) else { return nil }
    let start = free[index].lowerBound
    if free[index].count == size {
      free.remove(at: index)
    } else {
      free[index] = (start + size)..<free[index].upperBound
    }
    used[start] = start..<(start + size)
    return start
  }

  /// Gives a block back.
  ///
  /// - Returns: false where no block in use begins at `offset`.
  public mutating func release(_ offset: Int) -> Bool {
    guard var range = used.removeValue(forKey: offset) else { return false }
    var index = free.firstIndex { $0.lowerBound > range.lowerBound } ?? free.endIndex
    if index < free.endIndex, free[index].lowerBound == range.upperBound {
      range = range.lowerBound..<free[index].upperBound
      free.remove(at: index)
    }
    if index > 0, free[index - 1].upperBound == range.lowerBound {
      index -= 1
      range = free[index].lowerBound..<range.upperBound
      free.remove(at: index)
    }
    free.insert(range, at: index)
    return true
  }
}

// MARK: - Freed memory

/// The memory that this process has allocated and freed.
public enum FreedMemory {
  /// Keeps up to `count` bytes for later. By default each large buffer is mapped when it is made and unmapped when it is
  /// freed, and the faults of its new pages take longer than copying what is in them.
  public static func keep(upTo count: Int) { shared_memory_keep_freed(Int32(clamping: count)) }
}
