/// Which characters stand at a place of a regular expression.
struct ScalarSet: Sendable {
  var ranges: [ClosedRange<Unicode.Scalar>] = []
  var classes: [Shorthand] = []
  var isNegated = false
  var ignoresCase = false

  enum Shorthand: Sendable {
    case digit
    case notDigit
    case word
    case notWord
    case space
    case notSpace

    init?(letter: Unicode.Scalar) {
      switch letter {
      case "d": self = .digit
      case "D": self = .notDigit
      case "w": self = .word
      case "W": self = .notWord
      case "s": self = .space
      case "S": self = .notSpace
      default: return nil
      }
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .digit: scalar.properties.generalCategory == .decimalNumber
      case .notDigit: !Shorthand.digit.contains(scalar)
      case .word:
        scalar.properties.isAlphabetic || Shorthand.digit.contains(scalar)
          || scalar.properties.generalCategory == .connectorPunctuation
      case .notWord: !Shorthand.word.contains(scalar)
      case .space: scalar.properties.isWhitespace
      case .notSpace: !Shorthand.space.contains(scalar)
      }
    }
  }

  /// `.`: all but line breaks.
  static let anything = ScalarSet(
    ranges: ["\n"..."\r", "\u{85}"..."\u{85}", "\u{2028}"..."\u{2029}"], isNegated: true)

  init(
    ranges: [ClosedRange<Unicode.Scalar>] = [], classes: [Shorthand] = [], isNegated: Bool = false
  ) {
    self.ranges = ranges
    self.classes = classes
    self.isNegated = isNegated
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    (isListed(scalar) || ignoresCase && isListedInAnotherCase(scalar)) != isNegated
  }

  private func isListed(_ scalar: Unicode.Scalar) -> Bool {
    ranges.contains { $0.contains(scalar) } || classes.contains { $0.contains(scalar) }
  }

  private func isListedInAnotherCase(_ scalar: Unicode.Scalar) -> Bool {
    [scalar.properties.uppercaseMapping, scalar.properties.lowercaseMapping].contains { mapping in
      mapping.unicodeScalars.count == 1 && mapping.unicodeScalars.allSatisfy(isListed)
    }
  }
}
