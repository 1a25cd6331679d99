/// Reads regular expressions; see ``Pattern`` for the syntax.
struct PatternReader {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var depth = 0
  /// Whether `(?i)` stood at the beginning.
  private(set) var ignoresCase = false

  private static let maximumDepth = 64
  /// The limit on a number of repetitions.
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
      throw PatternError(message: "`(?`, which is supported as `(?:` and `(?i)` only")
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
    // Laziness chooses among the ways to match, not whether there is one.
    _ = skip("?")
    if next == "*" || next == "{" { throw PatternError(message: "two repetitions in a row") }
    return .repeated(node, least: least, most: most)
  }

  /// Reads `{n}`, `{n,}`, `{n,m}`; the closing brace is next then.
  private mutating func counts() throws(PatternError) -> (Int, Int?) {
    index += 1
    guard let least = number() else { throw PatternError(message: "`{` without a number") }
    var most: Int? = least
    if skip(",") { most = number() }
    guard next == "}" else { throw PatternError(message: "`{` without `}`") }
    guard least <= most ?? least, max(least, most ?? 0) <= Self.maximumCount else {
      throw PatternError(message: "a repetition that is not within 0 and \(Self.maximumCount)")
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
      else { throw PatternError(message: "`\\u` without four hexadecimal digits") }
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
    guard low <= high else { throw PatternError(message: "a range that ends before it begins") }
    return low...high
  }

  private mutating func member() throws(PatternError) -> Unicode.Scalar {
    guard let scalar = next else { throw PatternError(message: "`[` without `]`") }
    index += 1
    return scalar == "\\" ? try escapedScalar() : scalar
  }
}
