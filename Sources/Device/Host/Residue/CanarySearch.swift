internal import Encodings

/// Searches a stream of bytes for many needles at once (Aho and Corasick, 1975).
///
/// A needle is a sequence of bytes to find. The search first ignores the case of ASCII letters for all needles. If a
/// needle is case-sensitive, each match is then compared exactly.
struct CanarySearch: Sendable {
  let needles: [Needle]
  /// The length of the longest needle, in bytes.
  private let longest: Int
  /// The class of each byte, which selects the column in ``table``. Upper-case and lower-case letters have the same
  /// class; bytes that occur in no needle have class 0.
  fileprivate let classes: [UInt8]
  fileprivate let classCount: Int
  /// The next state, for each state (row) and class of byte (column). A state is stored as the index of its row: its
  /// number times ``classCount``. If needles end in the next state, the bitwise complement of this index is stored.
  fileprivate let table: [Int32]
  /// The needles that end in each state.
  fileprivate let endings: [[Int]]

  init(_ needles: [Needle]) {
    self.needles = needles
    longest = needles.map(\.bytes.count).max() ?? 0
    let used = Set(needles.flatMap { $0.bytes.map(\.folded) }).sorted()
    classes = (0...255).map { byte in
      used.firstIndex(of: UInt8(byte).folded).map { UInt8($0 + 1) } ?? 0
    }
    classCount = used.count + 1
    (table, endings) = Self.build(needles, classes, classCount)
  }

  private static func build(
    _ needles: [Needle], _ classes: [UInt8], _ classCount: Int
  ) -> ([Int32], [[Int]]) {
    var next: [[Int]] = [Array(repeating: -1, count: classCount)]
    var endings: [[Int]] = [[]]
    for (number, needle) in needles.enumerated() {
      var state = 0
      for byte in needle.bytes {
        let kind = Int(classes[Int(byte)])
        if next[state][kind] < 0 {
          next[state][kind] = next.count
          next.append(Array(repeating: -1, count: classCount))
          endings.append([])
        }
        state = next[state][kind]
      }
      endings[state].append(number)
    }
    link(&next, &endings)
    let table = next.joined().map { target in
      let scaled = Int32(target * classCount)
      return endings[target].isEmpty ? scaled : ~scaled
    }
    return (table, endings)
  }

  /// Adds the transitions for bytes that do not continue a needle. They lead to the state for the longest suffix of the
  /// bytes read so far that is a prefix of a needle.
  private static func link(_ next: inout [[Int]], _ endings: inout [[Int]]) {
    var fallback = Array(repeating: 0, count: next.count)
    var queue: [Int] = []
    for kind in next[0].indices {
      if next[0][kind] < 0 { next[0][kind] = 0 } else { queue.append(next[0][kind]) }
    }
    var position = 0
    while position < queue.count {
      let state = queue[position]
      position += 1
      endings[state] += endings[fallback[state]]
      for kind in next[state].indices {
        let other = next[fallback[state]][kind]
        if next[state][kind] < 0 {
          next[state][kind] = other
        } else {
          fallback[next[state][kind]] = other
          queue.append(next[state][kind])
        }
      }
    }
  }

  struct Hit: Hashable, Sendable {
    /// The index of the needle in ``needles``.
    var needle: Int
    /// The offset of the needle's first byte in the stream.
    var offset: Int
  }

  func hits(in bytes: [UInt8]) -> [Hit] {
    var hits: [Hit] = []
    var scan = Scan(self)
    bytes.withUnsafeBytes { scan.search($0) { hits.append($0) } }
    return hits
  }

  /// A search of one stream, which arrives in parts. It also finds needles that begin in one part and end in another.
  struct Scan {
    private let search: CanarySearch
    private var state = 0
    private var offset = 0
    /// The last bytes of the stream, at most as many as the longest needle has. A needle may begin in these bytes and
    /// end in the next part.
    private var tail: [UInt8] = []

    init(_ search: CanarySearch) { self.search = search }

    mutating func search(_ piece: UnsafeRawBufferPointer, found: (Hit) -> Void) {
      guard search.longest > 0, !piece.isEmpty else { return }
      let (search, tail, offset) = (search, tail, offset)
      search.run(piece, from: &state) { state, end in
        for number in search.endings[state / search.classCount] {
          let needle = search.needles[number]
          let start = end - needle.bytes.count
          let isExact =
            needle.ignoresCase
            || needle.bytes.indices.allSatisfy { index in
              let place = start + index
              let byte = place < 0 ? tail[tail.count + place] : piece[place]
              return byte == needle.bytes[index]
            }
          if isExact { found(Hit(needle: number, offset: offset + start)) }
        }
      }
      self.offset += piece.count
      storeTail(piece)
    }

    private mutating func storeTail(_ piece: UnsafeRawBufferPointer) {
      if piece.count >= search.longest {
        tail = Array(piece.suffix(search.longest))
      } else {
        tail = Array((tail + Array(piece)).suffix(search.longest))
      }
    }
  }

  /// Continues the search from `state`. Calls `ended` whenever needles end, with the state and the index after the
  /// needles' last byte.
  private func run(
    _ piece: UnsafeRawBufferPointer, from state: inout Int,
    ended: (_ state: Int, _ end: Int) -> Void
  ) {
    var current = state
    classes.withUnsafeBufferPointer { classes in
      table.withUnsafeBufferPointer { table in
        guard let classes = classes.baseAddress, let table = table.baseAddress,
          let bytes = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        for index in 0..<piece.count {
          let target = table[current &+ Int(classes[Int(bytes[index])])]
          if target >= 0 {
            current = Int(target)
          } else {
            current = Int(~target)
            ended(current, index + 1)
          }
        }
      }
    }
    state = current
  }
}

// MARK: - Canaries and needles

/// A text that must not remain on a device.
struct Canary: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case upn
    case objectID
    /// A text that only the account's data contains.
    case content
  }

  var kind: Kind
  var text: String

  var ignoresCase: Bool { kind != .content }

  /// The text and, if case is ignored, its lower-case and upper-case forms. Base64 encodes each casing differently.
  var spellings: [String] {
    ignoresCase ? [text, text.lowercased(), text.uppercased()] : [text]
  }

  /// The text as reports show it. For a content canary, only the first eight characters are shown, because a report
  /// must not contain the account's data.
  var shown: String {
    guard kind == .content, text.count > 8 else { return text }
    return "\(text.prefix(8))…"
  }
}

/// One encoding of a canary, as the bytes to search for.
struct Needle: Hashable, Sendable {
  enum Encoding: String, Sendable, CaseIterable {
    case utf8
    /// UTF-16 in either byte order. For ASCII text, the needle omits the zero byte at the beginning or end, so it is
    /// the same in both byte orders.
    case utf16
    /// Base64, standard or URL-safe. There is a needle for each of the three positions of the text in a group of three
    /// bytes. Characters that also depend on bytes next to the text are omitted.
    case base64
    case hex
    /// Percent encoding, as used in URLs and forms.
    case percent
  }

  /// The index of the needle's canary.
  var canary: Int
  var encoding: Encoding
  var bytes: [UInt8]
  /// Whether the search ignores the case of ASCII letters.
  var ignoresCase: Bool

  /// The minimum length of a needle in bytes. Shorter needles would have too many random matches.
  static let shortest = 4
}

extension Needle {
  /// Returns all distinct needles of `canary` with at least ``shortest`` bytes.
  static func all(for canary: Canary, number: Int) -> [Needle] {
    var needles: [Needle] = []
    for spelling in canary.spellings {
      let text = Array(spelling.utf8)
      needles.append(Needle(number, .utf8, text, ignoresCase: canary.ignoresCase))
      for bytes in utf16(spelling) {
        needles.append(Needle(number, .utf16, bytes, ignoresCase: canary.ignoresCase))
      }
      for bytes in base64(text) {
        needles.append(Needle(number, .base64, bytes, ignoresCase: false))
      }
      needles.append(Needle(number, .hex, Array(Hexadecimal.text(text).utf8), ignoresCase: true))
      for bytes in percent(text) {
        needles.append(Needle(number, .percent, bytes, ignoresCase: canary.ignoresCase))
      }
    }
    var seen: Set<[UInt8]> = []
    return needles.filter { $0.bytes.count >= shortest && seen.insert($0.bytes).inserted }
  }

  private init(_ canary: Int, _ encoding: Encoding, _ bytes: [UInt8], ignoresCase: Bool) {
    self.init(
      canary: canary, encoding: encoding, bytes: ignoresCase ? bytes.map(\.folded) : bytes,
      ignoresCase: ignoresCase)
  }

  private static func utf16(_ text: String) -> [[UInt8]] {
    let little = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    return [
      little.last == 0 ? little.dropLast() : little, big.first == 0 ? Array(big.dropFirst()) : big,
    ]
  }

  private static func base64(_ text: [UInt8]) -> [[UInt8]] {
    (0..<3).flatMap { shift in
      let values = sextets(Array(repeating: 0, count: shift) + text)
      // Skips characters that contain bits of the preceding bytes.
      let own = values.dropFirst((shift * 8 + 5) / 6)
      return [own.map { Base64.alphabet[$0] }, own.map { Base64.alphabetForURLs[$0] }]
    }
  }

  /// Splits the bytes into groups of six bits, and returns the complete groups.
  private static func sextets(_ bytes: [UInt8]) -> [Int] {
    var values: [Int] = []
    var bits = 0
    var count = 0
    for byte in bytes {
      bits = (bits << 8 | Int(byte)) & 0xFFFF
      count += 8
      while count >= 6 {
        count -= 6
        values.append(bits >> count & 0x3F)
      }
    }
    return values
  }

  /// Returns four percent encodings of the text: each with upper-case or lower-case hexadecimal digits, and with spaces
  /// as `%20` or as `+`. Unreserved characters are not encoded.
  private static func percent(_ text: [UInt8]) -> [[UInt8]] {
    let capitals = text.map { PercentEncoding.encoded([$0]) }
    let small = capitals.map { $0.hasPrefix("%") ? $0.lowercased() : $0 }
    return [capitals, small].flatMap { parts in
      ["+", "%20"].map { space in parts.flatMap { Array(($0 == "%20" ? space : $0).utf8) } }
    }
  }
}

extension UInt8 {
  /// The lower case of an ASCII letter; any other byte is unchanged.
  var folded: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
