internal import CMessages
internal import CProtobufC

/// A message of `proto/`. One declaration serves for encoding and decoding.
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
/// The numbers are the fields' numbers in `proto/`. A field's type and its offset in the protobuf-c structure come from
/// the descriptor that `protoc-c` generates. A declaration that does not match the descriptor traps.
protocol DeclaredMessage {
  /// A value to decode into. Its content does not matter, because decoding replaces all fields.
  static var blank: Self { get }

  /// Declares every field exactly once, whatever the value.
  ///
  /// - Throws: ``WireError`` if a decoded message lacks a required part or has an unknown value. Encoding does not
  ///   throw.
  mutating func declare(in form: inout MessageForm) throws(WireError)
}

/// The body of a message: one of the messages in its `oneof`.
protocol DeclaredBody {
  /// Returns a blank body for the alternative with this field number; nil if this version does not know the number. Its
  /// content does not matter, because decoding replaces all fields.
  static func blank(_ number: UInt32) -> Self?

  /// Declares the body's fields. Returns the body itself when encoding, and the decoded body when decoding.
  func declared(in form: inout MessageForm) throws(WireError) -> Self
}

/// A message in its protobuf-c structure. When encoding, a declaration fills the structure; when decoding, it reads the
/// structure. protobuf-c converts between the structure and bytes.
///
/// The form is not generic, so each declaration is compiled once. Its functions are not inlined, so each field costs
/// one call.
///
/// When decoding, functions throw ``WireError/emptyMessage`` if a required part is missing or a value is unknown.
/// Encoding does not throw.
package struct MessageForm {
  private typealias Field = UnsafePointer<ProtobufCFieldDescriptor>

  private var raw: UnsafeMutableRawPointer
  private var descriptor: UnsafePointer<ProtobufCMessageDescriptor>
  /// The memory to encode into; nil when decoding.
  private let arena: Arena?
  /// The record of declared fields in a test, which are added to the run at index `run`; nil outside of tests.
  private let record: DeclarationRecord?
  private let run: Int
  /// The position after the last found field in the descriptor. The next field is expected there, because declarations
  /// and descriptors usually have the same order.
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

  /// Creates a form for a message that another module declares.
  ///
  /// - Parameters:
  ///   - raw: The message's protobuf-c structure: initialized for encoding, or unpacked for decoding.
  ///   - arena: The memory to encode into; nil for decoding.
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

  /// Declares a text. Nil is encoded as the empty text, and the empty text is decoded as nil.
  package mutating func field(_ number: UInt32, _ text: inout String?) {
    var stated = text ?? ""
    field(number, &stated)
    text = stated.isEmpty ? nil : stated
  }

  /// Declares a text that may be empty or nil. The Boolean field `flag` is true if the text is nil.
  @inline(never)
  mutating func field(_ number: UInt32, _ text: inout String?, isNilIf flag: UInt32) {
    var stated = text ?? ""
    var isNil = text == nil
    field(number, &stated)
    field(flag, &isNil)
    text = isNil ? nil : stated
  }

  /// Declares a text that may be empty or nil. The Boolean field `flag` is true if the text is not nil.
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

  /// Declares a payload. It is encoded in the field `inline`, or as a location in shared memory in the field `shared`.
  ///
  /// When decoding, reads `inline`, because ``SharedWindow`` has already replaced locations by bytes. If the two fields
  /// are a `oneof` and `inline` is not set, throws ``WireError/emptyMessage``.
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

  /// Declares an integer. If the field has fewer bits and the value does not fit, the nearest value that fits is
  /// encoded.
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

  /// Declares an integer that may be nil. The Boolean field `flag` is true if it is not nil.
  package mutating func field(_ number: UInt32, _ value: inout Int?, isSetIf flag: UInt32) {
    var stated = value ?? 0
    var isSet = value != nil
    field(number, &stated)
    field(flag, &isSet)
    value = isSet ? stated : nil
  }

  /// Declares a list of 32-bit integers. For a value that does not fit, the nearest value that fits is encoded.
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

  /// Declares a list of numbers. Throws ``WireError/tooManySources(count:)`` if the decoded list has more than `limit`.
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

  /// Declares an enumeration value by its raw value. Returns the decoded raw value, even if it is unknown.
  @inline(never)
  mutating func word(_ number: UInt32, _ value: UInt32) -> UInt32 {
    exchange(value, place(number, PROTOBUF_C_TYPE_ENUM))
  }

  /// Declares an enumeration value by its raw value. Throws ``WireError/emptyMessage`` if the decoded raw value is
  /// unknown.
  mutating func field<Value: RawRepresentable>(
    _ number: UInt32, _ value: inout Value
  ) throws(WireError) where Value.RawValue: FixedWidthInteger {
    let word = word(number, UInt32(value.rawValue))
    guard let known = Value(rawValue: Value.RawValue(word)) else { throw .emptyMessage }
    value = known
  }

  /// Declares a value whose raw value is a text. Throws ``WireError/emptyMessage`` for an unknown text.
  package mutating func field<Value: RawRepresentable>(
    _ number: UInt32, _ value: inout Value
  ) throws(WireError) where Value.RawValue == String {
    var name = value.rawValue
    field(number, &name)
    guard let known = Value(rawValue: name) else { throw .emptyMessage }
    value = known
  }

  // MARK: Parts

  /// Declares a nested message that must be present.
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

  /// Declares a list of nested messages.
  ///
  /// - Parameters:
  ///   - blank: The value to decode a nested message into.
  ///   - declare: Declares the fields of one nested message.
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

  /// Declares the body. It must be the last declaration of a message, because the form then continues inside the body.
  mutating func body<Body: DeclaredBody>(_ body: inout Body) throws(WireError) {
    if arena == nil {
      guard let known = Body.blank(chosenNumber) else { throw .emptyMessage }
      body = known
    }
    body = try body.declared(in: &self)
  }

  /// Moves the form into a nested message or body. Later calls declare its fields.
  @inline(never)
  package mutating func enter(_ number: UInt32) throws(WireError) {
    guard let part = part(number, isPresent: true) else { throw .emptyMessage }
    self = part
  }

  /// Declares a body that is a single message, and returns that message.
  mutating func body<Part: DeclaredMessage>(
    _ number: UInt32, _ part: Part
  ) throws(WireError) -> Part {
    try enter(number)
    var part = part
    try part.declare(in: &self)
    return part
  }

  /// Declares a body whose only field is a text with number 1, and returns the text.
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

  /// Returns the field's descriptor. Traps if the field has another type.
  private mutating func find(
    _ number: UInt32, _ type: ProtobufCType, isRepeated: Bool = false
  ) -> Field {
    let field = find(number, isRepeated: isRepeated)
    guard field.pointee.type == type else { mismatch(number) }
    return field
  }

  /// Returns the address of the value of a field that is not repeated. Traps if the field has another type.
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

  /// When encoding, stores `value` at `place` and returns it. When decoding, returns the value at `place`.
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

  /// Returns the structures of the nested messages in a list. When encoding, creates `count` structures. When decoding,
  /// finds the unpacked structures, and ignores `count`.
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

  /// Returns a form for the nested message in this field; nil if there is none. When encoding, creates the nested
  /// message if `isPresent` is true. When decoding, finds the unpacked nested message.
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

  /// Marks the field as the one that is set in its `oneof`. Does nothing for a field outside of a `oneof`.
  private func choose(_ field: Field) {
    guard field.isAlternative else { return }
    quantifier(field).storeBytes(of: field.pointee.id, as: UInt32.self)
  }

  /// Returns whether the field is the one that is set in its `oneof`. A field outside of a `oneof` always is.
  private func isChosen(_ field: Field) -> Bool {
    !field.isAlternative || quantifier(field).load(as: UInt32.self) == field.pointee.id
  }

  /// The number of the field that is set in the message's `oneof`; 0 if none is set.
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

  /// The descriptor of the field's message; nil if the field is not a message.
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
  /// Decodes a message from its unpacked structure.
  ///
  /// - Throws: ``WireError`` if a required part is missing or a value is unknown.
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

/// A list of the fields that each message declares. A test compares it with protobuf-c's descriptors.
package final class DeclarationRecord {
  /// The record of one call of ``DeclaredMessage/declare(in:)``: the fields that the call declared, and the fields of
  /// the message's descriptor.
  package struct Run {
    /// The message's name in `proto/`, such as `sluice.Share`.
    package let message: String
    /// The message name of each field that is a message, from the descriptor. Keys are field numbers.
    package let parts: [UInt32: String]
    /// The numbers of the fields that do not belong to a `oneof`, from the descriptor.
    package let fields: Set<UInt32>
    /// The numbers of the fields that belong to a `oneof`, from the descriptor.
    package let alternatives: Set<UInt32>
    /// The numbers of the declared fields. Their types need no comparison, because a wrong type traps.
    package fileprivate(set) var declared: [UInt32] = []
  }

  package private(set) var runs: [Run] = []

  /// Runs all declarations, by encoding a blank message for each alternative of each body.
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
