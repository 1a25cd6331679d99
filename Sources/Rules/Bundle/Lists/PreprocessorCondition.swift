/// The expression of an `#if`: integers, `defined`, the operators of C but for `?:`, and macros that expand to them.
/// A name that is not defined counts as 0.
///
/// Source: GCC, "The C Preprocessor", section 4.2.2.
struct PreprocessorCondition {
  struct Fault: Error {
    /// The message, in lower case, without full stop.
    var message: String
  }

  private enum Token: Equatable {
    case number(Int), name(String), mark(String)

    var text: String {
      switch self {
      case .number(let number): "\(number)"
      case .name(let text), .mark(let text): text
      }
    }
  }

  private let macros: [String: String]
  private var tokens: ArraySlice<Token>
  private var depth = 0

  /// The maximum depth of nested parentheses and signs.
  private static let maximumDepth = 64
  /// The binary operators by precedence, from the loosest to the tightest.
  private static let levels = [
    ["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<=", ">=", "<", ">"], ["<<", ">>"],
    ["+", "-"], ["*", "/", "%"],
  ]

  static func holds(_ text: String, macros: [String: String]) throws(Fault) -> Bool {
    var scan = Scan(macros: macros)
    try scan.read(text, hiding: [])
    var condition = PreprocessorCondition(macros: macros, tokens: scan.tokens[...])
    let value = try condition.expression(level: 0)
    guard let rest = condition.tokens.first else { return value != 0 }
    throw Fault(message: "expected an operator, found `\(rest.text)`")
  }

  private init(macros: [String: String], tokens: ArraySlice<Token>) {
    self.macros = macros
    self.tokens = tokens
  }

  // MARK: Evaluating

  private mutating func expression(level: Int) throws(Fault) -> Int {
    guard level < Self.levels.count else { return try operand() }
    var left = try expression(level: level + 1)
    while case .mark(let mark)? = tokens.first, Self.levels[level].contains(mark) {
      tokens.removeFirst()
      left = try Self.applying(mark, left, expression(level: level + 1))
    }
    return left
  }

  private mutating func operand() throws(Fault) -> Int {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else {
      throw Fault(message: "it nests deeper than \(Self.maximumDepth) levels")
    }
    switch tokens.popFirst() {
    case .number(let number): return number
    case .name("defined"): return try isDefined() ? 1 : 0
    case .name: return 0
    case .mark("!"): return try operand() == 0 ? 1 : 0
    case .mark("~"): return ~(try operand())
    case .mark("-"): return 0 &- (try operand())
    case .mark("+"): return try operand()
    case .mark("("):
      let value = try expression(level: 0)
      try close()
      return value
    case .mark(let mark): throw Fault(message: "expected a value, found `\(mark)`")
    case nil: throw Fault(message: "expected a value, found its end")
    }
  }

  private mutating func isDefined() throws(Fault) -> Bool {
    let isBracketed = tokens.first == .mark("(")
    if isBracketed { tokens.removeFirst() }
    guard case .name(let name)? = tokens.popFirst() else {
      throw Fault(message: "expected a name after `defined`")
    }
    if isBracketed { try close() }
    return macros[name] != nil
  }

  private mutating func close() throws(Fault) {
    let next = tokens.popFirst()
    guard next == .mark(")") else {
      throw Fault(message: "expected `)`, found \(next.map { "`\($0.text)`" } ?? "its end")")
    }
  }

  private static func applying(
    _ mark: String, _ left: Int, _ right: Int
  ) throws(Fault) -> Int {
    switch mark {
    case "||": return left != 0 || right != 0 ? 1 : 0
    case "&&": return left != 0 && right != 0 ? 1 : 0
    case "|": return left | right
    case "^": return left ^ right
    case "&": return left & right
    case "==": return left == right ? 1 : 0
    case "!=": return left != right ? 1 : 0
    case "<=": return left <= right ? 1 : 0
    case ">=": return left >= right ? 1 : 0
    case "<": return left < right ? 1 : 0
    case ">": return left > right ? 1 : 0
    case "<<": return left << right
    case ">>": return left >> right
    case "+": return left &+ right
    case "-": return left &- right
    case "*": return left &* right
    default:  // open: the marks `/` and `%`
      guard right != 0 else { throw Fault(message: "a division by zero") }
      let divided =
        mark == "/"
        ? left.dividedReportingOverflow(by: right)
        : left.remainderReportingOverflow(dividingBy: right)
      return divided.partialValue
    }
  }
}

extension PreprocessorCondition {
  /// Splits an expression into tokens, with macros replaced.
  private struct Scan {
    let macros: [String: String]
    var tokens: [Token] = []
    /// The number of words read, those of macros each time.
    private var count = 0

    /// The maximum number of words in an expression.
    private static let limit = 4096

    init(macros: [String: String]) { self.macros = macros }

    /// - Parameter hiding: The macros whose values are being read, which are not replaced there.
    mutating func read(_ text: String, hiding: Set<String>) throws(Fault) {
      var rest = text[...].drop(while: \.isWhitespace)
      while let first = rest.first, !rest.hasPrefix("//"), !rest.hasPrefix("/*") {
        count += 1
        guard count <= Self.limit, hiding.count < PreprocessorCondition.maximumDepth else {
          throw Fault(message: "it is too long, or its macros nest too deep")
        }
        let (token, length) = try Self.token(first, rest)
        rest = rest.dropFirst(length).drop(while: \.isWhitespace)
        let isAsked =
          tokens.last == .name("defined") || tokens.suffix(2) == [.name("defined"), .mark("(")]
        if case .name(let name) = token, !isAsked, !hiding.contains(name), let value = macros[name]
        {
          try read(value, hiding: hiding.union([name]))
        } else {
          tokens.append(token)
        }
      }
    }

    private static func token(
      _ first: Character, _ rest: Substring
    ) throws(Fault) -> (token: Token, length: Int) {
      let word = rest.prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
      if first.isASCII, first.isNumber {
        guard let number = number(word) else {
          throw Fault(message: "expected an integer, found `\(word)`")
        }
        return (.number(number), word.count)
      }
      if !word.isEmpty { return (.name(String(word)), word.count) }
      let marks = levels.joined() + ["!", "~", "(", ")"]
      let mark = marks.filter { rest.hasPrefix($0) }.max { $0.count < $1.count }
      guard let mark else { throw Fault(message: "unexpected `\(first)`") }
      return (.mark(mark), mark.count)
    }

    private static func number(_ word: Substring) -> Int? {
      let text = word.lowercased()
      let isHexadecimal = text.hasPrefix("0x")
      let digits =
        isHexadecimal
        ? text.dropFirst(2).prefix(while: \.isHexDigit) : text.prefix(while: \.isNumber)
      guard text[digits.endIndex...].allSatisfy({ "ul".contains($0) }) else { return nil }
      return Int(digits, radix: isHexadecimal ? 16 : digits.hasPrefix("0") ? 8 : 10)
    }
  }
}
