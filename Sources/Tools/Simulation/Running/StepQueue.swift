/// Steps that clients have asked for, in the order in which they did, and the one that is carried out.
final class StepQueue {
  /// Those that nobody has begun yet.
  private var waiting: [ControlJob] = []
  /// How many steps have begun.
  private(set) var begun = 0
  /// Whether a step is being carried out.
  private(set) var isBusy = false

  var count: Int { waiting.count }
  var isEmpty: Bool { waiting.isEmpty }

  func append(_ job: ControlJob) { waiting.append(job) }

  /// Takes the first one out; nil where none waits that anybody wants the answer of.
  func next() -> ControlJob? {
    guard !waiting.isEmpty else { return nil }
    let job = waiting.removeFirst()
    guard !job.isAbandoned else {
      job.refuse(.abandoned)
      return nil
    }
    return job
  }

  /// A step begins, and ends when `body` does.
  ///
  /// - Parameter body: gets the step's number, from 1.
  func carryOut(_ body: (Int) throws(ControlError) -> Void) throws(ControlError) {
    isBusy = true
    defer { isBusy = false }
    begun += 1
    try body(begun)
  }

  /// Steps of clients that have gone are not begun.
  func dropAbandoned() {
    let abandoned = waiting.filter(\.isAbandoned)
    waiting.removeAll { job in abandoned.contains { $0 === job } }
    for job in abandoned { job.refuse(.abandoned) }
  }

  /// Nothing is begun any more.
  ///
  /// - Returns: how many steps waited.
  func end(_ error: ControlError) -> Int {
    let dropped = waiting
    waiting = []
    for job in dropped { job.refuse(error) }
    return dropped.count
  }
}
