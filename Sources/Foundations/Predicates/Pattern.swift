/// A regular expression that matches strings, in time proportional to the string's length times its
/// own at most: it follows all ways at once and never goes back (Thompson 1968).
///
/// `MATCHES` on a device takes ICU's syntax. Supported here are: literals, `.`, classes with ranges
/// and negation, `\d \w \s \D \W \S \t \n \r \uhhhh` and escaped symbols, groups (named ones too),
/// `(?i)` at the beginning, `|`, `* + ? {n} {n,} {n,m}` with or without a lazy `?`, and `^ $ \A \z \Z`.
/// Refused by name are look-around, backreferences, possessive quantifiers, word boundaries, properties
/// and set operations in classes. `\d`, `\w` and `\s` have their Unicode meaning, as in ICU.
package struct Pattern: Sendable {
  /// The limit on the characters of a pattern.
  static let maximumLength = 1_000
  /// The limit on the steps of a pattern; repetitions with a number are written out.
  static let maximumSteps = 5_000

  enum Step: Sendable {
    case scalar(ScalarSet)
    case split(Int, Int)
    case jump(Int)
    case start
    case end
    case accept
  }

  private let steps: [Step]
  private let ignoresMarks: Bool

  /// Makes a pattern that matches whole strings, as the right side of `MATCHES` does. The empty pattern matches
  /// none; see ``TextTest``.
  ///
  /// - Throws: ``PatternError`` where the text is no regular expression, or not a supported one.
  package init(_ pattern: String, options: TextOptions) throws(PatternError) {
    try self.init(pattern, options: options) { pattern.isEmpty ? .set(ScalarSet()) : $0 }
  }

  /// Makes a pattern that matches strings with a match anywhere in them.
  ///
  /// - Throws: ``PatternError`` where the text is no regular expression, or not a supported one.
  package init(findingIn pattern: String) throws(PatternError) {
    let anything = PatternNode.repeated(.set(ScalarSet(isNegated: true)), least: 0, most: nil)
    try self.init(pattern, options: []) { .sequence([anything, $0, anything]) }
  }

  private init(
    _ pattern: String, options: TextOptions, around: (PatternNode) -> PatternNode
  ) throws(PatternError) {
    guard pattern.unicodeScalars.count <= Self.maximumLength else {
      throw PatternError(message: "one of more than \(Self.maximumLength) characters")
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

  /// Whether the whole of `text` matches, or a part of it for a pattern that is found anywhere.
  package func matches(_ text: String, _ work: inout Work) -> Bool {
    var current = PatternThreads(capacity: steps.count)
    var following = PatternThreads(capacity: steps.count)
    let scalars =
      ignoresMarks
      ? TextFolding(.diacriticInsensitive).scalars(of: text) : Array(text.unicodeScalars)
    follow(0, into: &current, isStart: true, isEnd: scalars.isEmpty)
    for (place, scalar) in scalars.enumerated() {
      work.charge(characters: 1 + current.steps.count)
      if work.isExhausted { return false }
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

  /// Adds the steps that are reached from `first` without a character.
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

/// The steps that a pattern is at, each once.
struct PatternThreads {
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
