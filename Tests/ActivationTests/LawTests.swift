@testable import Activation
import TestSupport
import Testing
import UniformTypes

struct LawTests {
  static let library = TypeLibrary.system.adding([
    TypeDeclaration(
      identifier: "com.example.note", conformsTo: ["public.plain-text"],
      origin: .exported(by: "com.example"))
  ])

  @Test func `a predicate's evaluation and its explanation agree with a naive evaluator`() throws {
    var random = RandomRules(seed: 1)
    var holding = 0
    for _ in 0..<400 * thoroughness {
      let predicate = try Predicate(parsing: random.predicate(onlyTypes: false))
      let items = random.items()
      let rule = ActivationRule.predicate(predicate)
      let expected = NaiveRule.holds(
        predicate.root, NaiveRule.Scope(items: items, types: Self.library))
      #expect(rule.matches(items, types: Self.library) == expected, "\(predicate) \(items)")
      let explanation = rule.explain(items, types: Self.library)
      #expect(explanation.verdict == (expected ? .holds : .fails))
      #expect(explanation.decides)
      holding += expected ? 1 : 0
    }
    #expect((80...320).contains(holding / thoroughness), "\(holding)")
  }

  @Test func `printed predicates parse to equal predicates`() throws {
    var random = RandomRules(seed: 2)
    for _ in 0..<400 * thoroughness {
      let predicate = try Predicate(parsing: random.predicate(onlyTypes: false))
      let again = try Predicate(parsing: predicate.description)
      #expect(again == predicate)
      #expect(again.description == predicate.description)
    }
  }

  @Test func `a dictionary rule and its predicate agree with a naive evaluator`()
    throws
  {
    var random = RandomRules(seed: 3)
    var matching = 0
    for _ in 0..<300 * thoroughness {
      let naive = random.dictionary()
      let rewritten = try naive.rule.rewritten()
      for items in [random.items(), random.items()] {
        let expected = naive.matches(items)
        #expect(naive.rule.matches(items, types: .system) == expected, "\(naive) \(items)")
        #expect(rewritten.matches(items, types: .system) == expected, "\(naive) \(items)")
        #expect(rewritten.matches(Fixtures.twins(of: items), types: .system) == expected)
        #expect(naive.rule.explain(items, types: .system).verdict == (expected ? .holds : .fails))
        matching += expected ? 1 : 0
      }
    }
    #expect(matching > 30 * thoroughness, "\(matching)")
  }

  @Test func `rewriting a rule is idempotent and makes it treat twin types like original types`()
    throws
  {
    var random = RandomRules(seed: 4)
    for _ in 0..<400 * thoroughness {
      let rule = ActivationRule.predicate(try Predicate(parsing: random.predicate(onlyTypes: true)))
      let rewritten = try rule.rewritten()
      let items = random.items()
      let expected = rule.matches(items, types: Self.library)
      #expect(rewritten.matches(items, types: Self.library) == expected, "\(rule) \(items)")
      #expect(
        rewritten.matches(Fixtures.twins(of: items), types: Self.library) == expected,
        "\(rule) \(items)")
      guard case .predicate(let once) = rewritten,
        case .predicate(let twice) = try rewritten.rewritten()
      else { return }
      #expect(once.source == twice.source)
    }
  }

  @Test func `in an explanation, the parts marked as deciding determine the rule's result`() throws
  {
    var random = RandomRules(seed: 5)
    for _ in 0..<200 * thoroughness {
      let predicate = try Predicate(parsing: random.predicate(onlyTypes: false))
      let explanation = ActivationRule.predicate(predicate).explain(random.items(), types: .system)
      #expect(Self.isConsistent(explanation), "\(predicate)")
    }
  }

  /// Returns whether the explanation is consistent: a decisive part is inside a decisive part, and
  /// a chain's result follows from its decisive parts.
  static func isConsistent(_ explanation: ActivationExplanation) -> Bool {
    let deciding = explanation.parts.filter(\.decides)
    guard explanation.decides || deciding.isEmpty else { return false }
    let agrees: Bool =
      switch explanation.text {
      case "all of these", "any of these":
        !explanation.decides
          || !deciding.isEmpty && deciding.allSatisfy { $0.verdict == explanation.verdict }
      default:  // open: any other text
        true
      }
    return agrees && explanation.parts.allSatisfy(isConsistent)
  }
}
