internal import Encodings

/// A way to write a canary, as the bytes to look for.
struct Needle: Hashable, Sendable {
  /// The encoding of the canary's text in the bytes.
  enum Encoding: String, Sendable, CaseIterable {
    case utf8
    /// UTF-16 in either byte order: without the outermost zero byte both are the same for ASCII.
    case utf16
    /// Base64 in one of the three alignments, without characters that depend on the bytes around, plain or for URLs.
    case base64
    case hex
    /// Percent encoding, as in URLs and forms.
    case percent
  }

  /// Index of the canary that the needle stands for.
  var canary: Int
  var encoding: Encoding
  var bytes: [UInt8]
  /// Whether ASCII letters count in either casing.
  var ignoresCase: Bool

  /// Minimum length in bytes: shorter needles would be found in everything.
  static let shortest = 4
}

extension Needle {
  /// All ways to write `canary`, each once; those of less than ``shortest`` bytes are left out.
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
      // Characters with bits of the preceding bytes are not the canary's alone.
      let own = values.dropFirst((shift * 8 + 5) / 6)
      return [own.map { Base64.alphabet[$0] }, own.map { Base64.alphabetForURLs[$0] }]
    }
  }

  /// The groups of six bits, without a last one that is not full.
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

  /// The text in percent encoding: with upper- and lower-case digits, a space as `%20` and as `+`, unreserved
  /// characters as they are.
  private static func percent(_ text: [UInt8]) -> [[UInt8]] {
    let capitals = text.map { PercentEncoding.encoded([$0]) }
    let small = capitals.map { $0.hasPrefix("%") ? $0.lowercased() : $0 }
    return [capitals, small].flatMap { parts in
      ["+", "%20"].map { space in parts.flatMap { Array(($0 == "%20" ? space : $0).utf8) } }
    }
  }
}

extension UInt8 {
  /// The lower case of an ASCII letter; every other byte as it is.
  var folded: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
