internal import CMessages
internal import CProtobufC

// Requests stated by the names of `proto/sluice.proto`, and samples of all messages. Both are derived
// from the descriptors that `protoc-c` generates, so a new message needs no code here.

/// A field's value in a message that is given as field names and values, for example by a Lua script.
package indirect enum FieldValue: Sendable, Equatable {
  /// A text. It is also accepted for bytes (encoded as UTF-8), numbers, Booleans (`true` or `false`) and enumerations
  /// (the name of a value).
  case text(String)
  case bytes([UInt8])
  case integer(Int64)
  case number(Double)
  case flag(Bool)
  case list([FieldValue])
  case part([String: FieldValue])
}

extension FieldValue {
  /// The elements of a list; nil if the value is not a list. A part without fields counts as an empty list, because
  /// both are the same empty table in Lua.
  fileprivate var elements: [FieldValue]? {
    switch self {
    case .list(let values): values
    case .part(let fields): fields.isEmpty ? [] : nil
    case .text, .bytes, .integer, .number, .flag: nil
    }
  }
}

/// The reason why the given names and values do not form a request.
package struct FieldError: Error, Equatable, CustomStringConvertible {
  package let description: String
}

extension GuestMessage.Body {
  /// The names of the requests that get a response, such as `open_url`, in the order of their field numbers.
  package static let requestNames: [String] = {
    let arena = Arena()
    defer { withExtendedLifetime(arena) {} }
    let descriptor = arena.message(sluice__guest_message__init).pointee.base.descriptor
    return (UInt32(1)...255).compactMap { number in
      guard let row = blank(number)?.row, row.isRequest, row.isAnswered,
        let field = protobuf_c_message_descriptor_get_field(descriptor, number)
      else { return nil }
      return String(cString: field.pointee.name)
    }
  }()

  /// Creates a request from field values. Names are those in `proto/sluice.proto`. Omitted fields have protobuf's
  /// default values.
  ///
  /// - Parameter name: One of ``requestNames``.
  package init(request name: String, _ fields: [String: FieldValue]) throws(FieldError) {
    guard Self.requestNames.contains(name) else {
      throw FieldError(description: "`\(name)` is not a request that the device answers")
    }
    let arena = Arena()
    defer { withExtendedLifetime(arena) {} }
    let raw = arena.message(sluice__guest_message__init)
    try FieldWriter(raw, in: arena).write([name: .part(fields)])
    do throws(WireError) {
      self = try GuestMessage(unpacked: raw).body
    } catch {
      throw FieldError(
        description: "`\(name)` lacks a required field, or a field has an unknown value")
    }
    if case .share(let share) = self, share.isPosted {
      throw FieldError(description: "`share.posted` must be false: a posted share has no answer")
    }
  }
}

// MARK: - Writing

/// Writes field values, given by name, into a message's protobuf-c structure.
private struct FieldWriter {
  private typealias Field = UnsafePointer<ProtobufCFieldDescriptor>

  private let raw: UnsafeMutableRawPointer
  private let descriptor: UnsafePointer<ProtobufCMessageDescriptor>
  private let arena: Arena
  /// The names of the fields that lead from the whole message to the nested message that is written, for error
  /// messages. Empty if the whole message is written.
  private let path: [String]

  init<Raw>(_ raw: UnsafeMutablePointer<Raw>, in arena: Arena, at path: [String] = []) {
    self.raw = UnsafeMutableRawPointer(raw)
    descriptor = self.raw.assumingMemoryBound(to: ProtobufCMessage.self).pointee.descriptor
    self.arena = arena
    self.path = path
  }

  func write(_ fields: [String: FieldValue]) throws(FieldError) {
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      guard let field = protobuf_c_message_descriptor_get_field_by_name(descriptor, name) else {
        let known = descriptor.fieldDescriptors.map { "`\(String(cString: $0.pointee.name))`" }
        throw FieldError(
          description: "`\(path.joined(separator: "."))` has no field `\(name)`"
            + (known.isEmpty ? "" : ": \(known.joined(separator: ", "))"))
      }
      try write(value, to: field)
    }
  }

  private func write(_ value: FieldValue, to field: Field) throws(FieldError) {
    let place = raw + Int(field.pointee.offset)
    let quantifier = raw + Int(field.pointee.quantifier_offset)
    if field.pointee.label == PROTOBUF_C_LABEL_REPEATED {
      guard let values = value.elements else { throw mistake(field, "a list") }
      let size = Self.size(of: field)
      let list = arena.allocate(values.count * size)
      for (index, value) in values.enumerated() {
        try store(value, field, at: list + index * size)
      }
      quantifier.storeBytes(of: values.count, as: Int.self)
      place.storeBytes(of: list, as: UnsafeMutableRawPointer.self)
    } else {
      try store(value, field, at: place)
      guard field.isAlternative else { return }
      quantifier.storeBytes(of: field.pointee.id, as: UInt32.self)
    }
  }

  private func store(
    _ value: FieldValue, _ field: Field, at place: UnsafeMutableRawPointer
  ) throws(FieldError) {
    switch field.pointee.type {
    case PROTOBUF_C_TYPE_STRING:
      guard case .text(let text) = value, !text.utf8.contains(0) else {
        throw mistake(field, "text without U+0000")
      }
      place.storeBytes(of: arena.string(text), as: UnsafeMutablePointer<CChar>.self)
    case PROTOBUF_C_TYPE_BYTES:
      place.storeBytes(of: arena.bytes(try bytes(value, field)), as: ProtobufCBinaryData.self)
    case PROTOBUF_C_TYPE_MESSAGE:
      guard case .part(let fields) = value, let descriptor = field.part else {
        throw mistake(field, "fields by name")
      }
      let part = arena.message(descriptor)
      try FieldWriter(part, in: arena, at: path + [String(cString: field.pointee.name)])
        .write(fields)
      place.storeBytes(of: part, as: UnsafeMutablePointer<ProtobufCMessage>.self)
    case PROTOBUF_C_TYPE_BOOL:
      let flag: protobuf_c_boolean = try flag(value, field) ? 1 : 0
      place.storeBytes(of: flag, as: protobuf_c_boolean.self)
    case PROTOBUF_C_TYPE_ENUM:
      place.storeBytes(of: try number(ofValue: value, field), as: Int32.self)
    case PROTOBUF_C_TYPE_DOUBLE:
      place.storeBytes(of: try double(value, field), as: Double.self)
    case PROTOBUF_C_TYPE_UINT32, PROTOBUF_C_TYPE_FIXED32:
      place.storeBytes(of: try integer(value, field), as: UInt32.self)
    case PROTOBUF_C_TYPE_INT32, PROTOBUF_C_TYPE_SINT32, PROTOBUF_C_TYPE_SFIXED32:
      place.storeBytes(of: try integer(value, field), as: Int32.self)
    case PROTOBUF_C_TYPE_UINT64, PROTOBUF_C_TYPE_FIXED64:
      place.storeBytes(of: try integer(value, field), as: UInt64.self)
    case PROTOBUF_C_TYPE_INT64, PROTOBUF_C_TYPE_SINT64, PROTOBUF_C_TYPE_SFIXED64:
      place.storeBytes(of: try integer(value, field), as: Int64.self)
    default:  // open: a C enumeration; `float`
      preconditionFailure(
        "the field `\(String(cString: field.pointee.name))` has a type that the protocol does not use"
      )
    }
  }

  /// Returns the size in bytes of one element of the repeated field.
  private static func size(of field: Field) -> Int {
    switch field.pointee.type {
    case PROTOBUF_C_TYPE_BYTES: MemoryLayout<ProtobufCBinaryData>.size
    case PROTOBUF_C_TYPE_BOOL: MemoryLayout<protobuf_c_boolean>.size
    case PROTOBUF_C_TYPE_ENUM, PROTOBUF_C_TYPE_UINT32, PROTOBUF_C_TYPE_FIXED32,
      PROTOBUF_C_TYPE_INT32, PROTOBUF_C_TYPE_SINT32, PROTOBUF_C_TYPE_SFIXED32:
      4
    default: 8  // open: a C enumeration; a number of 64 bits, or a pointer
    }
  }

  // MARK: Values

  private func bytes(_ value: FieldValue, _ field: Field) throws(FieldError) -> [UInt8] {
    switch value {
    case .bytes(let bytes): return bytes
    case .text(let text): return Array(text.utf8)
    case .integer, .number, .flag, .list, .part: throw mistake(field, "text or bytes")
    }
  }

  private func flag(_ value: FieldValue, _ field: Field) throws(FieldError) -> Bool {
    switch value {
    case .flag(let flag): return flag
    case .text("true"): return true
    case .text("false"): return false
    case .text, .bytes, .integer, .number, .list, .part: throw mistake(field, "true or false")
    }
  }

  private func integer<Number: FixedWidthInteger>(
    _ value: FieldValue, _ field: Field
  ) throws(FieldError) -> Number {
    let number: Number?
    switch value {
    case .integer(let integer): number = Number(exactly: integer)
    case .text(let text): number = Number(text)
    case .bytes, .number, .flag, .list, .part: number = nil
    }
    guard let number else {
      throw mistake(field, "an integer within the range of the field's type")
    }
    return number
  }

  private func double(_ value: FieldValue, _ field: Field) throws(FieldError) -> Double {
    let number: Double?
    switch value {
    case .number(let stated): number = stated
    case .integer(let integer): number = Double(integer)
    case .text(let text): number = Double(text)
    case .bytes, .flag, .list, .part: number = nil
    }
    guard let number else { throw mistake(field, "a number") }
    return number
  }

  /// Returns the number of the enumeration value whose name is `value`.
  private func number(ofValue value: FieldValue, _ field: Field) throws(FieldError) -> Int32 {
    let known = field.enumeration
    guard case .text(let name) = value, let found = known.first(where: { $0.name == name }) else {
      throw mistake(field, known.map { "`\($0.name)`" }.joined(separator: " or "))
    }
    return found.number
  }

  private func mistake(_ field: Field, _ expected: String) -> FieldError {
    let place = path + [String(cString: field.pointee.name)]
    return FieldError(description: "`\(place.joined(separator: "."))` must be \(expected)")
  }
}

extension UnsafePointer<ProtobufCMessageDescriptor> {
  fileprivate var fieldDescriptors: [UnsafePointer<ProtobufCFieldDescriptor>] {
    (0..<Int(pointee.n_fields)).map { pointee.fields + $0 }
  }
}

extension UnsafePointer<ProtobufCFieldDescriptor> {
  fileprivate var enumeration: [(name: String, number: Int32)] {
    let descriptor = pointee.descriptor.assumingMemoryBound(to: ProtobufCEnumDescriptor.self)
    return (0..<Int(descriptor.pointee.n_values)).map { index in
      let value = descriptor.pointee.values[index]
      return (String(cString: value.name), value.value)
    }
  }
}

// MARK: - Samples

/// Samples of all messages, for tests. Each message has a sample in which every field is set, and a sample without
/// fields. A sample that would not be a valid message is omitted.
package enum MessageSamples {
  package static let guest: [GuestMessage.Body] = numbers.flatMap { number in
    [true, false].compactMap { isFull in
      message(number, isFull, sluice__guest_message__init) { raw throws(WireError) in
        try GuestMessage(unpacked: raw).body
      }
    }
  }

  package static let host: [HostMessage.Body] = numbers.flatMap { number in
    [true, false].compactMap { isFull in
      message(number, isFull, sluice__host_message__init) { raw throws(WireError) in
        try HostMessage(unpacked: raw).body
      }
    }
  }

  private static let numbers: ClosedRange<UInt32> = 1...255

  /// Returns a sample of the body with field number `number`. Returns nil if there is no such body, or if the sample
  /// would not be a valid message.
  private static func message<Raw, Body: DeclaredBody>(
    _ number: UInt32, _ isFull: Bool, _ initialize: (UnsafeMutablePointer<Raw>) -> Void,
    _ decode: (UnsafeMutablePointer<Raw>) throws(WireError) -> Body
  ) -> Body? {
    guard Body.blank(number) != nil else { return nil }
    let arena = Arena()
    defer { withExtendedLifetime(arena) {} }
    let raw = arena.message(initialize)
    let descriptor = UnsafeMutableRawPointer(raw).assumingMemoryBound(to: ProtobufCMessage.self)
      .pointee.descriptor
    guard let descriptor,
      let field = protobuf_c_message_descriptor_get_field(descriptor, number),
      let part = field.part
    else { return nil }
    let name = String(cString: field.pointee.name)
    do throws(FieldError) {
      try FieldWriter(raw, in: arena).write([name: .part(isFull ? fields(of: part) : [:])])
    } catch {
      preconditionFailure("a sample message must conform to its descriptor: \(error)")
    }
    return try? decode(raw)
  }

  /// Returns a sample value for each field. Of each `oneof`, only the first field is set.
  private static func fields(
    of descriptor: UnsafePointer<ProtobufCMessageDescriptor>
  ) -> [String: FieldValue] {
    var fields: [String: FieldValue] = [:]
    var decided: Set<UInt32> = []
    for field in descriptor.fieldDescriptors {
      let isDecided =
        field.isAlternative && !decided.insert(field.pointee.quantifier_offset).inserted
      guard !isDecided else { continue }
      let value = value(of: field)
      let isRepeated = field.pointee.label == PROTOBUF_C_LABEL_REPEATED
      fields[String(cString: field.pointee.name)] = isRepeated ? .list([value, value]) : value
    }
    return fields
  }

  private static func value(of field: UnsafePointer<ProtobufCFieldDescriptor>) -> FieldValue {
    switch field.pointee.type {
    case PROTOBUF_C_TYPE_STRING: .text("naïve 日本 😀\u{301}")
    case PROTOBUF_C_TYPE_BYTES: .bytes([0, 1, 0xFF])
    case PROTOBUF_C_TYPE_BOOL: .flag(true)
    case PROTOBUF_C_TYPE_DOUBLE: .number(0.25)
    case PROTOBUF_C_TYPE_ENUM: .text(field.enumeration.last?.name ?? "")
    case PROTOBUF_C_TYPE_MESSAGE: .part(field.part.map { fields(of: $0) } ?? [:])
    default: .integer(300)  // open: a C enumeration; an integer
    }
  }
}
