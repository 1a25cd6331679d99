/// A regular expression, matched without backtracking (Thompson 1968). The time is at most proportional to the length
/// of the string times the number of compiled steps.
///
/// `MATCHES` on devices and `pattern` in Sluice's JSON schemas use ICU's syntax. This type supports a part of that
/// syntax:
///
/// - literals, `.`, and classes with ranges and negation
/// - `\d \w \s \D \W \S \t \n \r \uhhhh` and escaped symbols; as in ICU, `\d`, `\w` and `\s` have their Unicode meaning
/// - groups (including named ones), `|`, and `(?i)` at the beginning
/// - `* + ? {n} {n,} {n,m}`, with or without a lazy `?`
/// - `^ $ \A \z \Z`
///
/// Look-around, backreferences, possessive quantifiers, word boundaries, properties and set operations in classes are
/// rejected with a specific message.
package struct Pattern: Sendable {
  /// The maximum length of a pattern, in Unicode scalars.
  static let maximumLength = 1_000
  /// The maximum number of compiled steps. A counted repetition such as `a{3}` is compiled once for each repetition.
  static let maximumSteps = 5_000

  fileprivate enum Step: Sendable {
    case scalar(ScalarSet)
    case split(Int, Int)
    case jump(Int)
    case start
    case end
    case accept
  }

  private let steps: [Step]
  private let ignoresMarks: Bool

  /// Creates a pattern that matches whole strings, as `MATCHES` does. The empty pattern matches no string; see
  /// ``TextTest``.
  package init(_ pattern: String, options: TextOptions) throws(PatternError) {
    try self.init(pattern, options: options) { pattern.isEmpty ? .set(ScalarSet()) : $0 }
  }

  /// Creates a pattern that matches a string if any part of the string matches.
  package init(findingIn pattern: String) throws(PatternError) {
    let anything = PatternNode.repeated(.set(ScalarSet(isNegated: true)), least: 0, most: nil)
    try self.init(pattern, options: []) { .sequence([anything, $0, anything]) }
  }

  private init(
    _ pattern: String, options: TextOptions, around: (PatternNode) -> PatternNode
  ) throws(PatternError) {
    guard pattern.unicodeScalars.count <= Self.maximumLength else {
      throw PatternError(message: "more than \(Self.maximumLength) characters")
    }
    var reader = PatternReader(pattern)
    let node = around(try reader.read())
    ignoresMarks = options.contains(.diacriticInsensitive)
    var compiler = PatternCompiler(
      ignoresCase: options.contains(.caseInsensitive) || reader.ignoresCase,
      ignoresMarks: ignoresMarks)
    try compiler.add(node)
    steps = compiler.steps + [.accept]
  }

  /// Returns whether the text matches, as a whole or, for ``init(findingIn:)``, in part; false if the budget is
  /// exhausted.
  package func matches(_ text: String, _ budget: inout WorkBudget) -> Bool {
    var current = PatternThreads(capacity: steps.count)
    var following = PatternThreads(capacity: steps.count)
    let scalars =
      ignoresMarks
      ? TextFolding(.diacriticInsensitive).scalars(of: text) : Array(text.unicodeScalars)
    follow(0, into: &current, isStart: true, isEnd: scalars.isEmpty)
    for (place, scalar) in scalars.enumerated() {
      budget.consume(characters: 1 + current.steps.count)
      if budget.isExhausted { return false }
      following.removeAll()
      for step in current.steps {
        if case .scalar(let set) = steps[step], set.contains(scalar) {
          follow(
            step + 1, into: &following, isStart: false, isEnd: place == scalars.count - 1)
        }
      }
      swap(&current, &following)
      if current.steps.isEmpty { return false }
    }
    return current.steps.contains { if case .accept = steps[$0] { true } else { false } }
  }

  /// Adds to `threads` the step `first` and all steps that are reachable from it without consuming a character.
  private func follow(_ first: Int, into threads: inout PatternThreads, isStart: Bool, isEnd: Bool)
  {
    var open = [first]
    while let step = open.popLast() {
      guard threads.insert(step) else { continue }
      switch steps[step] {
      case .scalar, .accept: break
      case .jump(let target): open.append(target)
      case .split(let one, let other): open += [one, other]
      case .start: if isStart { open.append(step + 1) }
      case .end: if isEnd { open.append(step + 1) }
      }
    }
  }
}

/// The active steps of a pattern, without duplicates.
private struct PatternThreads {
  private(set) var steps: [Int] = []
  private var isIn: [Bool]

  init(capacity: Int) { isIn = Array(repeating: false, count: capacity) }

  mutating func insert(_ step: Int) -> Bool {
    guard !isIn[step] else { return false }
    isIn[step] = true
    steps.append(step)
    return true
  }

  mutating func removeAll() {
    for step in steps { isIn[step] = false }
    steps.removeAll(keepingCapacity: true)
  }
}

/// The reason why a text is not a supported regular expression.
package struct PatternError: Error, Equatable {
  /// The error: lower case, no full stop.
  package var message: String
}

private indirect enum PatternNode {
  case set(ScalarSet)
  case start
  case end
  case sequence([PatternNode])
  case alternatives([PatternNode])
  /// A repetition.
  ///
  /// - Parameter most: The maximum number of repetitions; nil for no maximum.
  case repeated(PatternNode, least: Int, most: Int?)
}

// MARK: - Parsing

/// Parses regular expressions; see ``Pattern`` for the syntax.
private struct PatternReader {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var depth = 0
  /// Whether the pattern begins with `(?i)`.
  private(set) var ignoresCase = false

  private static let maximumDepth = 64
  /// The maximum count in a repetition.
  private static let maximumCount = 1_000

  init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

  mutating func read() throws(PatternError) -> PatternNode {
    if skip("(?i)") { ignoresCase = true }
    let node = try alternatives()
    guard next == nil else { throw PatternError(message: "`)` without `(`") }
    return node
  }

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private mutating func skip(_ text: String) -> Bool {
    guard scalars[index...].starts(with: text.unicodeScalars) else { return false }
    index += text.unicodeScalars.count
    return true
  }

  private mutating func alternatives() throws(PatternError) -> PatternNode {
    var nodes = [try sequence()]
    while skip("|") { nodes.append(try sequence()) }
    return nodes.count == 1 ? nodes[0] : .alternatives(nodes)
  }

  private mutating func sequence() throws(PatternError) -> PatternNode {
    var nodes: [PatternNode] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      nodes.append(try quantified(try atom(scalar)))
    }
    return .sequence(nodes)
  }

  private mutating func atom(_ scalar: Unicode.Scalar) throws(PatternError) -> PatternNode {
    index += 1
    switch scalar {
    case ".": return .set(.anything)
    case "^": return .start
    case "$": return .end
    case "(": return try group()
    case "[": return .set(try set())
    case "\\": return try escape()
    case "*", "+", "?": throw PatternError(message: "`\(scalar)` with nothing to repeat")
    case "{": throw PatternError(message: "`{` with nothing to repeat")
    default:  // open: any other character
      return .set(ScalarSet(ranges: [scalar...scalar]))
    }
  }

  private mutating func group() throws(PatternError) -> PatternNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else {
      throw PatternError(message: "groups nested deeper than \(Self.maximumDepth) levels")
    }
    for lookaround in ["?=", "?!", "?<=", "?<!"] where skip(lookaround) {
      throw PatternError(message: "`(\(lookaround)`, which is not supported")
    }
    if skip("?<") {
      while let scalar = next, scalar != ">" { index += scalar == ")" ? scalars.count : 1 }
      index = min(index + 1, scalars.count)
    } else if !skip("?:"), skip("?") {
      throw PatternError(
        message: "a `(?` group other than `(?:` and `(?i)`, which is not supported")
    }
    let node = try alternatives()
    guard skip(")") else { throw PatternError(message: "`(` without `)`") }
    return node
  }

  private mutating func quantified(_ node: PatternNode) throws(PatternError) -> PatternNode {
    let (least, most): (Int, Int?)
    switch next {
    case "*": (least, most) = (0, nil)
    case "+": (least, most) = (1, nil)
    case "?": (least, most) = (0, 1)
    case "{": (least, most) = try counts()
    default:  // open: any other character, or the end
      return node
    }
    index += 1
    if next == "+" { throw PatternError(message: "a possessive `+`, which is not supported") }
    // Laziness affects the position of a match, not its existence.
    _ = skip("?")
    if next == "*" || next == "{" {
      throw PatternError(message: "two repetition operators in a row")
    }
    return .repeated(node, least: least, most: most)
  }

  /// Reads `{n}`, `{n,}` or `{n,m}` up to the closing brace.
  private mutating func counts() throws(PatternError) -> (Int, Int?) {
    index += 1
    guard let least = number() else { throw PatternError(message: "`{` without a number") }
    var most: Int? = least
    if skip(",") { most = number() }
    guard next == "}" else { throw PatternError(message: "`{` without `}`") }
    guard least <= most ?? least, max(least, most ?? 0) <= Self.maximumCount else {
      throw PatternError(message: "repetition counts that descend or exceed \(Self.maximumCount)")
    }
    return (least, most)
  }

  private mutating func number() -> Int? {
    let start = index
    while let scalar = next, ("0"..."9").contains(scalar) { index += 1 }
    guard start < index else { return nil }
    return Int(String(String.UnicodeScalarView(scalars[start..<index]))) ?? Int.max
  }

  private mutating func escape() throws(PatternError) -> PatternNode {
    guard let letter = next else { throw PatternError(message: "`\\` at its end") }
    switch letter {
    case "A":
      index += 1
      return .start
    case "z", "Z":
      index += 1
      return .end
    default:  // open: any other character
      if let shorthand = ScalarSet.Shorthand(letter: letter) {
        index += 1
        return .set(ScalarSet(classes: [shorthand]))
      }
      let scalar = try escapedScalar()
      return .set(ScalarSet(ranges: [scalar...scalar]))
    }
  }

  private mutating func escapedScalar() throws(PatternError) -> Unicode.Scalar {
    guard let letter = next else { throw PatternError(message: "`\\` at its end") }
    index += 1
    switch letter {
    case "t": return "\t"
    case "n": return "\n"
    case "r": return "\r"
    case "u":
      let digits = scalars[index...].prefix(4)
      guard digits.count == 4, digits.allSatisfy({ $0.properties.isASCIIHexDigit }),
        let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16),
        let scalar = Unicode.Scalar(value)
      else {
        throw PatternError(message: "`\\u` without the four hexadecimal digits of a character")
      }
      index += 4
      return scalar
    default:  // open: any other character
      guard !letter.properties.isAlphabetic, !("0"..."9").contains(letter) else {
        throw PatternError(message: "`\\\(letter)`, which is not supported")
      }
      return letter
    }
  }

  private mutating func set() throws(PatternError) -> ScalarSet {
    var set = ScalarSet(isNegated: skip("^"))
    repeat {
      guard let scalar = next else { throw PatternError(message: "`[` without `]`") }
      if scalar == "[" || skip("&&") {
        throw PatternError(message: "a set within `[…]`, which is not supported")
      }
      if scalar == "\\", index + 1 < scalars.count,
        let shorthand = ScalarSet.Shorthand(letter: scalars[index + 1])
      {
        index += 2
        set.classes.append(shorthand)
      } else {
        set.ranges.append(try range())
      }
    } while next != "]"
    index += 1
    return set
  }

  private mutating func range() throws(PatternError) -> ClosedRange<Unicode.Scalar> {
    let low = try member()
    guard next == "-", index + 1 < scalars.count, scalars[index + 1] != "]" else {
      return low...low
    }
    index += 1
    if next == "-" { throw PatternError(message: "`--` within `[…]`, which is not supported") }
    let high = try member()
    guard low <= high else {
      throw PatternError(message: "a range whose last character comes before its first")
    }
    return low...high
  }

  private mutating func member() throws(PatternError) -> Unicode.Scalar {
    guard let scalar = next else { throw PatternError(message: "`[` without `]`") }
    index += 1
    return scalar == "\\" ? try escapedScalar() : scalar
  }
}

// MARK: - Compilation

/// Compiles a syntax tree to steps.
private struct PatternCompiler {
  private(set) var steps: [Pattern.Step] = []
  private let ignoresCase: Bool
  private let ignoresMarks: Bool

  init(ignoresCase: Bool, ignoresMarks: Bool) {
    self.ignoresCase = ignoresCase
    self.ignoresMarks = ignoresMarks
  }

  mutating func add(_ node: PatternNode) throws(PatternError) {
    switch node {
    case .set(let set): try append(.scalar(folded(set)))
    case .start: try append(.start)
    case .end: try append(.end)
    case .sequence(let nodes): for node in nodes { try add(node) }
    case .alternatives(let nodes): try add(alternatives: nodes)
    case .repeated(let node, let least, let most):
      for _ in 0..<least {
        let count = steps.count
        try add(node)
        // A node that adds no steps adds none when repeated. Without this check, nested repetitions of it would
        // take very long.
        if steps.count == count { break }
      }
      if let most {
        for _ in least..<most { try add(optional: node) }
      } else {
        try add(star: node)
      }
    }
  }

  private mutating func append(_ step: Pattern.Step) throws(PatternError) {
    guard steps.count < Pattern.maximumSteps else {
      throw PatternError(message: "too many repetitions")
    }
    steps.append(step)
  }

  private mutating func add(alternatives nodes: [PatternNode]) throws(PatternError) {
    var jumps: [Int] = []
    for (place, node) in nodes.enumerated() {
      let split = steps.count
      let isLast = place == nodes.count - 1
      if !isLast { try append(.split(0, 0)) }
      try add(node)
      if !isLast {
        jumps.append(steps.count)
        try append(.jump(0))
        steps[split] = .split(split + 1, steps.count)
      }
    }
    for jump in jumps { steps[jump] = .jump(steps.count) }
  }

  private mutating func add(optional node: PatternNode) throws(PatternError) {
    let split = steps.count
    try append(.split(0, 0))
    try add(node)
    steps[split] = .split(split + 1, steps.count)
  }

  private mutating func add(star node: PatternNode) throws(PatternError) {
    let split = steps.count
    try append(.split(0, 0))
    try add(node)
    try append(.jump(split))
    steps[split] = .split(split + 1, steps.count)
  }

  /// Returns the set adapted to the options of the pattern, with sorted ranges. If marks are ignored, removes the marks
  /// of each single character in the set, because the text has no marks when it is matched. Ranges of several
  /// characters are unchanged.
  private func folded(_ set: ScalarSet) -> ScalarSet {
    var set = set
    set.ignoresCase = ignoresCase
    guard ignoresMarks else { return set.inOrder }
    set.ranges = set.ranges.map { range in
      guard range.lowerBound == range.upperBound,
        let folded = TextFolding(.diacriticInsensitive)
          .scalars(of: String(Character(range.lowerBound))).first
      else { return range }
      return folded...folded
    }
    return set.inOrder
  }
}

// MARK: - Character sets

/// The set of characters that match one position of a regular expression.
private struct ScalarSet: Sendable {
  /// The ranges. Once the set is ``inOrder``, they are sorted and disjoint.
  var ranges: [ClosedRange<Unicode.Scalar>] = []
  var classes: [Shorthand] = []
  var isNegated = false
  var ignoresCase = false

  /// A predefined character class.
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

  /// The set with sorted and merged ranges, which ``contains(_:)`` requires.
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
