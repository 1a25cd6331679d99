/// How the predicates of a language are written, where not all are written alike.
package struct PredicateDialect: Sendable {
  package struct Traits: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Columns and offsets count Unicode scalars, each a character of its own.
    package static let scalars = Traits(rawValue: 1)
    /// Words with `-` between letters, as `UTI-EQUALS`.
    package static let hyphenatedWords = Traits(rawValue: 2)
    /// `1.5`
    package static let realNumbers = Traits(rawValue: 4)
    /// `$1`
    package static let numberedVariables = Traits(rawValue: 8)
    /// `{…}` holds any operands; else literals, with or without a comma behind the last.
    package static let listsOfOperands = Traits(rawValue: 16)
    /// Whether a bracket holds an operand is decided by what stands behind it, an operator or a key; else by what was
    /// read in it. What is right is read alike; messages point elsewhere.
    package static let bracketsByWhatFollows = Traits(rawValue: 32)
    /// Operands and the predicates of subqueries count as levels of nesting; else subqueries.
    package static let levelsOfOperands = Traits(rawValue: 64)
  }

  /// What messages call a predicate.
  package let noun: String
  /// In bytes of UTF-8.
  package let maximumLength: Int
  /// How deep brackets, `NOT` and subqueries may nest.
  package let maximumDepth: Int
  /// In the order in which one that is nearly right is looked for.
  package let operators: [PredicateOperator]
  private let traits: Traits

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
