/// All that is said of a member of an event, or of an object within one.
package struct JournalMember: Sendable {
  package let name: String
  package let shape: Shape
  package let meaning: Meaning
  /// Whether it is left out where it has nothing to say.
  package let isOptional: Bool

  /// What JSON it is.
  package indirect enum Shape: Sendable {
    case text, number, flag
    case word([String])
    case list(of: Shape)
    case object(JournalObjectRow)
  }

  /// What it says. A plain text will do.
  package struct Meaning: Sendable, ExpressibleByStringLiteral {
    /// Lower case, no full stop.
    package let summary: String
    /// All words that the text, or each text of the list, can be; nil: any.
    package let words: [String]?
    /// The bounds of the number, or the least count of a list; nil: none.
    package let minimum: Int?, maximum: Int?

    private init(
      _ summary: String, words: [String]? = nil, minimum: Int? = nil, maximum: Int? = nil
    ) {
      self.summary = summary
      self.words = words
      self.minimum = minimum
      self.maximum = maximum
    }

    package init(stringLiteral summary: String) { self.init(summary) }

    /// One of a few words, for which the code has no type.
    static func word(_ summary: String, _ words: String...) -> Meaning {
      Meaning(summary, words: words)
    }

    /// A number of at least so much, or a list of at least so many.
    static func count(_ summary: String, from minimum: Int = 1) -> Meaning {
      Meaning(summary, minimum: minimum)
    }

    static func number(_ summary: String, in range: ClosedRange<Int>) -> Meaning {
      Meaning(summary, minimum: range.lowerBound, maximum: range.upperBound)
    }
  }
}
