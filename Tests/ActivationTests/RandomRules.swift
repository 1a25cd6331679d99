@testable import Activation
import TestSupport

/// Draws rules and items.
struct RandomRules {
  var generator: SeededGenerator
  private var variables: [(name: String, kind: ValueKind)] = []

  static let types = [
    "public.image", "public.jpeg", "public.PNG", "public.movie", "public.mpeg-4", "public.url",
    "public.file-url", "public.data", "public.text", "public.plain-text", "com.adobe.pdf",
    "public.item",
    "public.folder", "com.apple.property-list", "com.example.note", "public.contact",
  ]

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func items() -> [SharedItem] {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in
      SharedItem(
        attachments: (0..<Int.random(in: 0...3, using: &generator)).map { _ in
          SharedAttachment(
            registeredTypeIdentifiers: (0..<Int.random(in: 0...3, using: &generator)).map { _ in
              type()
            })
        })
    }
  }

  mutating func dictionary() -> NaiveDictionary {
    var maxima: [AttachmentKind: Int] = [:]
    for kind in AttachmentKind.allCases where generator.once(in: 3) {
      maxima[kind] = Int.random(in: 0...3, using: &generator)
    }
    return NaiveDictionary(
      maxima: maxima, most: generator.once(in: 3) ? Int.random(in: 0...3, using: &generator) : nil,
      least: generator.once(in: 4) ? Int.random(in: 0...2, using: &generator) : nil,
      isStrict: generator.once(in: 4), version: generator.once(in: 2) ? 1 : 2)
  }

  /// Draws a predicate.
  ///
  /// - Parameter onlyTypes: Whether types are compared only with `UTI-` operators, for which twins
  ///   are made.
  mutating func predicate(onlyTypes: Bool) -> String {
    variables = []
    return clause(depth: 3, onlyTypes)
  }

  private mutating func type() -> String { pick(Self.types) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &generator)]
  }

  private mutating func clause(depth: Int, _ onlyTypes: Bool) -> String {
    switch depth > 0 ? Int.random(in: 0...7, using: &generator) : 7 {
    case 0: return pick(["TRUEPREDICATE", "falsepredicate"])
    case 1: return pick(["NOT ", "!"]) + "(" + clause(depth: depth - 1, onlyTypes) + ")"
    case 2: return chain(depth: depth, pick([" AND ", "&&", " and\n"]), onlyTypes)
    case 3: return "(" + chain(depth: depth, pick([" OR ", " || ", " oR\t"]), onlyTypes) + ")"
    default:  // open: the last of the numbers
      return comparison(depth: depth, onlyTypes)
    }
  }

  private mutating func chain(depth: Int, _ separator: String, _ onlyTypes: Bool) -> String {
    (0..<Int.random(in: 2...3, using: &generator)).map { _ in
      "(" + clause(depth: depth - 1, onlyTypes) + ")"
    }.joined(separator: separator)
  }

  private mutating func comparison(depth: Int, _ onlyTypes: Bool) -> String {
    let lists = variables.filter { $0.kind == .attachment }
    let texts = variables.filter { $0.kind == .text }
    if let text = texts.last, generator.once(in: 2) {
      return "$\(text.name) \(typeOperator(onlyTypes))"
    }
    if let list = lists.last, !generator.once(in: 4) {
      let path = "$\(list.name).registeredTypeIdentifiers"
      if !onlyTypes, generator.once(in: 5) {
        return pick(["\(path) CONTAINS[c] '\(type())'", "'\(type())' IN \(path)"])
      }
      return pick(["ANY ", "SOME ", "all ", "NONE "]) + path + " " + typeOperator(onlyTypes)
    }
    let comparator = pick(["==", "=", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"])
    let sides = [
      count(depth: depth, onlyTypes),
      generator.once(in: 3) ? count(depth: depth, onlyTypes) : pick(["0", "1", "2"]),
    ]
    let order = generator.once(in: 2) ? sides : sides.reversed()
    return order.joined(separator: comparator)
  }

  private mutating func typeOperator(_ onlyTypes: Bool) -> String {
    if onlyTypes { return pick(["UTI-CONFORMS-TO", "uti-equals"]) + #" "\#(type())""# }
    return pick([
      "UTI-CONFORMS-TO '\(type())'", #"UTI-EQUALS "\#(type())""#, "== '\(type())'",
      "!=[c] '\(type())'",
      "<= '\(type())'", "BEGINSWITH[cd] 'PUBLIC.'", "ENDSWITH 'e'", "CONTAINS '.p'",
      "LIKE 'public.?*g'",
      "MATCHES 'public\\\\.[a-m]+(-.*)?'", "IN {'\(type())', '\(type())'}",
      "IN 'public.url public.jpeg'",
    ])
  }

  private mutating func count(depth: Int, _ onlyTypes: Bool) -> String {
    list(depth: depth, onlyTypes) + ".@count"
  }

  private mutating func list(depth: Int, _ onlyTypes: Bool) -> String {
    let items = variables.filter { $0.kind == .item }
    let attachments = variables.filter { $0.kind == .attachment }
    var choices: [(String, ValueKind)] = [("extensionItems", .item)]
    if let item = items.last {
      choices += Array(repeating: ("$\(item.name).attachments", .attachment), count: 3)
    }
    if let attachment = attachments.last {
      choices.append(("$\(attachment.name).registeredTypeIdentifiers", .text))
    }
    let (path, kind) = pick(choices)
    guard depth > 0, !generator.once(in: 4) else { return path }
    let name = "v\(variables.count)"
    variables.append((name, kind))
    defer { variables.removeLast() }
    return "SUBQUERY(\(path), $\(name), \(clause(depth: depth - 1, onlyTypes)))"
  }
}

extension SeededGenerator {
  /// Returns true with a probability of 1 / `count`.
  mutating func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
