/// Finds types by name without regard to case, and without a copy of the name where it is ASCII.
struct NameTable: Sendable {
  /// Indices of types, at the places given by their names' hashes or the next free ones after; -1 where free.
  private var places: [Int32]
  /// The names in lower case, one after the other.
  private var bytes: [UInt8] = []
  /// The end in `bytes` of each name.
  private var ends: [Int32] = []

  /// - Parameter names: in lower case, each once; a name's index is its place.
  init(_ names: [String]) {
    var size = 64
    while size < names.count * 2 { size *= 2 }
    places = Array(repeating: -1, count: size)
    for (index, name) in names.enumerated() {
      bytes += name.utf8
      ends.append(Int32(bytes.count))
      var place = Self.hash(Array(name.utf8).span).hash & (size - 1)
      while places[place] >= 0 { place = (place + 1) & (size - 1) }
      places[place] = Int32(index)
    }
  }

  /// The index of the type; nil where no type has the name.
  func index(of name: String) -> Int? {
    // Strings are stored as contiguous UTF-8 unless they come from elsewhere.
    let found: Int?? =
      name.utf8.withContiguousStorageIfAvailable { buffer in
        let (hash, isASCII) = Self.hash(buffer.span)
        return isASCII ? .some(index(of: buffer.span, hash: hash)) : nil
      } ?? nil
    if let found { return found }
    let folded = Array(name.lowercased().utf8)
    return index(of: folded.span, hash: Self.hash(folded.span).hash)
  }

  private func index(of name: Span<UInt8>, hash: Int) -> Int? {
    var place = hash & (places.count - 1)
    while places[place] >= 0 {
      let index = Int(places[place])
      if isName(index, name) { return index }
      place = (place + 1) & (places.count - 1)
    }
    return nil
  }

  private func isName(_ index: Int, _ name: Span<UInt8>) -> Bool {
    let start = index == 0 ? 0 : Int(ends[index - 1])
    guard Int(ends[index]) - start == name.count else { return false }
    for offset in name.indices where bytes[start + offset] != Self.lowercase(name[offset]) {
      return false
    }
    return true
  }

  /// FNV-1a of the bytes, with upper case letters as lower case ones.
  private static func hash(_ bytes: Span<UInt8>) -> (hash: Int, isASCII: Bool) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var all: UInt8 = 0
    for place in bytes.indices {
      all |= bytes[place]
      hash = (hash ^ UInt64(lowercase(bytes[place]))) &* 0x100_0000_01B3
    }
    return (Int(truncatingIfNeeded: hash ^ hash >> 32), all < 0x80)
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}
