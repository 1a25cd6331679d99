/// The steps that clients have requested, in the order of the requests, and the one that is carried out.
final class StepQueue {
  /// The steps that have not begun.
  private var waiting: [ControlJob] = []
  /// The number of steps that have begun.
  private(set) var begun = 0
  /// Whether a step is being carried out.
  private(set) var isBusy = false

  var count: Int { waiting.count }
  var isEmpty: Bool { waiting.isEmpty }

  func append(_ job: ControlJob) { waiting.append(job) }

  /// Takes the first step out; nil where none waits, or its client is gone.
  func next() -> ControlJob? {
    guard !waiting.isEmpty else { return nil }
    let job = waiting.removeFirst()
    guard !job.isAbandoned else {
      job.refuse(.abandoned)
      return nil
    }
    return job
  }

  /// Carries out a step, which lasts as long as `body`.
  ///
  /// - Parameter body: a closure that gets the step's number, from 1.
  func carryOut(_ body: (Int) throws(ControlError) -> Void) throws(ControlError) {
    isBusy = true
    defer { isBusy = false }
    begun += 1
    try body(begun)
  }

  /// Removes the steps of clients that have gone.
  func dropAbandoned() {
    let abandoned = waiting.filter(\.isAbandoned)
    waiting.removeAll { job in abandoned.contains { $0 === job } }
    for job in abandoned { job.refuse(.abandoned) }
  }

  /// Refuses all steps that wait.
  ///
  /// - Returns: the number of those steps.
  func end(_ error: ControlError) -> Int {
    let dropped = waiting
    waiting = []
    for job in dropped { job.refuse(error) }
    return dropped.count
  }
}
