/// The notation of a language's predicates, where languages differ.
package struct PredicateDialect: Sendable {
  /// The differences between notations.
  package struct Traits: OptionSet, Sendable {
    package let rawValue: Int

    /// Traits with the given bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Columns and offsets count Unicode scalars, and each scalar is a character.
    package static let scalars = Traits(rawValue: 1)
    /// Words with `-` between letters, as `UTI-EQUALS`.
    package static let hyphenatedWords = Traits(rawValue: 2)
    /// `1.5`
    package static let realNumbers = Traits(rawValue: 4)
    /// `$1`
    package static let numberedVariables = Traits(rawValue: 8)
    /// `{…}` holds any operands; without the trait literals, with or without a comma after the last.
    package static let listsOfOperands = Traits(rawValue: 16)
    /// Operands and the predicates of subqueries count as levels of nesting; without the trait subqueries do.
    package static let levelsOfOperands = Traits(rawValue: 32)
  }

  /// The noun by which messages call a predicate.
  package let noun: String
  /// The limit on the length, in bytes of UTF-8.
  package let maximumLength: Int
  /// The limit on the nesting of brackets, `NOT` and subqueries.
  package let maximumDepth: Int
  /// The operators, in the order in which a misspelt one is looked for.
  package let operators: [PredicateOperator]
  private let traits: Traits

  /// A dialect with the given limits and operators.
  package init(
    noun: String, maximumLength: Int, maximumDepth: Int, traits: Traits,
    operators: [PredicateOperator]
  ) {
    self.noun = noun
    self.maximumLength = maximumLength
    self.maximumDepth = maximumDepth
    self.traits = traits
    self.operators = operators
  }

  func has(_ trait: Traits) -> Bool { traits.contains(trait) }
}
