package import CMessages
internal import CProtobufC

#if canImport(Glibc)
  internal import Glibc
#endif

/// Memory for decoding and encoding one message after another: handed out by moving a pointer, taken back
/// all at once.
///
/// A value that was decoded into an arena is valid until ``reset()``.
public final class Arena {
  private let base: UnsafeMutableRawPointer
  private let capacity: Int
  private var used = 0
  /// The blocks that did not fit, which are freed one by one.
  private var large: [UnsafeMutableRawPointer] = []
  private var largeByteCount = 0
  /// Puts a payload into memory that the other process reads, and returns its place, or nil where it is to be inline:
  /// asked for each payload of ``SharedBytes/leastCount`` bytes and more.
  public var placement: ((UnsafeRawBufferPointer) -> SharedBytes?)?
  /// The number of bytes that may be handed out beyond the capacity to decode the present frame.
  private var allowance = 0
  /// The allocator for protobuf-c, which keeps a pointer to it.
  private let allocator: UnsafeMutablePointer<ProtobufCAllocator>

  /// The bytes that the structure of a message may take beside its strings and bytes: some hundred thousand parts.
  static let structureLimit = 32 * 1024 * 1024

  /// An arena of `capacity` bytes, which more blocks are added to as needed.
  public init(capacity: Int = 64 * 1024) {
    base = .allocate(byteCount: capacity, alignment: 16)
    self.capacity = capacity
    allocator = .allocate(capacity: 1)
    allocator.initialize(to: ProtobufCAllocator())
    allocator.pointee.alloc = { data, size in
      data.flatMap { Unmanaged<Arena>.fromOpaque($0)._withUnsafeGuaranteedRef { $0.grant(size) } }
    }
    allocator.pointee.free = { _, _ in }
    allocator.pointee.allocator_data = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit {
    reset()
    base.deallocate()
    allocator.deallocate()
  }

  /// Takes all memory back.
  public func reset() {
    used = 0
    guard !large.isEmpty else { return }
    for block in large { free(block) }
    large.removeAll()
    largeByteCount = 0
  }

  /// The allocator for protobuf-c while it decodes a frame of `count` bytes. An empty part takes two bytes of a frame,
  /// but a hundred decoded: a frame that expands beyond the limit is refused.
  package func allocator(forFrameOf count: Int) -> UnsafeMutablePointer<ProtobufCAllocator> {
    allowance = 2 * count + Self.structureLimit
    return allocator
  }

  /// Memory for protobuf-c; nil beyond the allowance, which protobuf-c takes for the end of memory.
  private func grant(_ size: Int) -> UnsafeMutableRawPointer? {
    largeByteCount + size <= allowance ? allocate(size) : nil
  }

  func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    let start = (used + 15) & ~15
    if start + size <= capacity {
      used = start + size
      return base + start
    }
    guard let block = malloc(max(size, 1)) else { preconditionFailure("out of memory") }
    large.append(block)
    largeByteCount += size
    return block
  }

  /// Room for one value, to be initialized by the caller.
  func make<Value>(_ type: Value.Type) -> UnsafeMutablePointer<Value> {
    allocate(MemoryLayout<Value>.size).bindMemory(to: type, capacity: 1)
  }

  /// A null-terminated copy of `text`.
  package func string(_ text: String) -> UnsafeMutablePointer<CChar> {
    var text = text
    return text.withUTF8 { utf8 in
      let copy = allocate(utf8.count + 1).bindMemory(to: CChar.self, capacity: utf8.count + 1)
      UnsafeMutableRawBufferPointer(start: copy, count: utf8.count)
        .copyMemory(from: UnsafeRawBufferPointer(utf8))
      copy[utf8.count] = 0
      return copy
    }
  }

  /// A copy of `bytes` in the form of protobuf-c.
  package func bytes(_ bytes: [UInt8]) -> ProtobufCBinaryData {
    let copy = allocate(bytes.count).bindMemory(to: UInt8.self, capacity: bytes.count)
    bytes.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(start: copy, count: $0.count).copyMemory(from: $0)
    }
    return ProtobufCBinaryData(len: bytes.count, data: copy)
  }

  /// The place of a payload outside of its message; nil where it is to be inline.
  func place(_ payload: [UInt8]) -> UnsafeMutablePointer<Sluice__SharedBytes>? {
    guard payload.count >= SharedBytes.leastCount, let placement,
      let shared = payload.withUnsafeBytes(placement)
    else { return nil }
    return message(sluice__shared_bytes__init) {
      $0.offset = UInt64(shared.offset)
      $0.length = UInt64(shared.count)
    }
  }

  /// An array of strings.
  package func strings(_ texts: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    pointers(texts.map(string))
  }

  /// A copy of an array of numbers.
  package func numbers<Number: FixedWidthInteger>(
    _ values: [Number]
  ) -> UnsafeMutablePointer<Number>? {
    guard !values.isEmpty else { return nil }
    let copy = allocate(values.count * MemoryLayout<Number>.stride)
      .bindMemory(to: Number.self, capacity: values.count)
    copy.initialize(from: values, count: values.count)
    return copy
  }

  /// A copy of an array of pointers.
  package func pointers<Value>(
    _ values: [UnsafeMutablePointer<Value>]
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<Value>?> {
    let copy = allocate(values.count * MemoryLayout<UnsafeMutableRawPointer>.stride)
      .bindMemory(to: UnsafeMutablePointer<Value>?.self, capacity: values.count)
    for (index, value) in values.enumerated() { copy[index] = value }
    return copy
  }
}
