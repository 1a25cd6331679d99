package import CMessages
internal import CProtobufC
package import Model

#if canImport(Glibc)
  internal import Glibc
#endif

/// A bump allocator for decoding and encoding one message after another.
///
/// Values decoded into an arena are valid until ``reset()``.
public final class Arena {
  private let base: UnsafeMutableRawPointer
  private let capacity: Int
  private var used = 0
  /// The blocks beyond the capacity, which are freed one by one.
  private var large: [UnsafeMutableRawPointer] = []
  private var largeByteCount = 0
  /// Copies a payload into shared memory and returns its location, or nil to keep it inline. Called for each
  /// payload of at least ``SharedBytes/leastCount`` bytes.
  public var placement: ((UnsafeRawBufferPointer) -> SharedBytes?)?
  /// The number of bytes beyond the capacity that the current frame may allocate.
  private var allowance = 0
  /// The allocator for protobuf-c, which keeps a pointer to it.
  private let allocator: UnsafeMutablePointer<ProtobufCAllocator>

  /// The maximum number of bytes for a message's structure, without strings and bytes: several hundred
  /// thousand parts.
  private static let structureLimit = 32 * 1024 * 1024

  /// Creates an arena of `capacity` bytes. It grows as needed.
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

  /// Frees all memory.
  public func reset() {
    used = 0
    guard !large.isEmpty else { return }
    for block in large { free(block) }
    large.removeAll()
    largeByteCount = 0
  }

  /// Returns protobuf-c's allocator for decoding a frame of `count` bytes. An empty part takes two bytes in a
  /// frame and a hundred when decoded, so decoding fails beyond a limit.
  package func allocator(forFrameOf count: Int) -> UnsafeMutablePointer<ProtobufCAllocator> {
    allowance = 2 * count + Self.structureLimit
    return allocator
  }

  /// Allocates for protobuf-c. Beyond the allowance, nil makes protobuf-c fail as if out of memory.
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

  /// Returns the location of a payload in shared memory; nil to keep it inline.
  func place(_ payload: [UInt8]) -> UnsafeMutablePointer<Sluice__SharedBytes>? {
    guard payload.count >= SharedBytes.leastCount, let placement,
      let shared = payload.withUnsafeBytes(placement)
    else { return nil }
    return message(sluice__shared_bytes__init) {
      $0.offset = UInt64(shared.offset)
      $0.length = UInt64(shared.count)
    }
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
  /// Allocates, initializes and fills a message of protobuf-c.
  package func message<Message>(
    _ initialize: (UnsafeMutablePointer<Message>) -> Void,
    _ fill: (inout Message) -> Void = { _ in }
  ) -> UnsafeMutablePointer<Message> {
    let message = make(Message.self)
    initialize(message)
    fill(&message.pointee)
    return message
  }

  package func item(_ item: Item) -> UnsafeMutablePointer<Sluice__Item> {
    message(sluice__item__init) {
      $0.type = string(item.type)
      if let name = item.name { $0.name = string(name) }
      switch item.payload {
      case .inline(let payload):
        if let shared = place(payload) {
          $0.payload_case = SLUICE__ITEM__PAYLOAD_SHARED
          $0.shared = shared
        } else {
          $0.payload_case = SLUICE__ITEM__PAYLOAD_INLINE
          $0.inline_ = bytes(payload)
        }
      }
      $0.tag = item.tag.map(tag)
    }
  }

  func items(_ items: [Item]) -> UnsafeMutablePointer<UnsafeMutablePointer<Sluice__Item>?> {
    pointers(items.map(item))
  }

  func tag(_ tag: OwnershipTag) -> UnsafeMutablePointer<Sluice__OwnershipTag> {
    message(sluice__ownership_tag__init) {
      $0.owner_upn = string(tag.ownerUPN)
      $0.owner_object_id = string(tag.ownerObjectID)
      $0.owner_tenant_id = string(tag.ownerTenantID)
      $0.managed = tag.isManaged ? 1 : 0
      $0.origin_app = string(tag.originApp)
      $0.device = string(tag.device)
      $0.sequence = tag.sequence
      $0.seal = bytes(tag.seal)
    }
  }
}

extension Item {
  /// - Throws: ``WireError/emptyMessage`` if the item has no payload that this version knows.
  package init(_ raw: Sluice__Item) throws(WireError) {
    guard raw.payload_case == SLUICE__ITEM__PAYLOAD_INLINE else { throw .emptyMessage }
    let name = cString(raw.name)
    self.init(
      type: cString(raw.type), name: name.isEmpty ? nil : name,
      payload: .inline(byteArray(raw.inline_)), tag: raw.tag.map { OwnershipTag($0.pointee) })
  }

  static func list(
    _ raw: UnsafeMutablePointer<UnsafeMutablePointer<Sluice__Item>?>?, _ count: Int
  ) throws(WireError) -> [Item] {
    var items: [Item] = []
    for index in 0..<count {
      if let item = raw?[index] { items.append(try Item(item.pointee)) }
    }
    return items
  }
}

extension OwnershipTag {
  init(_ raw: Sluice__OwnershipTag) {
    self.init(
      ownerUPN: cString(raw.owner_upn), ownerObjectID: cString(raw.owner_object_id),
      ownerTenantID: cString(raw.owner_tenant_id), isManaged: raw.managed != 0,
      originApp: cString(raw.origin_app), device: cString(raw.device), sequence: raw.sequence,
      seal: byteArray(raw.seal))
  }
}

/// Returns a protobuf-c string, which is never null after unpacking. ``MessageText`` has validated guests'
/// strings.
package func cString(_ raw: UnsafeMutablePointer<CChar>?) -> String {
  raw.map { String(cString: $0) } ?? ""
}

package func byteArray(_ raw: ProtobufCBinaryData) -> [UInt8] {
  Array(UnsafeBufferPointer(start: raw.data, count: raw.len))
}

// MARK: - Descriptors

/// protobuf-c's descriptors of the messages in `proto/`, for tests of completeness.
package enum MessageDescriptors {
  /// The field numbers of the possible bodies of a guest's message.
  package static var guestBodies: Set<Int> { bodies(of: sluice__guest_message__descriptor) }

  /// The field numbers of the possible bodies of a host's message.
  package static var hostBodies: Set<Int> { bodies(of: sluice__host_message__descriptor) }

  private static func bodies(of descriptor: ProtobufCMessageDescriptor) -> Set<Int> {
    let fields = UnsafeBufferPointer(start: descriptor.fields, count: Int(descriptor.n_fields))
    let isInOneof = UInt32(PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue)
    return Set(fields.filter { $0.flags & isInOneof != 0 }.map { Int($0.id) })
  }
}
