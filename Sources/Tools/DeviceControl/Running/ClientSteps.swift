internal import Encodings
internal import Host
internal import Model
internal import Scenario
internal import Simulation

/// Performs the steps that clients request. A step is parsed when it is requested, and again before it is performed.
final class ClientSteps {
  private let reader: StepReader
  private let run: CaseRun
  private let queue: StepQueue
  private let shutdown: Shutdown
  private let recording: Recording?

  init(
    of scenario: Scenario, on run: CaseRun, _ queue: StepQueue, _ shutdown: Shutdown,
    _ recording: Recording?
  ) {
    self.recording = recording
    reader = StepReader(scenario)
    self.run = run
    self.queue = queue
    self.shutdown = shutdown
  }

  /// Queues a step. Errors are reported immediately. The step is checked again before it is
  /// performed, because accounts may have changed.
  func accept(_ job: ControlJob) throws(ControlError) {
    _ = try entry(of: job.request)
    try shutdown.checkNotBegun()
    queue.append(job)
  }

  /// Returns the step in a request. If the method is `step`, the parameter contains the step's keys or its text.
  /// Otherwise, the method is the step's keyword, and the parameter is the keyword's value.
  private func entry(of request: ControlRequest) throws(ControlError) -> StepEntry {
    let isStep = request.method == ControlMethod.step.rawValue
    guard isStep || StepReader.words.contains(request.method) else { throw request.isUnknown }
    let value = try request.onlyParameter()
    do throws(ScenarioErrors) {
      guard isStep else { return try reader.step(request.method, json: value) }
      if let text = value.string { return try reader.step(yaml: text) }
      return try reader.step(json: value)
    } catch {
      throw ControlError(error)
    }
  }

  /// Performs the next step in the queue, if it is still valid.
  func carryOutNext() {
    guard let job = queue.next() else { return }
    do throws(ControlError) {
      let entry = try entry(of: job.request)
      try queue.carryOut { (number) throws(ControlError) in
        try carryOut(entry, number: number, for: job)
      }
    } catch {
      job.refuse(error)
    }
  }

  private func carryOut(
    _ entry: StepEntry, number: Int, for job: ControlJob
  ) throws(ControlError) {
    var all = StepOutcome()
    for _ in 0..<entry.step.count {
      // A step that has begun is completed, but is not repeated if no client waits for it any more.
      guard !shutdown.hasBegun, !job.isAbandoned, !run.isOver else { break }
      let start = run.journalSize
      let observed = run.perform(entry.step, number: number, from: .client).map(\.observation)
      let events = try events(from: start)
      let result = StepResult(of: events, returned: run.traffic.takeReturned())
      if let failure = result?.failures.first {
        recording?.record(
          entry, failed: failure, events.contains(where: \.isEffect) ? .some : .none)
      } else {
        recording?.record(entry, observed)
      }
      all.add(result, observed: observed)
    }
    recording?.finishStep()
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

extension JournalEvent {
  /// Whether the event records an effect on the device; false for a step's beginning or failure, and for an
  /// expectation.
  fileprivate var isEffect: Bool {
    switch kind {
    case .stepBegan, .stepFailed, .expectation: false
    case .deviceStarted, .deviceStopped, .clockRead, .caseBegan, .caseEnded, .faultInjected,
      .itemArrived, .guestStarted, .guestReady, .guestSuspended, .guestResumed, .guestExited,
      .claimIgnored, .accountEnrolled, .accountSignedIn, .accountSignedOut, .identitySwitched,
      .identitySwitchRequired, .accessChecked, .accountNotAllowed, .accountRenamed, .wipeAdvanced,
      .accountWiped, .policyChanged, .policySaved, .appConfigured, .configurationDelivered,
      .notificationPosted,
      .telemetryRecorded, .declarationsApplied, .managedAppChanged, .administratorInformed,
      .delegateAsked, .enrollmentAsked, .enrollmentAnswered, .complianceAnswered,
      .remediationLooped, .policyAbsent, .policyStated, .factsStated, .decided, .ended,
      .extensionCompleted, .extensionCancelled:
      true
    }
  }
}

// MARK: Queue

/// The queue of steps that clients have requested, and the step in progress.
final class StepQueue {
  private var waiting: [ControlJob] = []
  private(set) var begun = 0
  private(set) var isBusy = false

  var count: Int { waiting.count }
  var isEmpty: Bool { waiting.isEmpty }

  func append(_ job: ControlJob) { waiting.append(job) }

  /// Removes and returns the first step. Returns nil if there is none, or its client has
  /// disconnected.
  func next() -> ControlJob? {
    guard !waiting.isEmpty else { return nil }
    let job = waiting.removeFirst()
    guard !job.isAbandoned else {
      job.refuse(.abandoned)
      return nil
    }
    return job
  }

  /// Marks a step as in progress while `body` runs.
  ///
  /// - Parameter body: Called with the number of the step, from 1.
  func carryOut(_ body: (Int) throws(ControlError) -> Void) throws(ControlError) {
    isBusy = true
    defer { isBusy = false }
    begun += 1
    try body(begun)
  }

  /// Removes the steps of disconnected clients.
  func dropAbandoned() {
    let abandoned = waiting.filter(\.isAbandoned)
    waiting.removeAll { job in abandoned.contains { $0 === job } }
    for job in abandoned { job.refuse(.abandoned) }
  }

  /// Refuses all queued steps with the error, and returns their count.
  func end(_ error: ControlError) -> Int {
    let dropped = waiting
    waiting = []
    for job in dropped { job.refuse(error) }
    return dropped.count
  }
}

// MARK: - Outcome

/// The outcome of a step with all its repetitions.
private struct StepOutcome {
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

  /// Writes the result of the last repetition, the number of repetitions, and the number of failed repetitions.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("holds", failed == 0 && count > 0)
    writer.member("times", count)
    writer.member("failed", failed)
    last?.writeMembers(to: &writer)
    writer.array("observed", of: observed) { $1.write(to: &$0) }
    writer.strings("report", last?.report ?? [])
  }
}
