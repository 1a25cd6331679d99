/// A slow reference implementation of predicates. It compares characters one by one and evaluates
/// every part.
indirect enum NaivePredicate {
  case constant(Bool)
  case not(NaivePredicate)
  case all([NaivePredicate])
  case any([NaivePredicate])
  case comparison(NaiveComparison)

  func holds(_ scope: NaiveScope) -> Bool {
    switch self {
    case .constant(let holds): holds
    case .not(let inner): !inner.holds(scope)
    case .all(let parts): parts.map { $0.holds(scope) }.allSatisfy { $0 }
    case .any(let parts): parts.map { $0.holds(scope) }.contains(true)
    case .comparison(let comparison): comparison.holds(scope)
    }
  }
}

/// The values that predicates can name.
struct NaiveScope {
  /// The text that `$t` stands for.
  var text: String
  /// The texts that `$t` iterates over.
  var texts: [String]
}

enum NaiveOperand {
  case text(String)
  case texts([String])
  case number(Int)
  case numbers([Int])
  case theText
  case theTexts
  case theCount

  /// Returns the values. A number is returned as text.
  func values(_ scope: NaiveScope) -> [String] {
    switch self {
    case .text(let text): [text]
    case .texts(let texts): texts
    case .number(let number): [String(number)]
    case .numbers(let numbers): numbers.map { String($0) }
    case .theText: [scope.text]
    case .theTexts: scope.texts
    case .theCount: [String(scope.texts.count)]
    }
  }

  var isList: Bool {
    switch self {
    case .texts, .numbers, .theTexts: true
    case .text, .number, .theText, .theCount: false
    }
  }

  var isNumeric: Bool {
    switch self {
    case .number, .numbers, .theCount: true
    case .text, .texts, .theText, .theTexts: false
    }
  }
}

struct NaiveComparison {
  /// The quantifier `ANY`, `SOME`, `ALL` or `NONE`, or an empty text.
  var quantifier = ""
  var left: NaiveOperand
  var comparator: String
  /// The options: a combination of `c` and `d`.
  var options = ""
  var right: NaiveOperand

  func holds(_ scope: NaiveScope) -> Bool {
    let left = left.values(scope)
    let right = right.values(scope)
    switch quantifier {
    case "ANY", "SOME": return left.contains { isTrue($0, right) }
    case "ALL": return !left.contains { !isTrue($0, right) }
    case "NONE": return !left.contains { isTrue($0, right) }
    default:  // open: no quantifier
      break
    }
    if self.left.isList { return left.contains { isEqual($0, right[0]) } }
    return isTrue(left[0], right)
  }

  private func isTrue(_ left: String, _ right: [String]) -> Bool {
    switch comparator {
    case "IN" where self.right.isList: right.contains { isEqual(left, $0) }
    case "BETWEEN": !isLess(left, right[0]) && !isLess(right[1], left)
    default:  // open: any other operator
      isTrue(left, right[0])
    }
  }

  private func isTrue(_ left: String, _ right: String) -> Bool {
    let (text, other) = (fold(left), fold(right))
    switch comparator {
    case "==": return isEqual(left, right)
    case "!=": return !isEqual(left, right)
    case "<": return isLess(left, right)
    case "<=": return !isLess(right, left)
    case ">": return isLess(right, left)
    case ">=": return !isLess(left, right)
    case "BEGINSWITH": return !other.isEmpty && text.starts(with: other)
    case "ENDSWITH": return !other.isEmpty && text.reversed().starts(with: other.reversed())
    case "CONTAINS": return has(text, other)
    case "IN": return has(other, text)
    case "LIKE": return !other.isEmpty && isLike(text[...], other[...])
    case "MATCHES": return (try? Regex(right).wholeMatch(in: left)) != nil
    default:  // open: a text that is not an operator
      fatalError("no operator \(comparator)")
    }
  }

  private func isEqual(_ left: String, _ right: String) -> Bool { fold(left) == fold(right) }

  private func isLess(_ left: String, _ right: String) -> Bool {
    if self.left.isNumeric { return Int(left)! < Int(right)! }
    return Self.scalars(left).lexicographicallyPrecedes(Self.scalars(right))
  }

  /// Returns the decompositions of the few letters with marks that are drawn.
  private static func scalars(_ text: String) -> [UInt32] {
    text.flatMap { character -> [UInt32] in
      switch character {
      case "é": [0x65, 0x301]
      case "É": [0x45, 0x301]
      default:  // open: any other character
        character.unicodeScalars.map(\.value)
      }
    }
  }

  private func fold(_ text: String) -> [Character] {
    text.map { character in
      switch character {
      case "é" where options.contains("d"): "e"
      case "É" where options == "d": "E"
      case "É" where options.contains("d"): "e"
      case "É" where options == "c": "é"
      case _ where options.contains("c"): Character(character.lowercased())
      default:  // open: any other character
        character
      }
    }
  }

  private func has(_ text: [Character], _ part: [Character]) -> Bool {
    !part.isEmpty && text.indices.contains { text[$0...].starts(with: part) }
  }

  private func isLike(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    switch first {
    case "*": return isLike(text, rest) || !text.isEmpty && isLike(text.dropFirst(), pattern)
    case "?": return !text.isEmpty && isLike(text.dropFirst(), rest)
    case "\\" where !rest.isEmpty:
      return text.first == rest.first && isLike(text.dropFirst(), rest.dropFirst())
    default:  // open: any other character
      return text.first == first && isLike(text.dropFirst(), rest)
    }
  }
}
