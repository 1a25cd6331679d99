/// Numbers for characters, by which each is compared in one step however many marks it has.
struct CharacterNumbers: Sendable {
  /// The numbers of characters with marks; the number of one without is its scalar's value.
  private var numbers: [[Unicode.Scalar]: UInt32] = [:]

  /// The first number of a character with marks, beyond all scalars.
  private static let first: UInt32 = 0x11_0000
  /// The number of characters with marks that have none of their own.
  private static let other = UInt32.max

  /// The numbers of the characters of a text that others are compared with.
  mutating func number(_ scalars: [Unicode.Scalar]) -> [UInt32] {
    Self.characters(of: scalars) { character in
      let next = Self.first + UInt32(numbers.count)
      let number = numbers[character] ?? next
      numbers[character] = number
      return number
    }
  }

  /// The numbers of the characters of another text.
  func numbers(of scalars: [Unicode.Scalar]) -> [UInt32] {
    Self.characters(of: scalars) { numbers[$0] ?? Self.other }
  }

  /// - Parameter numbered: gives the number of a character with marks.
  private static func characters(
    of scalars: [Unicode.Scalar], numbered: ([Unicode.Scalar]) -> UInt32
  ) -> [UInt32] {
    var characters: [UInt32] = []
    characters.reserveCapacity(scalars.count)
    var start = 0
    while start < scalars.count {
      var end = start + 1
      while end < scalars.count, scalars[end].isMark { end += 1 }
      characters.append(
        end == start + 1 ? scalars[start].value : numbered(Array(scalars[start..<end])))
      start = end
    }
    return characters
  }
}
