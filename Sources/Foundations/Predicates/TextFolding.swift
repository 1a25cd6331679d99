@_spi(_Unicode) internal import Swift

/// Removes from strings the differences that a comparison disregards, and makes canonically equivalent ones
/// alike, as NSString compares.
///
/// The standard library decomposes by an interface that it keeps for Foundation; the pure targets of this package do
/// without Foundation.
struct TextFolding: Sendable {
  private let options: TextOptions

  init(_ options: TextOptions) { self.options = options }

  /// The scalars that are compared.
  func scalars(of text: String) -> [Unicode.Scalar] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.unicodeScalars.map(lowercased) }
    let folded = options.contains(.caseInsensitive) ? Self.foldedCase(of: text) : text
    let scalars = Array(folded._nfd)
    return options.contains(.diacriticInsensitive) ? Self.withoutMarks(scalars) : scalars
  }

  private func lowercased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard options.contains(.caseInsensitive), ("A"..."Z").contains(scalar) else { return scalar }
    return Unicode.Scalar(UInt8(scalar.value) | 0x20)
  }

  /// The text without differences in case; `ß` and `SS` are the same, too. Long texts have few letters many times.
  private static func foldedCase(of text: String) -> String {
    var known: [Unicode.Scalar: String] = [:]
    var folded = ""
    for scalar in text.unicodeScalars {
      if let case_ = known[scalar] {
        folded += case_
      } else {
        let case_ = foldedCase(of: scalar)
        known[scalar] = case_
        folded += case_
      }
    }
    return folded
  }

  private static func foldedCase(of scalar: Unicode.Scalar) -> String {
    // The letter without a dot is none in another case (Unicode, CaseFolding.txt).
    if scalar == "ı" { return "ı" }
    return scalar.properties.lowercaseMapping.uppercased().lowercased()
  }

  /// The scalars in which Latin, Greek and Cyrillic letters have lost their marks. In other scripts marks are letters.
  private static func withoutMarks(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var isPlain = false
    return scalars.filter { scalar in
      if scalar.isMark { return !isPlain }
      isPlain = scalar.value < 0x0510
      return true
    }
  }
}

extension Unicode.Scalar {
  /// Whether the scalar belongs to the character before it: a mark of any kind.
  var isMark: Bool {
    guard value >= 0x300 else { return false }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default:  // open: any other category
      return false
    }
  }
}
