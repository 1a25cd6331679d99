internal import Output

/// Reads a binary property list.
///
/// Foundation's reader takes unbounded time for a small list that shares its objects many times,
/// and does not distinguish 1.0 from 1. This reader decodes each object once and limits the size
/// that the list would have without sharing.
///
/// Source: the comment at the top of CFBinaryPList.c.
struct BinaryListReader {
  static let signature = Array("bplist00".utf8)

  /// The maximum number of values in a list. A shared value counts once for each reference to it.
  private static let maximumValues = 200_000
  /// The maximum total size of strings and data, in bytes. A shared value counts once for each reference to it, because
  /// later code visits it that often.
  static let maximumSize = ListText.maximumSize

  /// A decoded object, with the cost of each reference to it.
  private struct Decoded {
    var value: PropertyListValue
    /// The number of values in the object, including the object itself.
    var count: Int
    /// The total size of the strings and data in the object, in bytes.
    var size: Int
    /// The number of nesting levels below the object.
    var height: Int
  }

  private let bytes: [UInt8]
  private let file: String
  private let offsets: [Int]
  private let referenceSize: Int
  /// The decoded objects by file offset.
  private var decoded: [Int: Decoded] = [:]
  private var count = 0
  private var size = 0
  /// The greatest depth so far in the object that is being decoded.
  private var deepest = 0
  private var findings: [BundleFinding] = []

  /// Reads a list.
  ///
  /// - Returns: The value and the findings about it. If a key occurs twice, the first value is used, unlike in an XML
  ///   property list.
  /// - Throws: ``BundleError`` if the list is damaged, nested too deeply, or has too many values or bytes.
  ///
  /// Source: `__CFBinaryPlistCreateObjectFiltered` in CFBinaryPList.c of CoreFoundation, which ignores repeated keys.
  static func read(
    _ bytes: [UInt8], file: String
  ) throws(BundleError) -> (value: PropertyListValue, findings: [BundleFinding]) {
    var reader = try BinaryListReader(bytes, file: file)
    guard let top = reader.unsigned(at: bytes.count - 16, size: 8) else { throw reader.damaged }
    return (try reader.value(top, depth: 0), reader.findings)
  }

  private init(_ bytes: [UInt8], file: String) throws(BundleError) {
    self.bytes = bytes
    self.file = file
    let cut = BundleError(file: file, message: "the binary property list is truncated or damaged")
    guard bytes.count >= Self.signature.count + 32 else { throw cut }
    let trailer = bytes.count - 32
    let offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard let objects = Self.unsigned(bytes, at: trailer + 8, size: 8),
      let table = Self.unsigned(bytes, at: trailer + 24, size: 8),
      (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      objects <= bytes.count, table <= trailer, table + objects * offsetSize <= trailer
    else { throw cut }
    var offsets: [Int] = []
    offsets.reserveCapacity(objects)
    for index in 0..<objects {
      let place = table + index * offsetSize
      guard let offset = Self.unsigned(bytes, at: place, size: offsetSize), offset < table else {
        throw cut
      }
      offsets.append(offset)
    }
    self.offsets = offsets
  }

  private mutating func value(
    _ index: Int, depth: Int
  ) throws(BundleError) -> PropertyListValue {
    guard offsets.indices.contains(index) else { throw damaged }
    let place = offsets[index]
    if let known = decoded[place] {
      try spend(values: known.count, bytes: known.size, depth: depth + known.height)
      return known.value
    }
    let before = (count: count, size: size, deepest: deepest)
    deepest = depth
    try spend(values: 1, depth: depth)
    let value = try object(at: place, depth: depth)
    decoded[place] = Decoded(
      value: value, count: count - before.count, size: size - before.size, height: deepest - depth)
    deepest = max(deepest, before.deepest)
    return value
  }

  private mutating func spend(
    values: Int = 0, bytes: Int = 0, depth: Int = 0
  ) throws(BundleError) {
    guard depth <= PropertyList.maximumDepth else {
      throw error("the list has more than \(PropertyList.maximumDepth) levels of nesting")
    }
    deepest = max(deepest, depth)
    count += values
    guard count <= Self.maximumValues else {
      throw error("the list has more than \(Self.maximumValues) values")
    }
    size += bytes
    guard size <= Self.maximumSize else {
      throw error(
        "the texts and data in the list exceed \(Self.maximumSize) bytes; a value that is used several times counts each time"
      )
    }
  }

  private mutating func object(
    at place: Int, depth: Int
  ) throws(BundleError) -> PropertyListValue {
    let marker = bytes[place]
    switch marker {
    case 0x08: return PropertyListValue(.boolean(false))
    case 0x09: return PropertyListValue(.boolean(true))
    case 0x10...0x14: return PropertyListValue(.integer(try integer(at: place)))
    case 0x22, 0x23, 0x33: return PropertyListValue(try real(at: place))
    default:  // open: the markers with a length, and unknown ones
      break
    }
    let (length, start) = try length(at: place)
    switch marker >> 4 {
    case 0x4:
      let data = Array(try slice(start, length))
      StepCounter.add(data.count)
      try spend(bytes: data.count)
      return PropertyListValue(.data(data))
    case 0x5, 0x6:
      let text = try string(marker, start, length)
      StepCounter.add(text.utf8.count)
      try spend(bytes: text.utf8.count)
      return PropertyListValue(.string(text))
    case 0xA:
      var elements: [PropertyListValue] = []
      for number in 0..<length {
        elements.append(try value(reference(start, number), depth: depth + 1))
      }
      return PropertyListValue(.array(elements))
    case 0xD: return try dictionary(start, length, depth: depth)
    default:  // open: any other marker
      throw error("the list contains a value of the unknown kind \(marker)")
    }
  }

  private mutating func dictionary(
    _ start: Int, _ length: Int, depth: Int
  ) throws(BundleError) -> PropertyListValue {
    var entries: [PropertyListDictionary.Entry] = []
    var keys: Set<String> = []
    for number in 0..<length {
      let key = try value(reference(start, number), depth: depth + 1)
      guard let name = key.string else {
        throw error("a key of a dictionary must be a string, found \(key.noun)")
      }
      let value = try value(reference(start, length + number), depth: depth + 1)
      guard keys.insert(name).inserted else {
        findings.append(
          BundleFinding(
            .repeatedKey, file: file, at: nil,
            "the key `\(name)` occurs twice; in a binary property list, the first value is used"))
        continue
      }
      entries.append(.init(key: name, keyRange: 0..<0, value: value))
    }
    return PropertyListValue(.dictionary(PropertyListDictionary(entries)))
  }

  private func integer(at place: Int) throws(BundleError) -> Int {
    let size = 1 << Int(bytes[place] & 0xF)
    // A 16-byte integer holds an unsigned 64-bit number; its upper half is zero.
    let start = place + 1 + max(0, size - 8)
    let pattern = try slice(start, min(size, 8)).reduce(0) { $0 << 8 | UInt64($1) }
    if size == 16 {
      let upper = try slice(place + 1, 8)
      guard pattern <= UInt64(Int.max), upper.allSatisfy({ $0 == 0 }) else {
        throw error("an integer beyond 64 bits")
      }
    }
    // Shorter integers are unsigned.
    return Int(truncatingIfNeeded: pattern)
  }

  private func real(at place: Int) throws(BundleError) -> PropertyListValue.Kind {
    let size = bytes[place] == 0x22 ? 4 : 8
    let pattern = try slice(place + 1, size).reduce(0) { $0 << 8 | UInt64($1) }
    let number =
      size == 4
      ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern))) : Double(bitPattern: pattern)
    return bytes[place] == 0x33 ? .date(number) : .real(number)
  }

  private func string(
    _ marker: UInt8, _ start: Int, _ length: Int
  ) throws(BundleError) -> String {
    if marker >> 4 == 0x5 { return String(decoding: try slice(start, length), as: UTF8.self) }
    guard length <= bytes.count else { throw damaged }
    let stored = Array(try slice(start, 2 * length))
    let units = stride(from: 0, to: stored.count, by: 2).map {
      UInt16(stored[$0]) << 8 | UInt16(stored[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Returns the length of the object whose marker byte is at `place`, and the offset of its content.
  private func length(at place: Int) throws(BundleError) -> (length: Int, start: Int) {
    let short = Int(bytes[place] & 0xF)
    guard short == 0xF else { return (short, place + 1) }
    guard place + 1 < bytes.count, bytes[place + 1] & 0xF0 == 0x10, bytes[place + 1] & 0xF <= 3
    else { throw damaged }
    let size = 1 << Int(bytes[place + 1] & 0xF)
    guard let length = unsigned(at: place + 2, size: size), length <= bytes.count else {
      throw damaged
    }
    return (length, place + 2 + size)
  }

  private func reference(_ start: Int, _ number: Int) throws(BundleError) -> Int {
    guard let index = unsigned(at: start + number * referenceSize, size: referenceSize) else {
      throw damaged
    }
    return index
  }

  private func slice(_ start: Int, _ count: Int) throws(BundleError) -> ArraySlice<UInt8> {
    guard start >= 0, count >= 0, start <= bytes.count, count <= bytes.count - start else {
      throw damaged
    }
    return bytes[start..<start + count]
  }

  private func unsigned(at place: Int, size: Int) -> Int? {
    Self.unsigned(bytes, at: place, size: size)
  }

  /// Returns the big-endian number at `place`; nil if its bytes are not all inside the file, or if it is too large for
  /// an offset.
  private static func unsigned(_ bytes: [UInt8], at place: Int, size: Int) -> Int? {
    guard place >= 0, place <= bytes.count, size <= bytes.count - place else { return nil }
    let number = bytes[place..<place + size].reduce(0) { $0 << 8 | UInt64($1) }
    return number <= UInt64(Int32.max) ? Int(number) : nil
  }

  private var damaged: BundleError { error("the binary property list is truncated or damaged") }

  private func error(_ message: String) -> BundleError { BundleError(file: file, message: message) }
}
