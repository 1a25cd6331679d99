internal import EventLoop
internal import Host
internal import Model
internal import Scenario

/// Steps that wait: for time, for quiet, or for what guests do.
extension StepRun {
  func begin(_ wait: Action.Wait) {
    switch wait {
    case .idle: look { [unowned self] in unrest == nil }
    case .duration(let seconds):
      repeatedly(after: UInt64(seconds) * 1_000) { [unowned self] in end() }
    case .item, .decision: lookForWhatCame()
    case .output(let output): lookForOutput(output)
    }
  }

  /// Ends the step once the condition holds, which is looked at again and again: no event announces that a program has
  /// stopped working.
  private func look(_ condition: @escaping () -> Bool) {
    repeatedly(after: 0, every: 5) { [unowned self] in
      guard condition() else { return }
      timer?.stop()
      end()
    }
  }

  /// Calls `body` in a turn of its own.
  func soon(_ body: @escaping () -> Void) {
    repeatedly(after: 0) { [unowned self] in
      timer?.stop()
      body()
    }
  }

  private func repeatedly(
    after delay: UInt64, every interval: UInt64 = 0, _ body: @escaping () -> Void
  ) {
    timer?.close()
    timer = try? Timer(on: device.loop, body)
    guard let timer else { return fail("there is no timer for it") }
    timer.start(after: delay, every: interval)
  }

  /// Ends a step that waits for a line, where the guest has written it, or is gone.
  private func lookForOutput(_ output: Action.ExpectedOutput) {
    var search = LineSearch(output.text)
    search.append(caseDevice.watch.unreadOutput(of: output.guest))
    self.search = search
    if search.isFound { return end() }
    repeatedly(after: 0, every: 50) { [unowned self] in giveUpOn(output) }
  }

  /// Takes notice of what a guest has written.
  func wrote(_ text: String, _ guest: String) {
    guard case .wait(.output(let output)) = step.action, output.guest == guest, !isDone else {
      return
    }
    search?.append(text)
    if search?.isFound == true { end() }
  }

  /// Ends a step that waits for a line of a guest that has ended, or that never ran and nothing can start.
  private func giveUpOn(_ output: Action.ExpectedOutput) {
    let end = device.guests.exitCause(of: output.guest)
    guard !isDone, !device.guests.isRunning(output.guest), unrest == nil,
      end != nil || !isStartedByOthers
    else { return }
    timer?.stop()
    let found = caseDevice.watch.unreadOutput(of: output.guest)
    let cause = end.map { ": \($0.text)" } ?? ""
    fail("\(output.absence(from: found)), and does not run\(cause)")
  }

  /// Ends a step that waits for an item or a decision, where it has come.
  func lookForWhatCame() {
    guard !isDone, case .wait(let wait) = step.action else { return }
    switch wait {
    case .item(let item): if traffic.take(item) { end() }
    case .decision(let decision): if traffic.ownRequests.take(decision) { end() }
    case .idle, .duration, .output: return
    }
  }

  /// The guest that works or the request that is on its way, in a clause; nil where all is quiet.
  private var unrest: String? { traffic.text ?? device.rest.activity }

  /// The reason why the step is not done; nil where it is done, or all is quiet.
  var standstill: String? {
    guard !isDone else { return nil }
    guard case .wait(let wait) = step.action else { return unrest }
    switch wait {
    case .item(let item):
      let others = traffic.items(for: item.guest)
      return "`\(item.guest)` did not get \(item.words)"
        + (others.isEmpty ? "" : "; it got \(others.joined(separator: ", "))")
    case .decision(let decision):
      let others = traffic.ownRequests.words(of: decision.guest)
      return "the device did not decide on \(decision.words)"
        + (others.isEmpty ? "" : "; there was \(others.joined(separator: ", "))")
    case .output(let output):
      return output.absence(from: caseDevice.watch.unreadOutput(of: output.guest))
    case .idle, .duration: return unrest
    }
  }
}
