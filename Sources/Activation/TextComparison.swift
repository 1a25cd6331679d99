/// The operators on strings.
struct TextComparison {
  let comparator: Comparison.Comparator
  let options: Comparison.Options

  /// - Precondition: the operator is one on two strings, and not one that needs types or a pattern.
  func holds(_ left: String, _ right: String) -> Bool {
    guard !options.isEmpty else { return compare(left, right) }
    let folding = TextFolding(options)
    return compare(folding.fold(left), folding.fold(right))
  }

  private func compare(_ left: String, _ right: String) -> Bool {
    switch comparator {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .beginsWith: left.hasPrefix(right)
    case .endsWith: left.hasSuffix(right)
    case .contains: Self.contains(left, right)
    case .isIn: Self.contains(right, left)
    case .like: Self.isLike(left, right)
    case .conformsTo, .typeEquals, .matches:
      preconditionFailure("the operator does not compare strings by their characters")
    }
  }

  private static func contains(_ text: String, _ part: String) -> Bool {
    if part.isEmpty { return false }
    var rest = text[...]
    while !rest.isEmpty {
      if rest.hasPrefix(part) { return true }
      rest.removeFirst()
    }
    return false
  }

  /// `?` stands for one character, `*` for any number, `\` before them for themselves.
  private static func isLike(_ text: String, _ pattern: String) -> Bool {
    let text = Array(text)
    let pattern = wildcards(in: pattern)
    var place = 0
    var step = 0
    var resumption: (place: Int, step: Int)?
    while place < text.count {
      if step < pattern.count, case .any = pattern[step] {
        resumption = (place, step)
        step += 1
      } else if step < pattern.count, pattern[step].fits(text[place]) {
        place += 1
        step += 1
      } else if let last = resumption {
        place = last.place + 1
        step = last.step + 1
        resumption = (place, last.step)
      } else {
        return false
      }
    }
    return pattern[step...].allSatisfy { if case .any = $0 { true } else { false } }
  }

  private enum Wildcard {
    case literal(Character)
    case one
    case any

    func fits(_ character: Character) -> Bool {
      switch self {
      case .literal(let literal): literal == character
      case .one: true
      case .any: false
      }
    }
  }

  private static func wildcards(in pattern: String) -> [Wildcard] {
    var wildcards: [Wildcard] = []
    var isEscaped = false
    for character in pattern {
      switch character {
      case _ where isEscaped:
        wildcards.append(.literal(character))
        isEscaped = false
      case "\\": isEscaped = true
      case "?": wildcards.append(.one)
      case "*": wildcards.append(.any)
      default: wildcards.append(.literal(character))
      }
    }
    return isEscaped ? wildcards + [.literal("\\")] : wildcards
  }
}
