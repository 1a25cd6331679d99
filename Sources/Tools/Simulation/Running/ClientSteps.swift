internal import Host
internal import JSON
internal import Scenario
internal import Model

/// Steps of clients: read when they are asked for, carried out when their turn comes.
final class ClientSteps {
  private let reader: StepReader
  private let run: CaseRun
  private let queue: StepQueue
  private let shutdown: Shutdown

  init(of scenario: Scenario, on run: CaseRun, _ queue: StepQueue, _ shutdown: Shutdown) {
    reader = StepReader(scenario)
    self.run = run
    self.queue = queue
    self.shutdown = shutdown
  }

  /// A mistake is answered at once, and again looked for when its turn comes: accounts may be others then.
  func take(_ job: ControlJob) throws(ControlError) {
    _ = try step(of: job.request)
    try shutdown.checkNotBegun()
    queue.append(job)
  }

  /// The step that a request means: `step` with the step's keys, or as text; or the step's own word with what belongs
  /// to it.
  private func step(of request: ControlRequest) throws(ControlError) -> Step {
    let isStep = request.method == ControlMethod.step.rawValue
    guard isStep || StepReader.words.contains(request.method) else { throw request.isUnknown }
    let value = try request.onlyParameter()
    do throws(ScenarioError) {
      guard isStep else { return try reader.step(request.method, json: value) }
      if let text = value.string { return try reader.step(yaml: text) }
      return try reader.step(json: value)
    } catch {
      throw ControlError(error)
    }
  }

  /// Carries out the first one that waits, where it still can be.
  func carryOutNext() {
    guard let job = queue.next() else { return }
    do throws(ControlError) {
      let step = try step(of: job.request)
      try queue.carryOut { (number) throws(ControlError) in
        try carryOut(step, number: number, for: job)
      }
    } catch {
      job.refuse(error)
    }
  }

  private func carryOut(_ step: Step, number: Int, for job: ControlJob) throws(ControlError) {
    var all = StepOutcome()
    for _ in 0..<step.count {
      // What has begun is carried out to its end, and no more is begun for nobody.
      guard !shutdown.hasBegun, !job.isAbandoned, !run.isOver else { break }
      let start = run.journalSize
      let runs = run.perform(step, number: number, from: .client)
      all.add(
        StepResult(of: try events(from: start), returned: run.traffic.returned),
        observed: runs.map(\.observation))
    }
    job.answer { id in ControlAnswer.result(id) { all.writeMembers(to: &$0) } }
  }

  private func events(from start: Int) throws(ControlError) -> [JournalEvent] {
    do throws(RunError) {
      return try JournalFile.read(run.device.journalPath, from: start)
    } catch {
      throw ControlError(.internal, error.description)
    }
  }
}
