/// The set of characters that match at a place of a regular expression.
struct ScalarSet: Sendable {
  /// The ranges, in order and apart from one another once the set is ``inOrder``.
  var ranges: [ClosedRange<Unicode.Scalar>] = []
  var classes: [Shorthand] = []
  var isNegated = false
  var ignoresCase = false

  /// A class of characters.
  ///
  /// Source: ICU User Guide, "Regular Expressions".
  enum Shorthand: Sendable, CaseIterable {
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
      default:  // open: any other letter
        return nil
      }
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .digit: scalar.properties.generalCategory == .decimalNumber
      case .notDigit: !Shorthand.digit.contains(scalar)
      case .word:
        scalar.properties.isAlphabetic || Shorthand.digit.contains(scalar) || scalar.isMark
          || scalar.properties.generalCategory == .connectorPunctuation
          || scalar == "\u{200C}" || scalar == "\u{200D}"
      case .notWord: !Shorthand.word.contains(scalar)
      case .space:
        scalar.properties.isWhitespace && scalar != "\u{0B}" && scalar != "\u{85}"
      case .notSpace: !Shorthand.space.contains(scalar)
      }
    }
  }

  /// `.`: all characters except line breaks.
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

  /// The set in the form that ``contains(_:)`` needs.
  var inOrder: ScalarSet {
    var set = self
    set.ranges = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = set.ranges.last, range.lowerBound <= last.upperBound {
        set.ranges[set.ranges.count - 1] =
          last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        set.ranges.append(range)
      }
    }
    set.classes = Shorthand.allCases.filter(classes.contains)
    return set
  }

  private func isListed(_ scalar: Unicode.Scalar) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
    }
    if low < ranges.count, ranges[low].contains(scalar) { return true }
    return classes.contains { $0.contains(scalar) }
  }

  private func isListedInAnotherCase(_ scalar: Unicode.Scalar) -> Bool {
    [scalar.properties.uppercaseMapping, scalar.properties.lowercaseMapping].contains { mapping in
      mapping.unicodeScalars.count == 1 && mapping.unicodeScalars.allSatisfy(isListed)
    }
  }
}
