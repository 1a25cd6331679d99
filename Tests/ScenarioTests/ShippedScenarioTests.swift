import Encodings
import Scenario
import TestSupport
import Testing

@Suite struct ShippedScenarioTests {
  static let files = Repository.files(in: "scenarios", suffix: ".yaml")

  private static func read(_ file: String) throws -> Scenario {
    try Scenario.read(Repository.read(file), file: file)
  }

  @Test(arguments: files) func `every shipped scenario is valid`(file: String) throws {
    let scenario = try Self.read(file)
    #expect(!scenario.cases.isEmpty)
    for policy in scenario.policies {
      let folder = file.split(separator: "/").dropLast().joined(separator: "/")
      switch policy.document {
      case .file(let path): #expect(Repository.exists("\(folder)/\(path)"), "\(path)")
      case .inline(let json): #expect(throws: Never.self) { try JSONReader.read(json) }
      }
    }
  }

  @Test(arguments: files) func `every transfer in a shipped scenario expects a verdict and a rule`(
    file: String
  ) throws {
    for step in try Self.read(file).cases.flatMap(\.steps) {
      let detail = step.action.detail
      guard
        detail is Action.Share || detail is Action.Import || detail is Action.Paste
          || detail is Action.OpenURL
      else { continue }
      let expectation = try #require(step.expectation, "\(step.position)")
      #expect(expectation.verdict != nil && expectation.end != nil, "\(step.position)")
      let rules = expectation.reasons + [expectation.deciding].compactMap(\.self)
      #expect(!rules.isEmpty, "\(step.position)")
    }
  }

  @Test func `every exit criterion such as SEND-1 has a shipped scenario case`() throws {
    let criteria = try Self.files.flatMap { try Self.read($0).cases.compactMap(\.criterion) }
    let expected =
      (1...4).flatMap { ["SEND-\($0)", "IMPORT-\($0)", "RECEIVE-\($0)"] }
      + (1...3).flatMap { ["LOGIN-\($0)", "VIEW-\($0)", "SAVE-\($0)", "OPEN-\($0)"] }
      + (1...2).flatMap { ["LOGOUT-\($0)", "KILL-\($0)", "PRINT-\($0)", "PAUSE-\($0)"] }
    let others =
      ["CONFIG-1", "COPY-1", "CA-1", "CA-2", "CA-3"]
      + (1...6).map { "MA-\($0)" }
    #expect(Set(criteria) == Set(expected + others))
  }

}
