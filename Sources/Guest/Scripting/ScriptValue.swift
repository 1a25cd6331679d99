internal import Model
internal import SluiceKit

/// A value that is passed to or from a script.
package enum ScriptValue: Sendable, Equatable {
  case nothing
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  /// A Lua string, which consists of bytes.
  case bytes([UInt8])
  /// A table, as its list part and its named fields.
  case table([ScriptValue], [String: ScriptValue])

  static func text(_ text: String) -> ScriptValue { .bytes(Array(text.utf8)) }

  static func list(_ values: [ScriptValue]) -> ScriptValue { .table(values, [:]) }

  static func record(_ fields: [String: ScriptValue]) -> ScriptValue { .table([], fields) }

  static func text(orNothing text: String?) -> ScriptValue { text.map(Self.text) ?? .nothing }

  /// The name of the value's Lua type.
  var kind: String {
    switch self {
    case .nothing: "nil"
    case .boolean: "boolean"
    case .integer, .number: "number"
    case .bytes: "string"
    case .table: "table"
    }
  }

  var text: String? {
    guard case .bytes(let bytes) = self else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether Lua treats the value as true.
  var isTrue: Bool { self != .nothing && self != .boolean(false) }

  subscript(_ field: String) -> ScriptValue {
    guard case .table(_, let fields) = self else { return .nothing }
    return fields[field] ?? .nothing
  }
}

// The format is documented in CScript/values.c.

extension ScriptValue {
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .nothing: bytes.append(UInt8(ascii: "z"))
    case .boolean(let isTrue): bytes.append(UInt8(ascii: isTrue ? "t" : "f"))
    case .integer(let integer):
      bytes.append(UInt8(ascii: "i"))
      withUnsafeBytes(of: integer) { bytes.append(contentsOf: $0) }
    case .number(let number):
      bytes.append(UInt8(ascii: "d"))
      withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    case .bytes(let text):
      bytes.append(UInt8(ascii: "s"))
      Self.append(text, to: &bytes)
    case .table(let list, let fields):
      bytes.append(UInt8(ascii: "l"))
      Self.append(count: list.count, to: &bytes)
      for value in list { value.append(to: &bytes) }
      Self.append(count: fields.count, to: &bytes)
      for (name, value) in fields {
        Self.append(Array(name.utf8), to: &bytes)
        value.append(to: &bytes)
      }
    }
  }

  private static func append(_ text: [UInt8], to bytes: inout [UInt8]) {
    append(count: text.count, to: &bytes)
    bytes.append(contentsOf: text)
  }

  private static func append(count: Int, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: UInt32(count)) { bytes.append(contentsOf: $0) }
  }

  /// Decodes all values in `bytes`, which CScript wrote.
  static func all(in bytes: UnsafeRawBufferPointer) -> [ScriptValue] {
    var reader = Reader(rest: bytes[...])
    var values: [ScriptValue] = []
    while !reader.rest.isEmpty { values.append(reader.value()) }
    return values
  }

  /// Decodes bytes that this process wrote, so malformed input is a programmer error.
  private struct Reader {
    var rest: Slice<UnsafeRawBufferPointer>

    mutating func value() -> ScriptValue {
      switch rest.removeFirst() {
      case UInt8(ascii: "t"): return .boolean(true)
      case UInt8(ascii: "f"): return .boolean(false)
      case UInt8(ascii: "i"): return .integer(load(Int64.self))
      case UInt8(ascii: "d"): return .number(load(Double.self))
      case UInt8(ascii: "s"): return .bytes(text())
      case UInt8(ascii: "l"):
        let list = (0..<load(UInt32.self)).map { _ in value() }
        let fields = (0..<load(UInt32.self)).map { _ in
          (String(decoding: text(), as: UTF8.self), value())
        }
        return .table(list, Dictionary(fields) { $1 })
      default:  // open: `z`, the byte for nothing
        return .nothing
      }
    }

    private mutating func text() -> [UInt8] {
      let count = Int(load(UInt32.self))
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }

    private mutating func load<Value: BitwiseCopyable>(_ type: Value.Type) -> Value {
      defer { rest = rest.dropFirst(MemoryLayout<Value>.size) }
      return UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: type)
    }
  }

  static func item(_ item: Item) -> ScriptValue { .record(fields(of: item)) }

  static func received(_ received: ReceivedItem) -> ScriptValue {
    var fields = fields(of: received.item)
    fields["sender"] = .text(received.sender)
    fields["isEncrypted"] = .boolean(received.isEncrypted)
    fields["isForUnmanagedAccount"] = .boolean(received.isForUnmanagedAccount)
    return .record(fields)
  }

  /// Returns an item that is offered to an extension, with the attachments that the extension can load.
  static func offered(_ item: ExtensionItem) -> ScriptValue {
    var fields: [String: ScriptValue] = [
      "attachments": .list(
        item.attachments.map { attachment in
          .record([
            "name": .text(orNothing: attachment.suggestedName),
            "types": .list(attachment.registeredTypeIdentifiers.map { .text($0) }),
          ])
        })
    ]
    if let title = item.attributedTitle { fields["title"] = .text(title) }
    if let text = item.attributedContentText { fields["text"] = .text(text) }
    return .record(fields)
  }

  private static func fields(of item: Item) -> [String: ScriptValue] {
    var fields: [String: ScriptValue] = ["type": .text(item.type)]
    if let name = item.name { fields["name"] = .text(name) }
    // Text is passed once, as `text`; only other content is passed as `data`.
    fields[item.text == nil ? "data" : "text"] = .bytes(item.bytes)
    if let tag = item.tag {
      fields["tag"] = .tag(tag)
      if !tag.ownerUPN.isEmpty { fields["owner"] = .text(tag.ownerUPN) }
      fields["isManaged"] = .boolean(tag.isManaged)
    }
    return fields
  }

  private static func tag(_ tag: OwnershipTag) -> ScriptValue {
    .record([
      "owner": .text(tag.ownerUPN), "objectId": .text(tag.ownerObjectID),
      "tenant": .text(tag.ownerTenantID), "isManaged": .boolean(tag.isManaged),
      "origin": .text(tag.originApp), "device": .text(tag.device),
      "sequence": .integer(Int64(bitPattern: tag.sequence)), "seal": .bytes(tag.seal),
    ])
  }

  static func outcome(_ outcome: RequestOutcome) -> ScriptValue {
    .record([
      "verdict": .text(outcome.verdict.rawValue), "ended": .text(outcome.end.rawValue),
      "isDelivered": .boolean(outcome.end == .delivered || outcome.end == .deliveredEncrypted),
      "reasons": .list(outcome.reasons.map { Self.reason($0) }),
      "status": .integer(Int64(outcome.status)),
      "items": .list(outcome.items.map { Self.item($0) }),
    ])
  }

  private static func reason(_ reason: OutcomeReason) -> ScriptValue {
    var fields: [String: ScriptValue] = ["rule": .text(reason.rule), "side": .text(reason.side)]
    if !reason.setting.isEmpty { fields["setting"] = .text(reason.setting) }
    return .record(fields)
  }

  static func owner(_ owner: FileOwner?) -> ScriptValue {
    guard let owner else { return .nothing }
    return .record([
      "account": .text(owner.accountId), "isManaged": .boolean(owner.isManaged),
    ])
  }

  static func error(_ error: ProtectedFileError) -> ScriptValue {
    .record(["code": .integer(Int64(error.code.rawValue)), "text": .text(error.description)])
  }
}

extension Item {
  /// Reads an item from a string, or from a table with `text` or `data` and optional `type`, `name`
  /// and `tag`. Returns nil for other values.
  ///
  /// - Throws: ``ScriptMisuse`` if `tag` is malformed.
  init?(_ value: ScriptValue) throws(ScriptMisuse) {
    switch value {
    case .bytes(let bytes): self.init(type: Item.plainText, payload: .inline(bytes))
    case .table:
      let type = value["type"].text
      let name = value["name"].text
      let tag = try OwnershipTag(orNothing: value["tag"])
      if case .bytes(let bytes) = value["text"] {
        self.init(type: type ?? Item.plainText, name: name, payload: .inline(bytes), tag: tag)
      } else if case .bytes(let bytes) = value["data"] {
        self.init(type: type ?? "public.data", name: name, payload: .inline(bytes), tag: tag)
      } else {
        return nil
      }
    case .nothing, .boolean, .integer, .number: return nil
    }
  }

  /// The total length in bytes of the item's type and name. The host counts both against its limit.
  var nameLength: Int { type.utf8.count + (name?.utf8.count ?? 0) }
}

extension OwnershipTag {
  /// Reads a tag from a script's value; nil for `nothing`. The device checks whether the tag is genuine.
  ///
  /// - Throws: ``ScriptMisuse`` if the tag is malformed.
  fileprivate init?(orNothing value: ScriptValue) throws(ScriptMisuse) {
    if value == .nothing { return nil }
    guard case .table(_, let fields) = value else {
      throw ScriptMisuse("bad field `tag` of an item (table expected, got \(value.kind))")
    }
    let tag = TagFields(fields: fields)
    self.init(
      ownerUPN: try tag.text("owner"), ownerObjectID: try tag.text("objectId"),
      ownerTenantID: try tag.text("tenant"), isManaged: try tag.boolean("isManaged"),
      originApp: try tag.text("origin"), device: try tag.text("device"),
      sequence: try tag.number("sequence"), seal: try tag.bytes("seal"))
  }
}

extension ScriptValue {
  init(_ number: ConfigurationNumber) {
    switch number {
    case .integer(let number): self = .integer(Int64(number))
    case .real(let number): self = .number(number)
    }
  }

  init(_ value: ConfigurationValue) {
    switch value {
    case .text(let text): self = .text(text)
    case .integer(let number): self = .integer(Int64(number))
    case .real(let number): self = .number(number)
    case .boolean(let flag): self = .boolean(flag)
    case .list(let values): self = .list(values.map(ScriptValue.init))
    case .dictionary(let values): self = .record(values.mapValues(ScriptValue.init))
    }
  }
}

/// The fields of an item's tag. All are required.
private struct TagFields {
  let fields: [String: ScriptValue]

  func text(_ name: String) throws(ScriptMisuse) -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  func bytes(_ name: String) throws(ScriptMisuse) -> [UInt8] {
    guard case .bytes(let bytes)? = fields[name] else { throw misuse(name, "string") }
    return bytes
  }

  func boolean(_ name: String) throws(ScriptMisuse) -> Bool {
    guard case .boolean(let flag)? = fields[name] else { throw misuse(name, "boolean") }
    return flag
  }

  /// Reads an unsigned number. Lua integers are signed, so the bit pattern is reinterpreted.
  func number(_ name: String) throws(ScriptMisuse) -> UInt64 {
    guard case .integer(let integer)? = fields[name] else { throw misuse(name, "integer") }
    return UInt64(bitPattern: integer)
  }

  private func misuse(_ name: String, _ expected: String) -> ScriptMisuse {
    let kind = (fields[name] ?? .nothing).kind
    return ScriptMisuse(
      "bad field `\(name)` of an item's tag (\(expected) expected, got \(kind))")
  }
}
