import Activation
import Predicates
import Testing
import UniformTypes

@testable import Bundle

struct RuleTrialTests {
  private static func trial(_ comparison: String) throws -> RuleTrial {
    let rule = """
      SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a, \(comparison)).@count > 0).@count > 0
      """
    return RuleTrial(.predicate(try Predicate(parsing: rule)), types: .system)
  }

  @Test func `a rule trial with 200 types finds a type whose twin type the rule rejects`() throws {
    let names = (0..<200).map { "'x.y\($0)'" }.joined(separator: ", ")
    var trial = try Self.trial("ANY $a.registeredTypeIdentifiers IN {\(names)}")
    #expect(trial.hiddenTypes() == ["x.y0"])
  }

  @Test func `the trial of a rule with 1,500 types stops at its work budget`() throws {
    let work = { (count: Int) in
      let names = (0..<count).map { "ANY $a.registeredTypeIdentifiers UTI-EQUALS 'x.y\($0)'" }
      var trial = try Self.trial("NOT (\(names.joined(separator: " OR ")))")
      let answer = trial.takes("x.y0")
      _ = trial.hiddenTypes()
      return (trial.budget.elements, answer)
    }
    let (some, answer) = try work(100)
    #expect(answer == false && some < 500_000)
    #expect(try work(1_500).0 < 700_000)
  }

  @Test func `a rule trial that exceeds the work budget has no result`() throws {
    var trial = try Self.trial(
      "ANY $a.registeredTypeIdentifiers MATCHES '\(String(repeating: "(a|aa)*", count: 140))'")
    #expect(trial.takes(.together(1), of: [String(repeating: "a", count: 100_000)]) == nil)
    #expect(trial.takes(.together(1), of: ["a"]) == true)
  }
}
