/// Takes out of strings what a comparison disregards.
struct TextFolding: Sendable {
  let options: Comparison.Options

  init(_ options: Comparison.Options) { self.options = options }

  func fold(_ text: String) -> String {
    if options.isEmpty { return text }
    let text = options.contains(.caseInsensitive) ? text.lowercased() : text
    guard options.contains(.diacriticInsensitive), !text.utf8.allSatisfy({ $0 < 0x80 }) else {
      return text
    }
    return String(text.map(Self.withoutMarks))
  }

  /// Latin letters lose one mark as part of the letter, all letters those that follow them.
  private static func withoutMarks(_ character: Character) -> Character {
    let scalars = character.unicodeScalars.filter {
      $0.properties.canonicalCombiningClass == .notReordered
    }
    guard let first = scalars.first else { return character }
    return plain[Character(first)] ?? (scalars.count == 1 ? Character(first) : character)
  }

  /// Characters are equal however they are composed.
  private static let plain: [Character: Character] = {
    var plain: [Character: Character] = [:]
    for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" {
      for value in UInt32(0x300)...0x36F {
        guard let mark = Unicode.Scalar(value) else { continue }
        plain[Character("\(letter)\(mark)")] = letter
      }
    }
    return plain
  }()
}
