/// The description of a member of an event, or of an object within one.
package struct JournalMember: Sendable {
  package let name: String
  package let shape: Shape
  package let meaning: Meaning
  /// Whether the member is left out where it has nothing to say.
  package let isOptional: Bool

  /// The kind of JSON value of the member.
  package indirect enum Shape: Sendable {
    case text, number, flag
    case word([String])
    case list(of: Shape)
    case object(JournalObjectRow)
    /// An object whose members another format declares.
    case anyObject
  }

  /// The meaning of the member; a string literal is its summary.
  package struct Meaning: Sendable, ExpressibleByStringLiteral {
    /// The summary, lower case, no full stop.
    package let summary: String
    /// All words that the text, or each text of the list, can be; nil where any can.
    package let words: [String]?
    /// The bounds of the number, or the least count of a list; nil where there is none.
    package let minimum: Int?, maximum: Int?

    private init(
      _ summary: String, words: [String]? = nil, minimum: Int? = nil, maximum: Int? = nil
    ) {
      self.summary = summary
      self.words = words
      self.minimum = minimum
      self.maximum = maximum
    }

    /// A meaning with a summary alone.
    package init(stringLiteral summary: String) { self.init(summary) }

    /// One of a few words, for which the code has no type.
    static func word(_ summary: String, _ words: String...) -> Meaning {
      Meaning(summary, words: words)
    }

    /// A number of at least `minimum`, or a list of at least as many elements.
    static func count(_ summary: String, from minimum: Int = 1) -> Meaning {
      Meaning(summary, minimum: minimum)
    }

    static func number(_ summary: String, in range: ClosedRange<Int>) -> Meaning {
      Meaning(summary, minimum: range.lowerBound, maximum: range.upperBound)
    }
  }
}
