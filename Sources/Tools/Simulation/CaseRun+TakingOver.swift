internal import Host
internal import Model
internal import Scenario

/// A device whose process was lost with the machine that it ran on.
extension CaseRun {
  /// Goes on where the device's journal ends: what was being carried out there is over, but time that was to pass passes. A device
  /// that has begun no step begins with the first.
  ///
  /// - Parameter journal: the events of the case until then.
  /// - Throws: ``RunError`` where the scenario's apps cannot be installed again.
  func takeOver(_ member: CaseDevice, after journal: [JournalEvent]) throws(RunError) {
    let begun = journal.enumerated().compactMap { index, event in
      if case .stepBegan(let step, _, _) = event.kind {
        (step: step, time: event.time, index: index)
      } else {
        nil
      }
    }
    guard let last = begun.last else { return try setUp() }
    cursor.skip(to: last.step, begun: begun.count { $0.step == last.step })
    let passed = begun.flatMap { places(of: test.steps[$0.step - 1], on: devices).map(\.step) }
    try member.takeOver(after: passed)
    let step = test.steps[last.step - 1]
    if case .advance = step.action {
      resume(
        StepRun(step, number: last.step, from: .scenario, on: member, since: last.time),
        number: last.step)
    } else if !step.hasEnded(in: journal[last.index...]) {
      member.device.note(.stepFailed(step: last.step, why: "the device's host was lost"))
    }
    for number in unstruckFaults(in: journal) {
      member.device.note(
        .stepFailed(step: number, why: "the fault was lost with the device's host"))
    }
  }

  /// The numbers of the steps whose faults are not known to have struck.
  private func unstruckFaults(in journal: [JournalEvent]) -> [Int] {
    var armed: [Int] = []
    for event in journal {
      switch event.kind {
      case .stepBegan(let number, _, _):
        if case .fault = test.steps[number - 1].action { armed.append(number) }
      case .faultInjected: if !armed.isEmpty { armed.removeFirst() }
      default: continue
      }
    }
    return armed
  }
}

extension Step {
  /// Whether a journal tells that the step has ended, of which this is the rest from its beginning on.
  fileprivate func hasEnded(in journal: ArraySlice<JournalEvent>) -> Bool {
    var decided: Set<Int> = []
    var ended: Set<Int> = []
    for event in journal {
      switch event.kind {
      case .expectation: return true
      case .decided(let decision): decided.insert(decision.request)
      case .ended(let request, _, _, _): ended.insert(request)
      default: continue
      }
    }
    guard decided.isEmpty else { return expectation == nil && decided.isSubset(of: ended) }
    switch action {
    case .device, .status, .assign, .savePolicy, .assignConfiguration, .rename, .service,
      .conditionalAccess, .fault:
      return expectation == nil
    default: return false
    }
  }
}
