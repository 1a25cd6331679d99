/// Frames that wait to be written, one after the other.
public struct FrameBuffer: ~Copyable {
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  private var end = 0

  /// An empty buffer with room for `capacity` bytes.
  public init(capacity: Int = 4096) {
    memory = .allocate(byteCount: capacity, alignment: 16)
    self.capacity = capacity
  }

  deinit { memory.deallocate() }

  /// The number of bytes of all frames.
  public var count: Int { end }
  /// Whether there is no frame.
  public var isEmpty: Bool { end == 0 }

  /// The bytes of all frames in the buffer itself.
  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: end) }

  /// Removes all frames, and gives back the memory that large ones needed.
  public mutating func removeAll() {
    end = 0
    guard capacity > Self.keptCapacity else { return }
    memory.deallocate()
    capacity = Self.keptCapacity
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  private static let keptCapacity = 1024 * 1024

  /// Adds all frames of `other`.
  public mutating func append(contentsOf other: borrowing FrameBuffer) {
    reserve(other.count)
    memory.advanced(by: end).copyMemory(from: other.memory, byteCount: other.count)
    end += other.count
  }

  /// Adds a frame of `count` bytes, all of which `fill` must write.
  mutating func appendFrame(_ count: Int, _ fill: (UnsafeMutableRawPointer) -> Void) {
    reserve(4 + count)
    memory.storeBytes(of: UInt32(count).littleEndian, toByteOffset: end, as: UInt32.self)
    fill(memory + end + 4)
    end += 4 + count
  }

  private mutating func reserve(_ count: Int) {
    guard end + count > capacity else { return }
    capacity = max(capacity * 2, end + count)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: memory, byteCount: end)
    memory.deallocate()
    memory = larger
  }
}
