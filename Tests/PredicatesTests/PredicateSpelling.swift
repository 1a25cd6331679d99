import TestSupport

/// Writes predicates, each time in a different spelling that NSPredicate allows.
struct PredicateSpelling {
  private var generator: SeededGenerator
  /// The name of the list that `$t` iterates over.
  private let list: String

  init(seed: UInt64, list: String) {
    generator = SeededGenerator(seed: seed)
    self.list = list
  }

  /// Returns a predicate that is true if `predicate` is true for this number of the list's
  /// elements.
  mutating func text(of predicate: NaivePredicate, holdingFor count: Int) -> String {
    let keyword = pick(["SUBQUERY", "subquery "])
    return "\(keyword)(\(list),\(space)$t, \(text(of: predicate))).@count == \(count)"
  }

  private mutating func text(of predicate: NaivePredicate) -> String {
    let text: String
    switch predicate {
    case .constant(let holds): text = cased(holds ? "TRUEPREDICATE" : "FALSEPREDICATE")
    case .not(let inner): text = pick(["!", "NOT ", "not "]) + part(inner)
    case .all(let parts): text = chain(parts, [" AND ", " && ", " and\n"])
    case .any(let parts): text = chain(parts, [" OR ", " || ", " oR\t"])
    case .comparison(let comparison): text = self.text(of: comparison)
    }
    return once(in: 5) ? "(\(space)\(text)\(space))" : text
  }

  private mutating func chain(_ parts: [NaivePredicate], _ separators: [String]) -> String {
    parts.map { part($0) }.joined(separator: pick(separators))
  }

  /// Adds brackets where they are necessary.
  private mutating func part(_ predicate: NaivePredicate) -> String {
    switch predicate {
    case .all, .any: "(" + text(of: predicate) + ")"
    case .constant, .not, .comparison: text(of: predicate)
    }
  }

  private mutating func text(of comparison: NaiveComparison) -> String {
    let spellings = [
      "==": ["==", "="], "!=": ["!=", "<>"], "<=": ["<=", "=<"], ">=": [">=", "=>"],
    ]
    let quantifier = comparison.quantifier.isEmpty ? "" : cased(comparison.quantifier) + " "
    let comparator = cased(pick(spellings[comparison.comparator] ?? [comparison.comparator]))
    let options = comparison.options.isEmpty ? "" : "[" + cased(comparison.options) + "]"
    return quantifier + text(of: comparison.left) + " " + comparator + options + " "
      + text(of: comparison.right)
  }

  private mutating func text(of operand: NaiveOperand) -> String {
    let text =
      switch operand {
      case .text(let text): literal(text)
      case .texts(let texts): "{" + texts.map { literal($0) }.joined(separator: ", ") + "}"
      case .number(let number): String(number)
      case .numbers(let numbers): "{" + numbers.map { String($0) }.joined(separator: ",") + "}"
      case .theText: "$t"
      case .theTexts: list
      case .theCount: list + pick([".@count", " . @count"])
      }
    return once(in: 8) ? "(\(text)\(space))" : text
  }

  private mutating func literal(_ text: String) -> String {
    let quote: Character = once(in: 2) ? "'" : "\""
    var literal = String(quote)
    for character in text {
      switch character {
      case "\\", quote: literal += "\\" + String(character)
      case "'", "\"": literal += (once(in: 2) ? "\\" : "") + String(character)
      case "\n": literal += once(in: 2) ? "\\n" : "\n"
      case "\t": literal += "\\t"
      default:  // open: any other character
        literal.append(character)
      }
    }
    return literal + String(quote)
  }

  private mutating func cased(_ keyword: String) -> String {
    once(in: 3) ? keyword.lowercased() : keyword
  }

  private var space: String { mutating get { pick(["", "", " ", "\r\n"]) } }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &generator)]
  }

  private mutating func once(in count: Int) -> Bool {
    Int.random(in: 0..<count, using: &generator) == 0
  }
}
