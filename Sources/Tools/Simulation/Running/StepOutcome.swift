internal import JSON
internal import Scenario

/// The outcome of a step, over all the times that it was carried out.
struct StepOutcome {
  private var last: StepResult?
  private var observed: [Observation] = []
  private var count = 0
  private var failed = 0

  mutating func add(_ result: StepResult?, observed: [Observation]) {
    last = result
    self.observed = observed
    count += 1
    if result?.holds != true { failed += 1 }
  }

  /// Writes the result of the last time, and the number of times that the step did not hold.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("holds", failed == 0 && count > 0)
    writer.member("times", count)
    writer.member("failed", failed)
    last?.writeMembers(to: &writer)
    writer.array("observed") { writer in
      for observation in observed { observation.write(to: &writer) }
    }
    writer.array("report") { writer in
      for line in last?.report ?? [] { writer.string(line) }
    }
  }
}
