internal import CMessages
internal import CProtobufC

#if canImport(Glibc)
  internal import Glibc
#endif

/// A check in place of the strings in a guest's message: protobuf-c cuts a string at U+0000, and takes any bytes.
struct MessageText {
  private typealias Descriptor = UnsafePointer<ProtobufCMessageDescriptor>

  /// The number of fields that have been read.
  private var count = 0

  /// - Throws: ``WireError`` where a string is not UTF-8 without U+0000, the message's names are too long, or it
  ///   has too many parts.
  static func check(_ frame: UnsafeRawBufferPointer) throws(WireError) {
    var text = MessageText()
    do throws(WireError) {
      try text.checkNames(frame, guestMessage)
    } catch .malformedMessage {
      throw .malformedMessage(length: frame.count)
    } catch {
      throw error
    }
  }

  /// Whether an ownership tag may be read.
  static func isFine(tag: UnsafeRawBufferPointer) -> Bool {
    var text = MessageText()
    return (try? text.checkNames(tag, ownershipTag)) != nil
  }

  /// Whether bytes are UTF-8 without U+0000.
  static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return true }
    if bytes.count <= 64, bytes.allSatisfy({ (1...127).contains($0) }) { return true }
    return memchr(start, 0, bytes.count) == nil && String(validating: bytes, as: UTF8.self) != nil
  }

  // MARK: the content of a message

  /// Global constants of C have no address in Swift.
  nonisolated(unsafe) private static let guestMessage = address(sluice__guest_message__descriptor)
  nonisolated(unsafe) private static let ownershipTag = address(sluice__ownership_tag__descriptor)

  private static func address(_ descriptor: ProtobufCMessageDescriptor) -> Descriptor {
    let copy = UnsafeMutablePointer<ProtobufCMessageDescriptor>.allocate(capacity: 1)
    copy.initialize(to: descriptor)
    return Descriptor(copy)
  }

  private mutating func checkNames(
    _ message: UnsafeRawBufferPointer, _ descriptor: Descriptor
  ) throws(WireError) {
    let length = try nameLength(message, descriptor)
    guard length <= RequestLimits.names else { throw .longNames(length: length) }
  }

  /// The bytes of everything in a message that is not payload: all names.
  private mutating func nameLength(
    _ message: UnsafeRawBufferPointer, _ descriptor: Descriptor
  ) throws(WireError) -> Int {
    var length = 0
    var reader = ProtobufReader(message)
    while let next = reader.next() {
      count += 1
      guard count <= RequestLimits.fields else { throw .malformedMessage(length: message.count) }
      guard case .bytes(let bytes) = next.value, let number = UInt32(exactly: next.number),
        let field = protobuf_c_message_descriptor_get_field(descriptor, number)?.pointee
      else { continue }
      length += try nameLength(bytes, field, of: descriptor)
    }
    guard !reader.hasGivenUp else { throw .malformedMessage(length: message.count) }
    return length
  }

  private mutating func nameLength(
    _ bytes: UnsafeRawBufferPointer, _ field: ProtobufCFieldDescriptor, of message: Descriptor
  ) throws(WireError) -> Int {
    let name = String(cString: field.name)
    switch field.type {
    case PROTOBUF_C_TYPE_STRING:
      guard Self.isText(bytes) else { throw .malformedText(field: name) }
      let place = "\(String(cString: message.pointee.short_name)).\(name)"
      return Self.payloads.contains(place) ? 0 : bytes.count
    case PROTOBUF_C_TYPE_BYTES: return Self.names.contains(name) ? bytes.count : 0
    case PROTOBUF_C_TYPE_MESSAGE:
      guard let inner = field.descriptor?.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
      else { return 0 }
      guard name != "tag" else {
        // Items may come back by the dozen, each under the tag that the device has made.
        try checkNames(bytes, inner)
        return 0
      }
      return try nameLength(bytes, inner)
    default: return 0  // open: a C enumeration; any type of number
    }
  }

  /// Strings that are content, not names.
  private static let payloads: Set<String> = [
    "Log.text", "OfferedItem.content_text", "Performed.failure", "Failed.why",
  ]
  /// Bytes that name something.
  private static let names: Set<String> = ["path", "to", "header"]
}
