/// The differences between strings that a comparison disregards.
package struct TextOptions: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  /// Options with the given bits.
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// `c`: case.
  package static let caseInsensitive = TextOptions(rawValue: 1)
  /// `d`: accents.
  package static let diacriticInsensitive = TextOptions(rawValue: 2)

  /// Reads the letters between the brackets of `[cd]`; nil for other letters.
  package init?(letters: String) {
    self = []
    for letter in letters {
      switch letter {
      case "c", "C": insert(.caseInsensitive)
      case "d", "D": insert(.diacriticInsensitive)
      default:  // open: any other letter
        return nil
      }
    }
  }
}
