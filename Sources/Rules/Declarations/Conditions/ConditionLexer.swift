internal import Bundle
internal import Predicates
internal import Diagnostics

/// Takes a predicate apart.
struct ConditionLexer {
  private let scalars: [Unicode.Scalar]
  private var index = 0

  /// Longer ones first.
  private static let symbols = [
    "&&", "||", "==", "!=", "<>", "<=", "=<", ">=", "=>", "(", ")", "{", "}", "[", "]", ",", ".",
    "=", "<", ">", "!", "-",
  ].map { Array($0.unicodeScalars) }

  private static let functions = ["status", "property", "key"]

  init(_ source: String) { scalars = Array(source.unicodeScalars) }

  /// All tokens, the last of which is the end.
  mutating func tokens() throws(ConditionError) -> [ConditionToken] {
    var tokens: [ConditionToken] = []
    while true {
      while let next, next.properties.isWhitespace { index += 1 }
      let offset = index
      let kind = try kind()
      tokens.append(ConditionToken(kind: kind, offset: offset))
      if kind == .end { return tokens }
    }
  }

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private mutating func kind() throws(ConditionError) -> ConditionToken.Kind {
    guard let next else { return .end }
    switch next {
    case "@": return try function()
    case "$": return try variable()
    case "\"", "'": return .string(try string(quote: next))
    default: break
    }
    if Self.isLetter(next) { return .word(word()) }
    if Self.isDigit(next) { return try number() }
    for symbol in Self.symbols where scalars[index...].starts(with: symbol) {
      index += symbol.count
      return .symbol(String(String.UnicodeScalarView(symbol)))
    }
    throw unexpected(next)
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && scalar.properties.isAlphabetic || scalar == "_"
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private mutating func word() -> String {
    take { Self.isLetter($0) || Self.isDigit($0) }
  }

  private mutating func take(_ isPart: (Unicode.Scalar) -> Bool) -> String {
    let start = index
    while let next, isPart(next) { index += 1 }
    return String(String.UnicodeScalarView(scalars[start..<index]))
  }

  private mutating func variable() throws(ConditionError) -> ConditionToken.Kind {
    index += 1
    let name = word()
    guard !name.isEmpty else {
      throw ConditionError("expected the name of a variable after `$`", at: index)
    }
    return .variable(name)
  }

  private mutating func number() throws(ConditionError) -> ConditionToken.Kind {
    let start = index
    var digits = take(Self.isDigit)
    if next == ".", index + 1 < scalars.count, Self.isDigit(scalars[index + 1]) {
      index += 1
      digits += "." + take(Self.isDigit)
      if let number = Double(digits), number.isFinite { return .real(number) }
    } else if let number = Int(digits) {
      return .integer(number)
    }
    throw ConditionError("the number is too large", at: start)
  }

  private mutating func function() throws(ConditionError) -> ConditionToken.Kind {
    let start = index
    index += 1
    let name = word()
    guard next == "(" else {
      if name == "count" { return .operation(name) }
      throw bareFunction(name, at: start)
    }
    guard Self.functions.contains(name) else {
      throw ConditionError(
        "expected `@status(…)`, `@property(…)` or `@key(…)`, found `@\(name)(`"
          + Self.question(name), at: start)
    }
    index += 1
    while let next, next.properties.isWhitespace { index += 1 }
    let place = index
    let argument = take { !")(".unicodeScalars.contains($0) && !$0.properties.isWhitespace }
    while let next, next.properties.isWhitespace { index += 1 }
    guard next == ")" else {
      throw ConditionError("expected `)` after the name in `@\(name)(`", at: index)
    }
    index += 1
    guard Self.isName(argument) else {
      throw ConditionError(
        "expected a name of letters, digits, `-`, `_` and `.` in `@\(name)(…)`", at: place)
    }
    return .function(name, argument: argument)
  }

  private func bareFunction(_ name: String, at offset: Int) -> ConditionError {
    if Self.functions.contains(name) {
      return ConditionError("expected `(` and a name after `@\(name)`", at: index)
    }
    return ConditionError(
      "expected `@status(…)`, `@property(…)`, `@key(…)` or `@count`, found `@\(name)`"
        + Self.question(name), at: offset)
  }

  private static func question(_ name: String) -> String {
    let near = NearestWord.to(name, among: functions + ["count"])
    return Suggestion.text(near.map { "@\($0)" })
  }

  private static func isName(_ text: String) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty
        && part.unicodeScalars.allSatisfy { isLetter($0) || isDigit($0) || $0 == "-" }
    }
  }

  private mutating func string(quote: Unicode.Scalar) throws(ConditionError) -> String {
    let start = index
    var text = String.UnicodeScalarView()
    index += 1
    while let next {
      index += 1
      if next == quote { return String(text) }
      text.append(next == "\\" ? try escape() : next)
    }
    throw ConditionError("the string does not end", at: start)
  }

  private mutating func escape() throws(ConditionError) -> Unicode.Scalar {
    guard let letter = next else {
      throw ConditionError("the string does not end", at: index - 1)
    }
    index += 1
    switch letter {
    case "\\", "\"", "'": return letter
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    default: throw ConditionError("unknown escape `\\\(letter)`", at: index - 2)
    }
  }

  private func unexpected(_ scalar: Unicode.Scalar) -> ConditionError {
    let character = Character(scalar)
    let found = Quotation.words(for: character)
    if Quotation.isQuotationMark(character) {
      let straight = Quotation.straight(character)
      return ConditionError("found \(found); write the straight one, `\(straight)`", at: index)
    }
    if Quotation.isHyphen(character) {
      return ConditionError("found \(found); write the plain one, `-`", at: index)
    }
    if scalar == "%" {
      return ConditionError(
        "found a format argument, which only programs have: write the value", at: index)
    }
    return ConditionError("expected a value or an operator, found \(found)", at: index)
  }
}
