internal import Model
internal import Output
internal import Predicates

/// Parses rules of any dialect.
///
/// Source: Microsoft Learn, "Manage rules for dynamic membership groups", which defines the language.
package struct DirectoryRuleParser {
  private let tokens: [RuleToken]
  private var dialect: RuleDialect
  private var index = 0
  private var depth = 0

  /// The maximum length of a rule, in Unicode scalars.
  static let longest = 3072
  /// The maximum nesting depth of brackets, `-not`, `-any` and `-all`.
  private static let deepest = 64

  /// Parses a rule.
  ///
  /// - Throws: ``RuleError`` with the offset of the error.
  package static func parse(
    _ text: String, as dialect: RuleDialect
  ) throws(RuleError) -> DirectoryRule {
    let count = text.unicodeScalars.count
    guard count <= longest else {
      throw RuleError(
        0, "the rule has \(count) characters, but the maximum in Microsoft Entra is \(longest)")
    }
    var lexer = RuleLexer(text)
    var parser = Self(tokens: try lexer.tokens(), dialect: dialect)
    if dialect.hasCollections, let rule = try parser.directReports() { return rule }
    let rule = try parser.alternatives()
    guard parser.token.kind == .end else {
      throw parser.unexpected("`-and`, `-or` or the end of the rule")
    }
    return rule
  }

  private var token: RuleToken { tokens[index] }

  /// If the current token is `word`, with or without a hyphen before it, moves to the next token and returns true.
  private mutating func takes(_ word: String) -> Bool {
    guard case .word(let text) = token.kind, [word, "-" + word].contains(text.lowercased()) else {
      return false
    }
    index += 1
    return true
  }

  private mutating func takes(symbol: Unicode.Scalar) -> Bool {
    guard token.kind == .symbol(symbol) else { return false }
    index += 1
    return true
  }

  /// Parses a rule of the form `Direct Reports for "…"`, which cannot be combined with other rules. Nil if the rule
  /// does not begin with `Direct`.
  private mutating func directReports() throws(RuleError) -> DirectoryRule? {
    guard takes("direct") else { return nil }
    guard takes("reports"), takes("for") else { throw unexpected("`Direct Reports for \"…\"`") }
    let manager = try value().lowercased()
    guard token.kind == .end else {
      throw unexpected(
        "the end of the rule, because `Direct Reports` cannot be combined with other conditions")
    }
    return .directReports(of: manager)
  }

  // `-not` binds closest, then `-and`, then `-or`.
  private mutating func alternatives() throws(RuleError) -> DirectoryRule {
    var rule = try conjunction()
    while takes("or") { rule = .or(rule, try conjunction()) }
    return rule
  }

  private mutating func conjunction() throws(RuleError) -> DirectoryRule {
    var rule = try term()
    while takes("and") { rule = .and(rule, try term()) }
    return rule
  }

  private mutating func term() throws(RuleError) -> DirectoryRule {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      throw RuleError(token.offset, "the rule has more than \(Self.deepest) levels of nesting")
    }
    if takes("not") { return .not(try term()) }
    guard takes(symbol: "(") else { return try comparison() }
    let rule = try alternatives()
    guard takes(symbol: ")") else { throw unexpected("`)`, `-and` or `-or`") }
    return rule
  }

  private mutating func comparison() throws(RuleError) -> DirectoryRule {
    let attribute = try attribute()
    let place = token.offset
    if let quantifier = quantifier() { return try elements(of: attribute, quantifier, at: place) }
    let supported = dialect.supported(by: attribute)
    guard case .word(let word) = token.kind, let `operator` = RuleOperator(word),
      // A dialect knows an operator only if at least one of its attributes supports it.
      `operator`.isKnown(in: dialect)
    else { throw unexpected("an operator such as `-eq`") }
    guard supported.contains(`operator`) else {
      throw RuleError(
        place,
        "`\(`operator`.spelling)` cannot be used with `\(name(of: attribute))`; expected "
          + spellings(for: attribute))
    }
    index += 1
    return .comparison(
      RuleComparison(
        attribute: attribute, operator: `operator`,
        operand: try operand(of: `operator`, for: attribute)))
  }

  private func name(of attribute: RuleAttribute) -> String {
    attribute.name == RuleAttribute.elementName
      ? attribute.name : "\(dialect.subject).\(attribute.name)"
  }

  /// Returns the operators that the attribute supports, as part of an error message.
  private func spellings(for attribute: RuleAttribute) -> String {
    var spellings = dialect.supported(by: attribute).map(\.spelling)
    if dialect.hasCollections, dialect.elements(of: attribute) != nil {
      spellings += RuleQuantifier.allCases.map { "-\($0.rawValue)" }
    }
    return spellings.map { "`\($0)`" }.joined(separator: ", ")
  }

  // MARK: Collections

  private mutating func quantifier() -> RuleQuantifier? {
    guard dialect.hasCollections else { return nil }
    return RuleQuantifier.allCases.first { takes($0.rawValue) }
  }

  private mutating func elements(
    of attribute: RuleAttribute, _ quantifier: RuleQuantifier, at place: Int
  ) throws(RuleError) -> DirectoryRule {
    guard let elements = dialect.elements(of: attribute) else {
      throw RuleError(
        place,
        "`-\(quantifier.rawValue)` cannot be used with `\(name(of: attribute))`; expected "
          + spellings(for: attribute))
    }
    let outer = dialect
    dialect = elements
    defer { dialect = outer }
    // Learn writes `device.devicePhysicalIds -any _ -eq "x"` without brackets.
    return .elements(of: attribute, quantifier, try term())
  }

  // MARK: Attributes and values

  private mutating func attribute() throws(RuleError) -> RuleAttribute {
    guard case .word(let word) = token.kind else {
      throw unexpected("a property such as `\(dialect.exampleName)`")
    }
    if dialect.subject == RuleAttribute.elementName {
      guard word == RuleAttribute.elementName, let element = dialect.attribute(word) else {
        throw unexpected("`_`, the element")
      }
      index += 1
      return element
    }
    guard word.lowercased().hasPrefix(dialect.subject.lowercased() + ".") else {
      throw unexpected("a property such as `\(dialect.exampleName)`")
    }
    let name = word.dropFirst(dialect.subject.count + 1).lowercased()
    guard let attribute = dialect.attribute(name) else {
      // Some Graph properties have other names in rules.
      let near =
        dialect.subject == RuleDialect.users.subject
        ? RuleDialect.renamed[name] ?? Suggestion.word(for: name, among: dialect.names)
        : Suggestion.word(for: name, among: dialect.names)
      let hint = Suggestion.text(near.map { "\(dialect.subject).\($0)" })
      throw RuleError(token.offset, "\(dialect.noun) have no property `\(word)`" + hint)
    }
    index += 1
    return attribute
  }

  private mutating func operand(
    of operator: RuleOperator, for attribute: RuleAttribute
  ) throws(RuleError) -> RuleComparison.Operand {
    if takes(symbol: "[") {
      guard `operator`.takesList else {
        index -= 1
        throw unexpected("one value (lists need `-in` or `-notIn`)")
      }
      var values = [try value().lowercased()]
      while takes(symbol: ",") { values.append(try value().lowercased()) }
      guard takes(symbol: "]") else { throw unexpected("`,` or `]`") }
      return .texts(values)
    }
    if case .word(let word) = token.kind, ["null", "$null"].contains(word.lowercased()) {
      guard [.eq, .ne].contains(`operator`) else {
        throw unexpected("a value (`null` is allowed only with `-eq` and `-ne`)")
      }
      index += 1
      return .null
    }
    let place = token.offset
    let spelling = try value()
    let value = spelling.lowercased()
    switch attribute.kind {
    case .version:
      guard let version = Version(value) else {
        throw RuleError(place, "`\(value)` is not a version; expected numbers such as `17.2`")
      }
      return .version(version)
    case .date:
      if value == "system.now" {
        if takes("plus") || takes("minus") { _ = try self.value() }
        return .now
      }
      return .date(value.uppercased())
    case .word, .text, .boolean, .collection, .texts, .objects: break
    }
    if `operator` == .match || `operator` == .notMatch {
      do throws(PatternError) {
        let isFolded = spelling.hasPrefix("(?i)")
        return .pattern(try Pattern(findingIn: (isFolded ? "" : "(?i)") + spelling))
      } catch {
        throw RuleError(
          place, "the regular expression `\(spelling)` cannot be read: \(error.message)")
      }
    }
    guard `operator`.takesList else { return .texts([value]) }
    return .texts(
      value.split(separator: ",").map { part in
        part.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      })
  }

  /// Parses a value, in quotation marks or not, and returns it as text.
  private mutating func value() throws(RuleError) -> String {
    switch token.kind {
    case .string(let text):
      index += 1
      return text
    case .word(let word) where word.contains(where: "\u{201C}\u{201D}\u{2018}\u{2019}".contains):
      throw RuleError(
        token.offset, "`\(word)` has typographic quotation marks; use `\"`")
    case .word(let word) where !word.hasPrefix("-"):
      index += 1
      return word
    case .word, .symbol, .end: throw unexpected("a value such as `\"Company\"`")
    }
  }

  private func unexpected(_ expected: String) -> RuleError {
    RuleError(token.offset, "expected \(expected), found \(token.found)")
  }
}

extension RuleOperator {
  fileprivate func isKnown(in dialect: RuleDialect) -> Bool {
    dialect.kinds.contains { dialect.supported(by: RuleAttribute("", $0)).contains(self) }
  }
}

/// A syntax error in a rule.
package struct RuleError: Error, Equatable {
  /// The offset of the error in the rule, in Unicode scalars.
  package var offset: Int
  /// The message, in lower case, without full stop, with user input in backticks.
  package var message: String

  init(_ offset: Int, _ message: String) {
    self.offset = offset
    self.message = message
  }
}

// MARK: - Tokens

private struct RuleToken: Equatable {
  enum Kind: Equatable {
    /// A property, an operator with its hyphen, or a value without quotation marks.
    case word(String)
    case string(String)
    case symbol(Unicode.Scalar)
    case end
  }

  var kind: Kind
  /// The offset in the rule, in Unicode scalars.
  var offset: Int

  var found: String {
    switch kind {
    case .word(let word): "`\(word)`"
    case .string(let text): "the string `\(text)`"
    case .symbol(let symbol): "`\(symbol)`"
    case .end: "the end of the rule"
    }
  }
}

private struct RuleLexer {
  private let scalars: [Unicode.Scalar]
  private var index = 0

  private static let symbols: Set<Unicode.Scalar> = ["(", ")", "[", "]", ","]
  private static let quotes: Set<Unicode.Scalar> = ["\"", "'"]

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// Returns all tokens, followed by an end token.
  mutating func tokens() throws(RuleError) -> [RuleToken] {
    var tokens: [RuleToken] = []
    while true {
      while index < scalars.count, scalars[index].properties.isWhitespace { index += 1 }
      let offset = index
      let kind = try kind()
      tokens.append(RuleToken(kind: kind, offset: offset))
      if kind == .end { return tokens }
    }
  }

  private mutating func kind() throws(RuleError) -> RuleToken.Kind {
    guard index < scalars.count else { return .end }
    let next = scalars[index]
    if Self.symbols.contains(next) {
      index += 1
      return .symbol(next)
    }
    return Self.quotes.contains(next) ? .string(try string(quote: next)) : .word(word())
  }

  private mutating func word() -> String {
    var word = String.UnicodeScalarView()
    while index < scalars.count, isInWord(scalars[index]) {
      // Examples in Microsoft Learn have en dashes instead of hyphens before operators.
      word.append(scalars[index] == "\u{2013}" ? "-" : scalars[index])
      index += 1
    }
    return String(word)
  }

  private func isInWord(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.properties.isWhitespace && !Self.symbols.contains(scalar)
      && !Self.quotes.contains(scalar)
  }

  /// Reads a string in quotation marks. Inside it, a grave accent escapes a quotation mark, and two single quotation
  /// marks stand for one.
  ///
  /// Source: Microsoft Learn, "Manage rules for dynamic membership groups", supported values.
  private mutating func string(
    quote: Unicode.Scalar
  ) throws(RuleError) -> String {
    let start = index
    var text = String.UnicodeScalarView()
    index += 1
    while index < scalars.count {
      var scalar = scalars[index]
      if scalar == "'", index + 1 < scalars.count, scalars[index + 1] == "'" {
        text.append("'")
        index += 2
        continue
      }
      if scalar == quote {
        index += 1
        return String(text)
      }
      if scalar == "`", index + 1 < scalars.count, Self.quotes.contains(scalars[index + 1]) {
        index += 1
        scalar = scalars[index]
      }
      text.append(scalar)
      index += 1
    }
    throw RuleError(start, "the string is not terminated")
  }
}
