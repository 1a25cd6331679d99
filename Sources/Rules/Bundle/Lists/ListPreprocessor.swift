internal import JSON
internal import Output

/// Applies Xcode's preprocessor to a list. Directives and inactive sections are replaced by blanks, so that
/// positions stay the same.
///
/// Source: Xcode, "Build settings reference", Preprocess Info.plist File; GCC, "The C Preprocessor".
struct ListPreprocessor {
  /// An open `#if` block.
  private struct Conditional {
    var directive: PreprocessorDirective
    var line: Int
    /// Whether all enclosing sections are active.
    var isReached: Bool
    /// Whether the current section is active.
    var isKept: Bool
    /// Whether a section of this block was active, which makes later ones inactive.
    var isSettled: Bool
    var hasElse = false
  }

  private let text: ListText
  private let file: String
  private var macros: [String: String]
  private var open: [Conditional] = []
  private var bytes: [UInt8]
  private var findings: [BundleFinding] = []
  private var told: Set<String> = []

  /// - Parameter macros: The defined macros; nil to skip preprocessing.
  /// - Returns: Bytes of the same length as the text, and the findings about them.
  /// - Throws: ``BundleError`` if a condition is invalid or not terminated.
  static func source(
    of text: ListText, macros: [String: String]?, file: String
  ) throws(BundleError) -> (source: [UInt8], findings: [BundleFinding]) {
    guard let macros else { return (text.bytes, []) }
    var preprocessor = ListPreprocessor(
      text: text, file: file, macros: macros, bytes: text.bytes)
    try preprocessor.run()
    return (preprocessor.bytes, preprocessor.findings)
  }

  private init(text: ListText, file: String, macros: [String: String], bytes: [UInt8]) {
    self.text = text
    self.file = file
    self.macros = macros
    self.bytes = bytes
  }

  private mutating func run() throws(BundleError) {
    var lines = text.lines[...]
    while var line = lines.popFirst() {
      guard var directive = PreprocessorDirective(text.bytes[line]) else {
        if isKept { lookForMacros(in: line) } else { blank(line) }
        continue
      }
      // A backslash continues the directive on the next line.
      while directive.argument.hasSuffix("\\"), let next = lines.popFirst() {
        line = line.lowerBound..<next.upperBound
        let joined = String(decoding: text.bytes[line], as: UTF8.self)
          .split(whereSeparator: \.isNewline).map { $0.hasSuffix("\\") ? $0.dropLast() : $0 }
        directive = PreprocessorDirective(joined.joined(separator: " ").utf8) ?? directive
      }
      blank(line)
      try obey(directive, at: line.lowerBound)
    }
    if let last = open.last {
      throw error(
        "the `#\(last.directive.name)` does not end: `#endif` is missing", at: last.line)
    }
  }

  private var isKept: Bool { open.last?.isKept ?? true }

  // MARK: Directives

  private mutating func obey(
    _ directive: PreprocessorDirective, at place: Int
  ) throws(BundleError) {
    switch directive.name {
    case "if", "ifdef", "ifndef": try begin(directive, at: place)
    case "elif", "else": try turn(directive, at: place)
    case "endif":
      guard open.popLast() != nil else { throw error("`#endif` without `#if`", at: place) }
    case _ where !isKept: break
    case "define":
      let name = Self.name(of: directive)
      macros[name] = String(
        directive.argument.dropFirst(name.count).drop(while: \.isWhitespace))
    case "undef": macros[Self.name(of: directive)] = nil
    case "include", "import":
      warn(
        "`#\(directive.name) \(directive.argument)` is not followed; "
          + "give what it defines with `--define`", at: place)
    case "error": throw error("`#error \(directive.argument)`", at: place)
    default:  // open: any other directive
      break
    }
  }

  private mutating func begin(
    _ directive: PreprocessorDirective, at place: Int
  ) throws(BundleError) {
    let isReached = isKept
    let holds = isReached ? try holds(directive, at: place) : false
    open.append(
      Conditional(
        directive: directive, line: place, isReached: isReached, isKept: holds, isSettled: holds))
  }

  private mutating func turn(
    _ directive: PreprocessorDirective, at place: Int
  ) throws(BundleError) {
    guard var last = open.popLast(), !last.hasElse else {
      throw error("`#\(directive.name)` without `#if`", at: place)
    }
    last.hasElse = directive.name == "else"
    let isAsked = last.isReached && !last.isSettled
    if last.hasElse || !isAsked {
      last.isKept = isAsked
    } else {
      last.isKept = try holds(directive, at: place)
    }
    last.isSettled = last.isSettled || last.isKept
    open.append(last)
  }

  private func holds(
    _ directive: PreprocessorDirective, at place: Int
  ) throws(BundleError) -> Bool {
    switch directive.name {
    case "ifdef": return macros[Self.name(of: directive)] != nil
    case "ifndef": return macros[Self.name(of: directive)] == nil
    default:  // open: the names `if` and `elif`
      break
    }
    do throws(PreprocessorCondition.Fault) {
      return try PreprocessorCondition.holds(directive.argument, macros: macros)
    } catch {
      throw self.error("the condition of `#\(directive.name)`: \(error.message)", at: place)
    }
  }

  private static func name(of directive: PreprocessorDirective) -> String {
    String(directive.argument.prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) })
  }

  // MARK: Text

  private mutating func blank(_ line: Range<Int>) {
    for index in line where bytes[index] != 0x0A && bytes[index] != 0x0D { bytes[index] = 0x20 }
  }

  /// Warns of macros in the text. The preprocessor would replace them by their values; here they stay.
  private mutating func lookForMacros(in line: Range<Int>) {
    guard !macros.isEmpty else { return }
    let words = text.bytes[line].split { byte in
      let character = Character(Unicode.Scalar(byte))
      return
        !(byte == UInt8(ascii: "_") || byte < 0x80 && (character.isLetter || character.isNumber))
    }
    for word in words {
      let name = String(decoding: word, as: UTF8.self)
      guard let value = macros[name], value != name, told.insert(name).inserted else { continue }
      warn(
        "`\(name)` is defined as `\(value)` and stays as it is: macros in the text are not replaced",
        at: word.startIndex)
    }
  }

  private mutating func warn(_ message: String, at offset: Int) {
    findings.append(
      BundleFinding(.preprocessor, file: file, at: text.position(of: offset), message))
  }

  private func error(_ message: String, at offset: Int) -> BundleError {
    let place = text.position(of: offset)
    return BundleError(file: file, line: place.line, column: place.column, message: message)
  }
}

// MARK: - Directives

/// A line for Xcode's preprocessor, such as `#ifdef DEBUG`.
struct PreprocessorDirective {
  /// The directive's name: `ifdef`.
  var name: String
  /// The text after the name, without surrounding white space.
  fileprivate var argument: String

  private static let names: Set<String> = [
    "if", "ifdef", "ifndef", "elif", "else", "endif", "define", "undef", "include", "import",
    "error", "warning", "pragma", "line",
  ]

  /// Parses a line; nil if it is not a directive.
  init?(_ line: some Collection<UInt8>) {
    let text = Substring(String(decoding: line, as: UTF8.self)).drop(while: \.isWhitespace)
    guard text.first == "#" else { return nil }
    let code = text.dropFirst().drop(while: \.isWhitespace)
    name = String(code.prefix { $0.isASCII && $0.isLetter })
    guard Self.names.contains(name) else { return nil }
    let rest = code.dropFirst(name.count).drop(while: \.isWhitespace)
    let end = rest.lastIndex { !$0.isWhitespace }
    argument = end.map { String(rest[...$0]) } ?? ""
  }

  /// Parses the directive that begins at the offset; nil if there is none.
  init?(at offset: Int, in text: ListText) {
    let before = text.bytes[text.lineStart(of: offset)..<offset]
    guard before.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return nil }
    self.init(text.bytes[offset...].prefix { $0 != 0x0A && $0 != 0x0D })
  }

  /// The error message for a list with a directive, which must be preprocessed first.
  var refusal: String {
    "`#\(name)` is for Xcode's preprocessor (`INFOPLIST_PREPROCESS`); `sluice bundle` takes what is "
      + "defined by `--define NAME[=VALUE]`, or read what `cc -E -P -x c -traditional` makes of the list"
  }
}

// MARK: - Conditions

/// The expression of an `#if`: integers, `defined`, all operators of C except `?:`, and macros that expand to
/// these. An undefined name has the value 0.
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
  /// The binary operators by precedence, lowest first.
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

  // MARK: Evaluation

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
  /// Splits an expression into tokens and expands macros.
  private struct Scan {
    let macros: [String: String]
    var tokens: [Token] = []
    /// The number of words read, including those of each macro expansion.
    private var count = 0

    /// The maximum number of words in an expression.
    private static let limit = 4096

    init(macros: [String: String]) { self.macros = macros }

    /// - Parameter hiding: The macros that are being expanded, which are not expanded again.
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
