/// Typographic characters that word processors put where a predicate needs plain ones.
package enum Quotation {
  private static let double: Set<Character> = ["“", "”", "„", "‟", "«", "»", "″", "＂"]
  private static let single: Set<Character> = ["‘", "’", "‚", "‛", "‹", "›", "′", "＇"]
  private static let hyphens: Set<Character> = ["‐", "‑", "‒", "–", "—", "−"]

  /// Whether the character is a typographic quotation mark.
  package static func isQuotationMark(_ character: Character) -> Bool {
    double.contains(character) || single.contains(character)
  }

  /// Whether the character is a typographic hyphen.
  package static func isHyphen(_ character: Character) -> Bool { hyphens.contains(character) }

  /// The plain quotation mark to type instead.
  package static func straight(_ character: Character) -> String {
    double.contains(character) ? "\"" : "'"
  }

  /// The words by which messages call `character`.
  package static func words(for character: Character) -> String {
    if isQuotationMark(character) { return "the typographic quotation mark `\(character)`" }
    if isHyphen(character) { return "the typographic hyphen `\(character)`" }
    let isVisible = character.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned: false
      default:  // open: any other category
        true
      }
    }
    guard !isVisible, let scalar = character.unicodeScalars.first else { return "`\(character)`" }
    return "the character U+" + hexadecimal(scalar.value)
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
