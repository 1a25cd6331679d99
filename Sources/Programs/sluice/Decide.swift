internal import ArgumentParser
internal import Foundation
internal import Replay
internal import Simulation

struct Decide: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "decide",
    abstract: "Decide requests on standard input under policies, one JSON object a line.",
    discussion: """
      sluice decide policy.json < requests.jsonl

      Writes a verdict for each request, in the same order. docs/decide.md and docs/schema/decide-*.schema.json \
      describe both. No process is started.

      sluice decide --tenant exports/ < requests.jsonl

      The accounts of requests are users of the tenant, and --user is the account of an app that acts without one. \
      If a verdict depends on facts that the export does not state, the answer has `alternatives`.

      Exit status: 0 all decided, 2 a policy or a request is invalid (requests before it are answered), 64 \
      usage.
      """)

  @OptionGroup var policies: PolicySourceOptions

  func perform() throws(RunError) {
    switch try policies.source() {
    case .policies(let documents):
      var decider = Decider(documents)
      try answerInput { line, number throws(RunError) in
        (try decider.answer(line, number: number), decider.warnings)
      }
    case .tenant(let query):
      var decisions = TenantDecisions(query)
      try answerInput { line, number throws(RunError) in
        let answers = try decisions.decisions(on: line, number: number)
        return (answers, decisions.decider.warnings)
      }
    }
  }

  /// Writes an answer for each request on standard input.
  ///
  /// - Parameter answer: Gets a line of the input and its number. Returns the answer, and the warnings of this and
  ///   earlier lines.
  private func answerInput(
    _ answer: (String, Int) throws(RunError) -> (line: [UInt8], warnings: [String])
  ) throws(RunError) {
    var number = 0
    var reported: Set<String> = []
    while let line = readLine() {
      number += 1
      guard line.contains(where: { !$0.isWhitespace }) else { continue }
      let (answer, warnings) = try answer(line, number)
      for warning in warnings where reported.insert(warning).inserted { Failure.print(warning) }
      // The reader of the output has closed it.
      guard (try? FileHandle.standardOutput.write(contentsOf: Data(answer))) != nil else {
        return
      }
    }
  }
}
