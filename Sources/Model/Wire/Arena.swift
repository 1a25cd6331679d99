package import CMessages
internal import CProtobufC

#if canImport(Glibc)
  internal import Glibc
#endif

/// A bump allocator that is reused for one message after another, to decode or encode it.
///
/// Values decoded into an arena are valid until ``reset()``.
public final class Arena {
  private let base: UnsafeMutableRawPointer
  private let capacity: Int
  private var used = 0
  /// The blocks that did not fit into the arena's initial memory. ``reset()`` frees them.
  private var large: [UnsafeMutableRawPointer] = []
  private var largeByteCount = 0
  /// Copies a payload into shared memory and returns its location; nil if the payload must stay in the message. Called
  /// for each encoded payload of at least ``SharedBytes/leastCount`` bytes.
  public var placement: ((UnsafeRawBufferPointer) -> SharedBytes?)?
  /// The number of bytes that decoding the current frame may allocate beyond the arena's initial memory.
  private var allowance = 0
  /// The allocator for protobuf-c. It has a fixed address, because protobuf-c keeps a pointer to it.
  private let allocator: UnsafeMutablePointer<ProtobufCAllocator>

  /// The maximum number of bytes that a decoded message may use apart from its strings and byte fields. It suffices for
  /// several hundred thousand nested messages.
  private static let structureLimit = 32 * 1024 * 1024

  /// Creates an arena with `capacity` bytes of initial memory. It allocates more as needed.
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

  /// Empties the arena, and frees all memory except its initial memory. Values decoded into the arena become invalid.
  public func reset() {
    used = 0
    guard !large.isEmpty else { return }
    for block in large { free(block) }
    large.removeAll()
    largeByteCount = 0
  }

  /// Returns protobuf-c's allocator for decoding a frame of `count` bytes. Its limit protects against hostile frames:
  /// an empty nested message takes 2 bytes in a frame, but about 100 bytes in memory.
  package func allocator(forFrameOf count: Int) -> UnsafeMutablePointer<ProtobufCAllocator> {
    allowance = 2 * count + Self.structureLimit
    return allocator
  }

  /// Allocates memory for protobuf-c; nil if the frame's allowance is used up. protobuf-c then fails as if out of
  /// memory.
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

  private func make<Value>(_ type: Value.Type) -> UnsafeMutablePointer<Value> {
    allocate(MemoryLayout<Value>.size).bindMemory(to: type, capacity: 1)
  }

  /// Returns a null-terminated copy of `text`.
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

  package func bytes(_ bytes: [UInt8]) -> ProtobufCBinaryData {
    let copy = allocate(bytes.count).bindMemory(to: UInt8.self, capacity: bytes.count)
    bytes.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(start: copy, count: $0.count).copyMemory(from: $0)
    }
    return ProtobufCBinaryData(len: bytes.count, data: copy)
  }

  /// Copies a payload into shared memory and returns its location; nil if the payload must stay in the message.
  func place(_ payload: [UInt8]) -> SharedBytes? {
    guard payload.count >= SharedBytes.leastCount, let placement else { return nil }
    return payload.withUnsafeBytes(placement)
  }

  package func strings(_ texts: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    pointers(texts.map(string))
  }

  package func numbers<Number: FixedWidthInteger>(
    _ values: [Number]
  ) -> UnsafeMutablePointer<Number>? {
    guard !values.isEmpty else { return nil }
    let copy = allocate(values.count * MemoryLayout<Number>.stride)
      .bindMemory(to: Number.self, capacity: values.count)
    copy.initialize(from: values, count: values.count)
    return copy
  }

  package func pointers<Value>(
    _ values: [UnsafeMutablePointer<Value>]
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<Value>?> {
    let copy = allocate(values.count * MemoryLayout<UnsafeMutableRawPointer>.stride)
      .bindMemory(to: UnsafeMutablePointer<Value>?.self, capacity: values.count)
    for (index, value) in values.enumerated() { copy[index] = value }
    return copy
  }
}

// MARK: - Messages

extension Arena {
  package func message<Message>(
    _ initialize: (UnsafeMutablePointer<Message>) -> Void,
    _ fill: (inout Message) -> Void = { _ in }
  ) -> UnsafeMutablePointer<Message> {
    let message = make(Message.self)
    initialize(message)
    fill(&message.pointee)
    return message
  }
}

/// Returns a copy of a decoded string. An absent string is `""`, because protobuf-c does not set it to null.
/// ``MessageText`` has already checked that strings from guests are valid.
package func cString(_ raw: UnsafeMutablePointer<CChar>?) -> String {
  raw.map { String(cString: $0) } ?? ""
}

package func byteArray(_ raw: ProtobufCBinaryData) -> [UInt8] {
  Array(UnsafeBufferPointer(start: raw.data, count: raw.len))
}
