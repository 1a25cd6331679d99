internal import CMessages
internal import CProtobufC

/// A message of `proto/`, declared once for both directions.
///
///     struct OpenURL: DeclaredMessage {
///       var url: String
///       var isQuestion: Bool
///
///       static var blank: OpenURL { OpenURL("") }
///
///       mutating func declare(in form: inout MessageForm) {
///         form.field(1, &url)
///         form.field(3, &isQuestion)
///       }
///     }
///
/// The number is the field's number in `proto/`. The descriptor that `protoc-c` generates contains
/// the field's type and its offset in the protobuf-c structure. A declaration that does not match
/// the descriptor traps.
protocol DeclaredMessage {
  /// An arbitrary value. Decoding replaces all of its fields.
  static var blank: Self { get }

  /// Declares every field exactly once, regardless of the value.
  ///
  /// - Throws: ``WireError`` if a decoded part is missing or unknown. Encoding does not throw.
  mutating func declare(in form: inout MessageForm) throws(WireError)
}

/// The body of a message: one alternative of its `oneof`, which is a message.
protocol DeclaredBody {
  /// Returns an arbitrary value of the alternative with this field number; nil if this version does
  /// not know the number. Decoding replaces all of its fields.
  static func blank(_ number: UInt32) -> Self?

  /// Declares the body's fields, and returns the body with the decoded values.
  func declared(in form: inout MessageForm) throws(WireError) -> Self
}

/// One message in its protobuf-c structure. A declaration fills the structure when encoding and
/// reads it when decoding. protobuf-c packs, unpacks and checks it.
///
/// The form is not generic, so each declaration is compiled once. Its functions are not inlined, so
/// each field costs one call.
///
/// When decoding, functions throw ``WireError/emptyMessage`` if a required part is missing or a value is
/// unknown. Encoding does not throw.
package struct MessageForm {
  private typealias Field = UnsafePointer<ProtobufCFieldDescriptor>

  private var raw: UnsafeMutableRawPointer
  private var descriptor: UnsafePointer<ProtobufCMessageDescriptor>
  /// The memory to encode into; nil when decoding.
  private let arena: Arena?
  /// The record of declared fields and the index of this run in the record; nil outside of tests.
  private let record: DeclarationRecord?
  private let run: Int
  /// The index after the most recently found field. The next field is expected there, because
  /// declarations and descriptors usually have the same order.
  private var next = 0

  fileprivate init(
    _ raw: UnsafeMutablePointer<ProtobufCMessage>, in arena: Arena?, _ record: DeclarationRecord?
  ) {
    self.raw = UnsafeMutableRawPointer(raw)
    descriptor = raw.pointee.descriptor
    self.arena = arena
    self.record = record
    run = record?.begin(descriptor) ?? 0
  }

  /// Creates the form of a message that another module declares.
  ///
  /// - Parameters:
  ///   - raw: The message's protobuf-c structure: initialized to encode, unpacked to decode.
  ///   - arena: The memory to encode into; nil to decode.
  package init<Raw>(_ raw: UnsafeMutablePointer<Raw>, in arena: Arena?) {
    self.init(
      UnsafeMutableRawPointer(raw).assumingMemoryBound(to: ProtobufCMessage.self), in: arena, nil)
  }

  // MARK: Text and bytes

  @inline(never)
  package mutating func field(_ number: UInt32, _ text: inout String) {
    let place = place(number, PROTOBUF_C_TYPE_STRING)
    if let arena {
      place.storeBytes(of: arena.string(text), as: UnsafeMutablePointer<CChar>.self)
    } else {
      text = cString(place.load(as: UnsafeMutablePointer<CChar>?.self))
    }
  }

  /// Declares a text; nil is encoded as the empty text.
  package mutating func field(_ number: UInt32, _ text: inout String?) {
    var stated = text ?? ""
    field(number, &stated)
    text = stated.isEmpty ? nil : stated
  }

  /// Declares a text that may be empty; nil if the field `flag` is true.
  @inline(never)
  mutating func field(_ number: UInt32, _ text: inout String?, isNilIf flag: UInt32) {
    var stated = text ?? ""
    var isNil = text == nil
    field(number, &stated)
    field(flag, &isNil)
    text = isNil ? nil : stated
  }

  /// Declares a text that may be empty; nil unless the field `flag` is true.
  @inline(never)
  mutating func field(_ number: UInt32, _ text: inout String?, isSetIf flag: UInt32) {
    var stated = text ?? ""
    var isSet = text != nil
    field(number, &stated)
    field(flag, &isSet)
    text = isSet ? stated : nil
  }

  @inline(never)
  package mutating func field(_ number: UInt32, _ texts: inout [String]) {
    let field = find(number, PROTOBUF_C_TYPE_STRING, isRepeated: true)
    if let arena {
      store(arena.strings(texts), count: texts.count, field)
    } else {
      texts = list(of: UnsafeMutablePointer<CChar>?.self, field).map(cString)
    }
  }

  @inline(never)
  package mutating func field(_ number: UInt32, _ bytes: inout [UInt8]) {
    let place = place(number, PROTOBUF_C_TYPE_BYTES)
    if let arena {
      place.storeBytes(of: arena.bytes(bytes), as: ProtobufCBinaryData.self)
    } else {
      bytes = byteArray(place.load(as: ProtobufCBinaryData.self))
    }
  }

  /// Declares a payload, which is encoded inline or in shared memory. A decoded payload is inline,
  /// since ``SharedWindow`` has resolved it.
  ///
  /// If the two alternatives are a `oneof`, a decoded payload must be inline.
  mutating func payload(
    inline: UInt32, shared: UInt32, _ bytes: inout [UInt8]
  ) throws(WireError) {
    let field = find(inline, PROTOBUF_C_TYPE_BYTES)
    if let arena {
      var place = arena.place(bytes)
      try self.field(shared, &place)
      guard place == nil else { return }
      choose(field)
      raw.storeBytes(
        of: arena.bytes(bytes), toByteOffset: offset(field), as: ProtobufCBinaryData.self)
    } else {
      guard isChosen(field) else { throw .emptyMessage }
      bytes = byteArray(raw.load(fromByteOffset: offset(field), as: ProtobufCBinaryData.self))
    }
  }

  // MARK: Numbers

  @inline(never)
  package mutating func field(_ number: UInt32, _ flag: inout Bool) {
    let value: protobuf_c_boolean = flag ? 1 : 0
    flag = exchange(value, place(number, PROTOBUF_C_TYPE_BOOL)) != 0
  }

  @inline(never)
  mutating func field(_ number: UInt32, _ value: inout UInt32) {
    value = exchange(value, place(number, PROTOBUF_C_TYPE_UINT32))
  }

  @inline(never)
  mutating func field(_ number: UInt32, _ value: inout UInt64) {
    let field = find(number)
    let type = field.pointee.type
    guard type == PROTOBUF_C_TYPE_UINT64 || type == PROTOBUF_C_TYPE_FIXED64 else {
      mismatch(number)
    }
    value = exchange(value, raw + offset(field))
  }

  /// Declares an integer. A value outside the range of a shorter field is encoded as the nearest
  /// bound.
  @inline(never)
  package mutating func field(_ number: UInt32, _ value: inout Int) {
    let field = find(number)
    let place = raw + offset(field)
    switch field.pointee.type {
    case PROTOBUF_C_TYPE_UINT32: value = Int(exchange(UInt32(clamping: value), place))
    case PROTOBUF_C_TYPE_SINT32: value = Int(exchange(Int32(clamping: value), place))
    case PROTOBUF_C_TYPE_INT64: value = Int(exchange(Int64(value), place))
    case PROTOBUF_C_TYPE_UINT64: value = Int(clamping: exchange(UInt64(value), place))
    default: mismatch(number)  // open: a C enumeration; any other type
    }
  }

  /// Declares an integer; nil unless the field `flag` is true.
  package mutating func field(_ number: UInt32, _ value: inout Int?, isSetIf flag: UInt32) {
    var stated = value ?? 0
    var isSet = value != nil
    field(number, &stated)
    field(flag, &isSet)
    value = isSet ? stated : nil
  }

  /// Declares integers of 32 bits. A value outside the range is encoded as the nearest bound.
  package mutating func field(_ number: UInt32, _ values: inout [Int]) {
    let field = find(number, PROTOBUF_C_TYPE_UINT32, isRepeated: true)
    if let arena {
      store(arena.numbers(values.map(UInt32.init(clamping:))), count: values.count, field)
    } else {
      values = list(of: UInt32.self, field).map(Int.init)
    }
  }

  @inline(never)
  mutating func field(_ number: UInt32, _ value: inout Double) {
    value = exchange(value, place(number, PROTOBUF_C_TYPE_DOUBLE))
  }

  /// Declares numbers. If more than `limit` are decoded, throws ``WireError/tooManySources(count:)``.
  @inline(never)
  mutating func field(
    _ number: UInt32, _ values: inout [UInt64], atMost limit: Int
  ) throws(WireError) {
    let field = find(number, PROTOBUF_C_TYPE_UINT64, isRepeated: true)
    if let arena {
      store(arena.numbers(values), count: values.count, field)
    } else {
      let list = list(of: UInt64.self, field)
      guard list.count <= limit else { throw .tooManySources(count: list.count) }
      values = Array(list)
    }
  }

  // MARK: Enumerations

  /// Declares a value of an enumeration by its raw value. Returns the decoded raw value, which may be unknown.
  @inline(never)
  mutating func word(_ number: UInt32, _ value: UInt32) -> UInt32 {
    exchange(value, place(number, PROTOBUF_C_TYPE_ENUM))
  }

  /// Declares a value of an enumeration by its raw value. Throws ``WireError/emptyMessage`` for an unknown raw value.
  mutating func field<Value: RawRepresentable>(
    _ number: UInt32, _ value: inout Value
  ) throws(WireError) where Value.RawValue: FixedWidthInteger {
    let word = word(number, UInt32(value.rawValue))
    guard let known = Value(rawValue: Value.RawValue(word)) else { throw .emptyMessage }
    value = known
  }

  /// Declares a value that the message contains as a text.
  package mutating func field<Value: RawRepresentable>(
    _ number: UInt32, _ value: inout Value
  ) throws(WireError) where Value.RawValue == String {
    var name = value.rawValue
    field(number, &name)
    guard let known = Value(rawValue: name) else { throw .emptyMessage }
    value = known
  }

  // MARK: Parts

  /// Declares a required part.
  mutating func field<Part: DeclaredMessage>(
    _ number: UInt32, _ value: inout Part
  ) throws(WireError) {
    guard var form = part(number, isPresent: true) else { throw .emptyMessage }
    try value.declare(in: &form)
  }

  mutating func field<Part: DeclaredMessage>(
    _ number: UInt32, _ value: inout Part?
  ) throws(WireError) {
    guard var form = part(number, isPresent: value != nil) else {
      value = nil
      return
    }
    var part = value ?? .blank
    try part.declare(in: &form)
    value = part
  }

  mutating func field<Part: DeclaredMessage>(
    _ number: UInt32, _ values: inout [Part]
  ) throws(WireError) {
    try parts(number, &values, blank: .blank) { (part, form) throws(WireError) in
      try part.declare(in: &form)
    }
  }

  /// Declares a list of parts. `declare` declares one part. Decoding replaces all fields of `blank`.
  package mutating func parts<Part>(
    _ number: UInt32, _ values: inout [Part], blank: Part,
    declare: (inout Part, inout MessageForm) throws(WireError) -> Void
  ) throws(WireError) {
    let field = find(number, PROTOBUF_C_TYPE_MESSAGE, isRepeated: true)
    let stated = arena == nil ? [] : values
    var decoded: [Part] = []
    for (index, raw) in parts(field, stated.count).enumerated() {
      var form = MessageForm(raw, in: arena, record)
      var part = index < stated.count ? stated[index] : blank
      try declare(&part, &form)
      if arena == nil { decoded.append(part) }
    }
    if arena == nil { values = decoded }
  }

  // MARK: Bodies

  /// Declares the message's body, its last field.
  mutating func body<Body: DeclaredBody>(_ body: inout Body) throws(WireError) {
    if arena == nil {
      guard let known = Body.blank(chosenNumber) else { throw .emptyMessage }
      body = known
    }
    body = try body.declared(in: &self)
  }

  /// Enters a part or a body. Its fields are declared next.
  @inline(never)
  package mutating func enter(_ number: UInt32) throws(WireError) {
    guard let part = part(number, isPresent: true) else { throw .emptyMessage }
    self = part
  }

  /// Declares a body that consists of one message, and returns the message.
  mutating func body<Part: DeclaredMessage>(
    _ number: UInt32, _ part: Part
  ) throws(WireError) -> Part {
    try enter(number)
    var part = part
    try part.declare(in: &self)
    return part
  }

  /// Declares a body that has a text as its only field, 1. Returns the text.
  mutating func body(_ number: UInt32, _ text: String) throws(WireError) -> String {
    try enter(number)
    var text = text
    field(1, &text)
    return text
  }
}

// MARK: - The structure of protobuf-c

extension MessageForm {
  @inline(never)
  private mutating func find(_ number: UInt32, isRepeated: Bool = false) -> Field {
    let fields = descriptor.pointee.fields!
    let field: Field
    if next < Int(descriptor.pointee.n_fields), fields[next].id == number {
      field = fields + next
    } else if let found = protobuf_c_message_descriptor_get_field(descriptor, number) {
      field = found
    } else {
      mismatch(number)
    }
    guard (field.pointee.label == PROTOBUF_C_LABEL_REPEATED) == isRepeated else { mismatch(number) }
    next = field - fields + 1
    record?.add(number, run)
    return field
  }

  /// Traps if the field has another type.
  private mutating func find(
    _ number: UInt32, _ type: ProtobufCType, isRepeated: Bool = false
  ) -> Field {
    let field = find(number, isRepeated: isRepeated)
    guard field.pointee.type == type else { mismatch(number) }
    return field
  }

  /// Returns the address of a single field. Traps if the field has another type.
  private mutating func place(_ number: UInt32, _ type: ProtobufCType) -> UnsafeMutableRawPointer {
    raw + offset(find(number, type))
  }

  private func mismatch(_ number: UInt32) -> Never {
    preconditionFailure(
      "`\(String(cString: descriptor.pointee.name))` has no field \(number) of the declared type")
  }

  private func offset(_ field: Field) -> Int { Int(field.pointee.offset) }

  private func quantifier(_ field: Field) -> UnsafeMutableRawPointer {
    raw + Int(field.pointee.quantifier_offset)
  }

  /// Stores and returns `value` when encoding; returns the stored number when decoding.
  @inline(__always)
  private func exchange<Value: BitwiseCopyable>(
    _ value: Value, _ place: UnsafeMutableRawPointer
  ) -> Value {
    guard arena != nil else { return place.load(as: Value.self) }
    place.storeBytes(of: value, as: Value.self)
    return value
  }

  // MARK: Lists

  private func store<Element>(_ list: UnsafeMutablePointer<Element>?, count: Int, _ field: Field) {
    quantifier(field).storeBytes(of: count, as: Int.self)
    raw.storeBytes(of: list, toByteOffset: offset(field), as: UnsafeMutablePointer<Element>?.self)
  }

  private func list<Element>(of type: Element.Type, _ field: Field) -> UnsafeBufferPointer<Element>
  {
    UnsafeBufferPointer(
      start: raw.load(fromByteOffset: offset(field), as: UnsafeMutablePointer<Element>?.self),
      count: quantifier(field).load(as: Int.self))
  }

  /// Returns the parts of a list: `count` new parts when encoding, the unpacked parts when
  /// decoding.
  private func parts(_ field: Field, _ count: Int) -> [UnsafeMutablePointer<ProtobufCMessage>] {
    guard let arena else {
      return list(of: UnsafeMutablePointer<ProtobufCMessage>?.self, field).compactMap(\.self)
    }
    // While fields are recorded, one part of a list is visited, even if the list is empty.
    let count = record == nil ? count : 1
    let parts = (0..<count).map { _ in arena.message(field.part!) }
    store(arena.pointers(parts), count: count, field)
    return parts
  }

  // MARK: Parts

  /// Returns the form of a part: a new form when encoding, the unpacked form when decoding; nil if
  /// there is no part.
  @inline(never)
  private mutating func part(_ number: UInt32, isPresent: Bool) -> MessageForm? {
    let field = find(number, PROTOBUF_C_TYPE_MESSAGE)
    let place = raw + offset(field)
    guard let arena else {
      guard isChosen(field) else { return nil }
      let part = place.load(as: UnsafeMutablePointer<ProtobufCMessage>?.self)
      return part.map { MessageForm($0, in: nil, record) }
    }
    // While fields are recorded, missing parts are visited too.
    guard isPresent || record != nil else { return nil }
    let part = arena.message(field.part!)
    place.storeBytes(of: part, as: UnsafeMutablePointer<ProtobufCMessage>.self)
    choose(field)
    return MessageForm(part, in: arena, record)
  }

  // MARK: Alternatives

  /// Selects the field in its `oneof`; has no effect on other fields.
  private func choose(_ field: Field) {
    guard field.isAlternative else { return }
    quantifier(field).storeBytes(of: field.pointee.id, as: UInt32.self)
  }

  /// Returns whether the field is selected in its `oneof`; true for other fields.
  private func isChosen(_ field: Field) -> Bool {
    !field.isAlternative || quantifier(field).load(as: UInt32.self) == field.pointee.id
  }

  /// The number of the selected field of the `oneof`; 0 for none.
  package var chosenNumber: UInt32 {
    let fields = descriptor.pointee.fields!
    for index in 0..<Int(descriptor.pointee.n_fields) where (fields + index).isAlternative {
      return quantifier(fields + index).load(as: UInt32.self)
    }
    return 0
  }
}

extension UnsafePointer<ProtobufCFieldDescriptor> {
  /// Whether the field belongs to a `oneof`.
  var isAlternative: Bool {
    pointee.flags & UInt32(PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue) != 0
  }

  /// Nil if the field is not a message.
  var part: UnsafePointer<ProtobufCMessageDescriptor>? {
    guard pointee.type == PROTOBUF_C_TYPE_MESSAGE else { return nil }
    return pointee.descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
  }
}

// MARK: - Whole messages

extension Arena {
  func encode<Message: DeclaredMessage, Raw>(
    _ message: Message, _ initialize: (UnsafeMutablePointer<Raw>) -> Void,
    _ record: DeclarationRecord? = nil
  ) -> UnsafeMutablePointer<ProtobufCMessage> {
    let raw = UnsafeMutableRawPointer(self.message(initialize))
      .assumingMemoryBound(to: ProtobufCMessage.self)
    var form = MessageForm(raw, in: self, record)
    var message = message
    do throws(WireError) {
      try message.declare(in: &form)
    } catch {
      preconditionFailure("encoding a message must not fail: \(error)")
    }
    return raw
  }

  func message(
    _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>
  ) -> UnsafeMutablePointer<ProtobufCMessage> {
    let message = allocate(descriptor.pointee.sizeof_message)
      .bindMemory(to: ProtobufCMessage.self, capacity: 1)
    descriptor.pointee.message_init(message)
    return message
  }
}

extension DeclaredMessage {
  /// - Throws: ``WireError`` if a part is missing or unknown.
  init<Raw>(unpacked raw: UnsafeMutablePointer<Raw>) throws(WireError) {
    self = .blank
    let raw = UnsafeMutableRawPointer(raw).assumingMemoryBound(to: ProtobufCMessage.self)
    var form = MessageForm(raw, in: nil, nil)
    try declare(in: &form)
  }
}

extension [UInt8] {
  init(packing message: UnsafeMutablePointer<ProtobufCMessage>) {
    self.init(unsafeUninitializedCapacity: protobuf_c_message_get_packed_size(message)) {
      $1 = protobuf_c_message_pack(message, $0.baseAddress)
    }
  }
}

// MARK: - Record

/// The fields that all messages declare. A test compares them with protobuf-c's descriptors.
package final class DeclarationRecord {
  /// One run of a message's declaration.
  package struct Run {
    /// The message's name in `proto/`, such as `sluice.Share`.
    package let message: String
    /// The message names of the parts, by field number, from the descriptor.
    package let parts: [UInt32: String]
    /// The numbers of the fields outside of a `oneof`, from the descriptor.
    package let fields: Set<UInt32>
    /// The numbers of the fields in a `oneof`, from the descriptor.
    package let alternatives: Set<UInt32>
    /// The numbers of the declared fields. A declared type that differs from the descriptor's type
    /// traps.
    package fileprivate(set) var declared: [UInt32] = []
  }

  package private(set) var runs: [Run] = []

  /// Runs all declarations, with each alternative of each body.
  package init() {
    let arena = Arena()
    let numbers: ClosedRange<UInt32> = 1...255
    for body in numbers.compactMap(GuestMessage.Body.blank) {
      _ = arena.encode(GuestMessage(body), sluice__guest_message__init, self)
    }
    for body in numbers.compactMap(HostMessage.Body.blank) {
      _ = arena.encode(HostMessage(body), sluice__host_message__init, self)
    }
    for act in numbers.compactMap(UserAct.blank(_:)) {
      _ = arena.encode(act, sluice__user_act__init, self)
    }
  }

  fileprivate func begin(_ descriptor: UnsafePointer<ProtobufCMessageDescriptor>) -> Int {
    let fields = (0..<Int(descriptor.pointee.n_fields)).map { descriptor.pointee.fields + $0 }
    runs.append(
      Run(
        message: String(cString: descriptor.pointee.name),
        parts: fields.reduce(into: [:]) { parts, field in
          parts[field.pointee.id] = field.part.map { String(cString: $0.pointee.name) }
        },
        fields: Set(fields.filter { !$0.isAlternative }.map(\.pointee.id)),
        alternatives: Set(fields.filter(\.isAlternative).map(\.pointee.id))))
    return runs.count - 1
  }

  fileprivate func add(_ number: UInt32, _ run: Int) { runs[run].declared.append(number) }
}
