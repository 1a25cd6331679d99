/// Looks for a sequence in others, in time proportional to the length of both (Knuth, Morris, Pratt 1977).
struct TextSearch: Sendable {
  let part: [UInt32]
  /// For each length of a beginning of `part`, the length of its longest proper beginning that is also its end.
  private let borders: [Int]

  init(_ part: [UInt32]) {
    self.part = part
    var borders = Array(repeating: 0, count: part.count + 1)
    var length = 0
    for index in part.indices.dropFirst() {
      while length > 0, part[index] != part[length] { length = borders[length] }
      if part[index] == part[length] { length += 1 }
      borders[index + 1] = length
    }
    self.borders = borders
  }

  /// The end of the first occurrence of the part; nil where there is none.
  func firstEnd(in text: ArraySlice<UInt32>, _ work: inout Work) -> Int? {
    guard !part.isEmpty else { return text.startIndex }
    var length = 0
    for index in text.indices {
      work.charge(characters: 1)
      while length > 0, text[index] != part[length] {
        length = borders[length]
        work.charge(characters: 1)
      }
      if text[index] == part[length] { length += 1 }
      if length == part.count { return index + 1 }
    }
    return nil
  }
}
