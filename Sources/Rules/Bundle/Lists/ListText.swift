internal import Encodings

/// The text of an XML property list in UTF-8, and the encoding of the file it came from.
struct ListText: Sendable {
  enum Encoding: Sendable, Equatable {
    case utf8, utf8WithMark, latin1
    case utf16(bigEndian: Bool, hasMark: Bool)
  }

  /// The text in UTF-8, without byte order mark.
  let bytes: [UInt8]
  let encoding: Encoding
  /// The offsets at which lines begin, except the first line.
  private let lineStarts: [Int]
  /// The number of scalars before each block of ``blockSize`` bytes. With these counts, computing a column takes
  /// constant time even in long lines.
  private let scalarCounts: [Int]

  /// The maximum size of a list, in bytes. Lists are read into memory; real lists are far smaller.
  static let maximumSize = 64 << 20

  init(bytes: [UInt8], encoding: Encoding) {
    self.bytes = bytes
    self.encoding = encoding
    lineStarts = Self.lineStarts(in: bytes)
    scalarCounts = Self.scalarCounts(in: bytes)
  }

  /// Converts a stored list to UTF-8.
  ///
  /// - Throws: ``BundleError`` if the text is too long.
  init(_ stored: [UInt8], file: String) throws(BundleError) {
    guard stored.count <= Self.maximumSize else {
      throw BundleError(
        file: file,
        message: "the property list has \(stored.count) bytes; the maximum is \(Self.maximumSize)")
    }
    encoding = Self.encoding(of: stored)
    switch encoding {
    case .utf8: bytes = stored
    case .utf8WithMark: bytes = Array(stored.dropFirst(3))
    case .latin1: bytes = stored.flatMap { Array(String(Unicode.Scalar($0)).utf8) }
    case .utf16(let bigEndian, let hasMark):
      let units = Self.units(of: stored.dropFirst(hasMark ? 2 : 0), bigEndian: bigEndian)
      bytes = Array(String(decoding: units, as: UTF16.self).utf8)
    }
    lineStarts = Self.lineStarts(in: bytes)
    scalarCounts = Self.scalarCounts(in: bytes)
  }

  /// Checks that the text may be XML, so the author of another kind of file gets a helpful error.
  ///
  /// - Throws: ``BundleError`` if the text does not start like XML.
  func checkForm(file: String) throws(BundleError) {
    guard let start = bytes.firstIndex(where: { !" \t\r\n".utf8.contains($0) }) else {
      throw BundleError(file: file, message: "not a property list")
    }
    switch bytes[start] {
    case UInt8(ascii: "<"): return
    case UInt8(ascii: "{"), UInt8(ascii: "("):
      throw BundleError(
        file: file,
        message: "not an XML or binary property list; `plutil -convert xml1 "
          + "\(file.quotedForShell)` converts an old-style or JSON list")
    default:  // open: any other byte
      break
    }
    guard let refusal = preprocessorRefusal(at: start, file: file) else {
      throw BundleError(file: file, message: "not a property list")
    }
    let place = position(of: start)
    throw BundleError(file: file, line: place.line, column: place.column, message: refusal)
  }

  private static let directives: Set<String> = [
    "if", "ifdef", "ifndef", "elif", "else", "endif", "define", "undef", "include", "import",
    "error", "warning", "pragma", "line",
  ]

  /// Returns the error message if a preprocessor directive, such as `#ifdef DEBUG`, begins at the offset; otherwise
  /// nil. Xcode runs its preprocessor on such lists during the build.
  ///
  /// Source: Xcode, "Build settings reference", Preprocess Info.plist File; GCC, "The C Preprocessor".
  func preprocessorRefusal(at offset: Int, file: String) -> String? {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    guard bytes[offset] == UInt8(ascii: "#"),
      bytes[lineStart(of: offset)..<offset].allSatisfy(isBlank)
    else { return nil }
    let letters = bytes[(offset + 1)...].drop(while: isBlank).prefix {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
    }
    let name = String(decoding: letters, as: UTF8.self)
    guard Self.directives.contains(name) else { return nil }
    return "`#\(name)` is for Xcode's preprocessor (`INFOPLIST_PREPROCESS`); run it first: "
      + "`clang -E -P -x c -traditional-cpp -D NAME=VALUE \(file.quotedForShell) | sluice bundle lint -`"
  }

  /// Converts `utf8` to the encoding of the file. In a Latin-1 file, characters outside Latin-1 become `?` unless
  /// callers escape them.
  func stored(_ utf8: [UInt8]) -> [UInt8] {
    switch encoding {
    case .utf8: return utf8
    case .utf8WithMark: return [0xEF, 0xBB, 0xBF] + utf8
    case .latin1:
      return String(decoding: utf8, as: UTF8.self).unicodeScalars.map {
        UInt8(exactly: $0.value) ?? UInt8(ascii: "?")
      }
    case .utf16(let bigEndian, let hasMark):
      let units = (hasMark ? [0xFEFF] : []) + Array(String(decoding: utf8, as: UTF8.self).utf16)
      return units.flatMap { unit in
        let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        return bigEndian ? pair : pair.reversed()
      }
    }
  }

  func position(of offset: Int) -> Position {
    let end = min(offset, bytes.count)
    let number = lineNumber(of: end)
    return Position(
      line: number + 1, column: scalars(before: end) - scalars(before: start(ofLine: number)) + 1)
  }

  func lineStart(of offset: Int) -> Int { start(ofLine: lineNumber(of: offset)) }

  /// Returns the line number, from 0.
  private func lineNumber(of offset: Int) -> Int {
    var lines = 0..<lineStarts.count
    while !lines.isEmpty {
      let middle = lines.lowerBound + lines.count / 2
      if lineStarts[middle] <= offset {
        lines = middle + 1..<lines.upperBound
      } else {
        lines = lines.lowerBound..<middle
      }
    }
    return lines.lowerBound
  }

  private func start(ofLine number: Int) -> Int { number == 0 ? 0 : lineStarts[number - 1] }

  private func scalars(before offset: Int) -> Int {
    let block = offset / Self.blockSize
    StepCounter.add(offset - block * Self.blockSize + 1)
    return scalarCounts[block]
      + bytes[block * Self.blockSize..<offset].count(where: Self.beginsScalar)
  }

  private static let blockSize = 128

  /// Returns whether the byte begins a scalar, that is, whether it is not a continuation byte.
  private static func beginsScalar(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }

  private static func scalarCounts(in bytes: [UInt8]) -> [Int] {
    var counts = [0]
    var count = 0
    for (index, byte) in bytes.enumerated() {
      if beginsScalar(byte) { count += 1 }
      if (index + 1) % blockSize == 0 { counts.append(count) }
    }
    return counts
  }

  /// Returns the offsets at which lines begin, except the first line. Lines end with LF, CR or CRLF.
  private static func lineStarts(in bytes: [UInt8]) -> [Int] {
    bytes.indices.filter { index in
      bytes[index] == 0x0A
        || bytes[index] == 0x0D && (index + 1 >= bytes.count || bytes[index + 1] != 0x0A)
    }.map { $0 + 1 }
  }

  var newline: String {
    guard let index = bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return "\n" }
    if bytes[index] == 0x0A { return "\n" }
    return index + 1 < bytes.count && bytes[index + 1] == 0x0A ? "\r\n" : "\r"
  }

  private static func encoding(of stored: [UInt8]) -> Encoding {
    if stored.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8WithMark }
    if stored.starts(with: [0xFE, 0xFF]) { return .utf16(bigEndian: true, hasMark: true) }
    if stored.starts(with: [0xFF, 0xFE]) { return .utf16(bigEndian: false, hasMark: true) }
    if stored.starts(with: [0x00, 0x3C]) { return .utf16(bigEndian: true, hasMark: false) }
    if stored.starts(with: [0x3C, 0x00]) { return .utf16(bigEndian: false, hasMark: false) }
    let declaration = String(decoding: stored.prefix(120), as: UTF8.self).lowercased()
    guard declaration.hasPrefix("<?xml"), let end = declaration.firstRange(of: "?>") else {
      return .utf8
    }
    let attributes = declaration[..<end.lowerBound]
    let isLatin1 = ["iso-8859-1", "latin1", "latin-1"].contains { attributes.contains($0) }
    return isLatin1 ? .latin1 : .utf8
  }

  private static func units(of stored: ArraySlice<UInt8>, bigEndian: Bool) -> [UInt16] {
    stride(from: stored.startIndex, to: stored.endIndex - 1, by: 2).map { index in
      let (first, second) = (UInt16(stored[index]), UInt16(stored[index + 1]))
      return bigEndian ? first << 8 | second : second << 8 | first
    }
  }
}
