internal import CSharedMemory

#if canImport(Glibc)
  internal import Glibc
#endif

/// Memory of a fixed size that two processes map, backed by an unnamed file.
///
/// Because of the file's seals (F_ADD_SEALS of fcntl(2)), neither process can add seals or resize the file. Mapped
/// addresses therefore stay valid.
public final class SharedRegion {
  /// The region as mapped in this process.
  public let bytes: UnsafeMutableRawBufferPointer
  /// The file's descriptor; -1 after ``closeDescriptor()``, or if the other process made the region.
  public private(set) var descriptor: Int32
  /// The number of bytes at the start of the region for which memory is allocated.
  private var filled = 0

  private init(_ bytes: UnsafeMutableRawBufferPointer, _ descriptor: Int32) {
    self.bytes = bytes
    self.descriptor = descriptor
  }

  deinit {
    munmap(bytes.baseAddress, bytes.count)
    closeDescriptor()
  }

  /// Closes the descriptor; call it after the other process has received the descriptor. The mapping stays valid.
  public func closeDescriptor() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// The process that may write to a region.
  public enum Writer: Sendable {
    /// The process that made the region. The other process can only read.
    case maker
    /// The process that did not make the region. The maker can only read.
    case other
  }

  /// Makes a region of `count` bytes, a multiple of the page size, without allocating memory.
  ///
  /// - Throws: ``SharedMemoryError`` if a system call fails.
  public static func make(
    _ count: Int, writtenBy writer: Writer
  ) throws(SharedMemoryError) -> SharedRegion {
    let descriptor = shared_memory_make(count)
    guard descriptor >= 0 else {
      throw SharedMemoryError(operation: "memfd_create", code: -descriptor)
    }
    // The maker maps first, since the seal forbids later writable mappings.
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

  /// The access of this process to a region that the other process made.
  public enum Access: Sendable {
    case reading, writing
  }

  /// Maps a region of the other process. The caller keeps ownership of the descriptor and may close it.
  ///
  /// - Throws: ``SharedMemoryError`` if a system call fails.
  public static func adopt(
    _ descriptor: Int32, _ count: Int, for access: Access
  ) throws(SharedMemoryError) -> SharedRegion {
    SharedRegion(
      try map(descriptor, count, access == .writing ? PROT_READ | PROT_WRITE : PROT_READ), -1)
  }

  /// Allocates memory for the first `count` bytes, so writing to them cannot fail. Call it before
  /// ``closeDescriptor()``.
  ///
  /// - Returns: false if no memory is available.
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

/// A failed system call on shared memory.
public struct SharedMemoryError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The name of the system call.
  public let operation: String
  /// The errno as a positive number.
  public let code: Int32

  /// Creates an error of the system call `operation` with the errno `code`.
  public init(operation: String, code: Int32) {
    self.operation = operation
    self.code = code
  }

  public var description: String { "\(operation) failed with errno \(code)" }
}

// MARK: - Blocks

/// An allocator of blocks in a region. It uses the lowest free offset, so memory is reused and few pages are
/// touched.
public struct BlockAllocator: Sendable {
  /// The free ranges in ascending order, without adjacent ranges.
  private var free: [Range<Int>]
  /// The ranges in use, keyed by lower bound.
  private var used: [Int: Range<Int>] = [:]
  private let alignment: Int

  /// Creates an allocator for a region of `count` bytes. `alignment` is a power of two.
  public init(_ count: Int, alignment: Int) {
    free = [0..<count]
    self.alignment = alignment
  }

  /// The number of blocks in use.
  public var usedCount: Int { used.count }

  /// Allocates a block of at least `count` bytes.
  ///
  /// - Returns: the block's offset; nil if there is no room or `count` is not positive.
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

  /// Frees a block.
  ///
  /// - Returns: false if no block starts at `offset`.
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

/// The memory that this process has freed.
public enum FreedMemory {
  /// Keeps up to `count` freed bytes for reuse, as far as the C library permits. By default, each large buffer is
  /// mapped and unmapped, and its page faults take longer than copying its content.
  public static func keep(upTo count: Int) { shared_memory_keep_freed(Int32(clamping: count)) }
}
