internal import Diagnostics

extension Parser {
  /// Where an operand stands, for what a message says that was expected.
  enum Place {
    /// A whole clause could begin there.
    case clause
    case quantified
    case value
    case collection

    var expected: String {
      switch self {
      case .clause: "a comparison, `NOT`, `TRUEPREDICATE`, `FALSEPREDICATE` or `(`"
      case .quantified: "a key path to a list"
      case .value: "a string, a number or a key path"
      case .collection: "a key path to a list"
      }
    }

    var known: [String] {
      switch self {
      case .clause:
        [
          "NOT", "TRUEPREDICATE", "FALSEPREDICATE", "SUBQUERY", "extensionItems", "ANY", "ALL",
          "NONE", "SOME",
        ]
      case .quantified, .value, .collection: ["SUBQUERY", "extensionItems"]
      }
    }
  }

  mutating func operand(_ place: Place) throws(PredicateError) -> Expression {
    try path(from: try root(place))
  }

  private mutating func root(_ place: Place) throws(PredicateError) -> Expression {
    let start = token
    switch start.kind {
    case .string(let text):
      return Expression(kind: .text(Literal(text)), part: advance().part)
    case .integer(let number): return Expression(kind: .number(number), part: advance().part)
    case .symbol("-"): return try negative()
    case .symbol("{"): return try list()
    case .symbol("("):
      guard case .expression(let expression) = try group() else {
        throw error(
          at: start.part, expected: place.expected, found: "a predicate in parentheses")
      }
      return expression
    case .variable(let name): return try variable(name)
    case .word where start.isWord("SUBQUERY"): return try subquery()
    case .word("extensionItems"): return Expression(kind: .items, part: advance().part)
    case .word, .symbol, .end: throw unexpected(place.expected, among: place.known)
    }
  }

  private mutating func negative() throws(PredicateError) -> Expression {
    let sign = advance()
    guard case .integer(let number) = token.kind else { throw unexpected("a number after `-`") }
    return Expression(kind: .number(-number), part: sign.part.through(advance().part))
  }

  /// `{"a", "b"}`
  private mutating func list() throws(PredicateError) -> Expression {
    let open = advance()
    var elements: [Expression] = []
    while !token.isSymbol("}") {
      let start = token
      let element: Expression
      switch start.kind {
      case .string, .integer, .symbol("-"): element = try root(.value)
      case .word, .variable, .symbol, .end: throw unexpected("a string or a number")
      }
      if let first = elements.first, first.valueKind != element.valueKind {
        throw unexpected("\(first.valueKind.noun), as before it", at: start)
      }
      elements.append(element)
      if !skip(",") { break }
    }
    let close = try expect("}", "after the last element")
    return Expression(kind: .list(elements), part: open.part.through(close.part))
  }

  private mutating func variable(_ name: String) throws(PredicateError) -> Expression {
    guard let variable = variables.last(where: { $0.name == name }) else {
      let known = variables.map(\.name)
      let names = known.map { "`$\($0)`" }.joined(separator: ", ")
      throw error(
        at: token.part,
        expected: known.isEmpty ? "no variable outside of `SUBQUERY`" : "one of \(names)",
        found: "`$\(name)`",
        suggestion: NearestWord.to(name, among: known, within: 3).map { "$" + $0 })
    }
    return Expression(kind: .variable(variable), part: advance().part)
  }

  private mutating func subquery() throws(PredicateError) -> Expression {
    let start = advance()
    return try nested { parser throws(PredicateError) in
      _ = try parser.expect("(", "after `SUBQUERY`")
      let collection = try parser.operand(.collection)
      let element = try parser.elementKind(of: collection)
      _ = try parser.expect(",", "after the list")
      guard case .variable(let name) = parser.token.kind else {
        throw parser.unexpected("a variable, such as `$item`")
      }
      _ = parser.advance()
      _ = try parser.expect(",", "after the variable")
      let variable = Variable(name: name, slot: parser.variables.count, kind: element)
      parser.variables.append(variable)
      parser.mostVariables = max(parser.mostVariables, parser.variables.count)
      let operand = try parser.disjunction()
      let predicate = try parser.clause(operand)
      parser.variables.removeLast()
      let close = try parser.expect(")", "after the predicate of `SUBQUERY`")
      let subquery = Subquery(collection: collection, variable: variable, predicate: predicate)
      return Expression(kind: .subquery(subquery), part: start.part.through(close.part))
    }
  }

  /// What `SUBQUERY` goes through in `collection`.
  private func elementKind(of collection: Expression) throws(PredicateError) -> ValueKind {
    if case .list = collection.kind {
      throw error(
        at: collection.part, expected: "a key path to a list", found: "a list in braces")
    }
    guard let element = collection.valueKind.element else {
      throw error(
        at: collection.part, expected: "a key path to a list", found: collection.valueKind.noun)
    }
    return element
  }

  /// `root` with the keys that follow it.
  mutating func path(from root: Expression) throws(PredicateError) -> Expression {
    var path = root
    while skip(".") {
      if skip("@") {
        path = try count(of: path)
      } else {
        path = try key(of: path)
      }
    }
    return path
  }

  private mutating func count(of collection: Expression) throws(PredicateError) -> Expression {
    guard case .word("count") = token.kind else {
      throw unexpected("`count` after `@`", among: ["count"])
    }
    guard collection.valueKind.element != nil else {
      throw error(
        at: token.part, expected: "a list before `.@count`", found: collection.valueKind.noun)
    }
    return Expression(kind: .count(of: collection), part: collection.part.through(advance().part))
  }

  private mutating func key(of value: Expression) throws(PredicateError) -> Expression {
    guard case .word(let key) = token.kind else { throw unexpected("a key or `@count` after `.`") }
    let part = value.part.through(token.part)
    switch (key, value.valueKind) {
    case ("attachments", .item):
      _ = advance()
      return Expression(kind: .attachments(of: value), part: part)
    case ("registeredTypeIdentifiers", .attachment):
      _ = advance()
      return Expression(kind: .types(of: value), part: part)
    case (_, let kind): throw unexpected(kind.expectedKey, among: kind.keys)
    }
  }
}

extension ValueKind {
  fileprivate var keys: [String] {
    switch self {
    case .item: ["attachments"]
    case .attachment: ["registeredTypeIdentifiers"]
    case .items, .attachments, .texts, .numbers, .text, .number: []
    }
  }

  fileprivate var expectedKey: String {
    switch self {
    case .item: "`attachments`, the key of an extension item"
    case .attachment: "`registeredTypeIdentifiers`, the key of an attachment"
    case .items, .attachments:
      "`@count` after \(noun), whose elements `SUBQUERY` goes through"
    case .texts, .numbers: "`@count` after \(noun)"
    case .text, .number: "no key after \(noun)"
    }
  }
}
