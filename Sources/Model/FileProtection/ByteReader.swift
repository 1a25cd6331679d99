/// Takes fields from the front of bytes; throws ``FileProtectionError/Code/cut`` where the bytes end too early.
struct ByteReader {
  let source: [UInt8]
  let path: String
  private(set) var position = 0

  init(_ source: [UInt8], path: String) {
    self.source = source
    self.path = path
  }

  mutating func bytes(_ count: Int) throws(FileProtectionError) -> ArraySlice<UInt8> {
    guard source.count - position >= count else { throw failure(.cut) }
    defer { position += count }
    return source[position..<(position + count)]
  }

  mutating func integer<Integer: FixedWidthInteger>() throws(FileProtectionError) -> Integer {
    let bytes = try bytes(MemoryLayout<Integer>.size)
    return bytes.withUnsafeBytes { Integer(littleEndian: $0.loadUnaligned(as: Integer.self)) }
  }

  func failure(_ code: FileProtectionError.Code) -> FileProtectionError {
    FileProtectionError(code, path: path)
  }
}

extension [UInt8] {
  mutating func append(littleEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
