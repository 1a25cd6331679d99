// The format is documented in CScript/values.c.

extension ScriptValue {
  /// Appends the value in the form that the script reads.
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

  /// All values in `bytes`, which CScript has written.
  static func all(in bytes: UnsafeRawBufferPointer) -> [ScriptValue] {
    var reader = Reader(rest: bytes[...])
    var values: [ScriptValue] = []
    while !reader.rest.isEmpty { values.append(reader.value()) }
    return values
  }

  /// Reads bytes that the same process has written: a broken format is a programming error.
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
}
