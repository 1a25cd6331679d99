internal import ArgumentParser
internal import Foundation
internal import JSON
internal import Policy
internal import Simulation

struct Decide: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "decide",
    abstract: "Decide requests on standard input under policies, one JSON object a line.",
    discussion: """
      sluice decide policy.json < requests.jsonl

      Writes a verdict for each request, in the same order. docs/decide.md and docs/schema/decide-*.schema.json \
      describe both. No process is started.

      Exit status: 0 all decided, 2 a policy or a request is invalid (requests before it are answered), 64 \
      usage.
      """)

  @OptionGroup var paths: PolicyPaths

  func perform() throws(RunError) {
    var decider = Decider(try PolicyArguments.documents(paths.policies))
    var number = 0
    var told: Set<String> = []
    while let line = readLine() {
      number += 1
      guard line.contains(where: { !$0.isWhitespace }) else { continue }
      let answer = try decider.answer(line, number: number)
      for warning in decider.warnings where told.insert(warning).inserted {
        Failure.print(warning)
      }
      // The reader has closed the output.
      guard (try? FileHandle.standardOutput.write(contentsOf: Data(answer))) != nil else {
        return
      }
    }
  }
}
