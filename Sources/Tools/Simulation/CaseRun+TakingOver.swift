internal import Host
internal import Model
internal import Scenario

/// A device whose process was lost with the machine that it ran on.
extension CaseRun {
  /// Goes on where the device's journal ends: what was being carried out there is over, but time that was to pass passes.
  ///
  /// - Parameter journal: the events of the case until then.
  /// - Throws: ``RunError`` where the scenario's apps cannot be installed again.
  func takeOver(_ member: CaseDevice, after journal: [JournalEvent]) throws(RunError) {
    let begun = journal.compactMap { event in
      if case .stepBegan(let step, _, _) = event.kind {
        (step: step, time: event.time)
      } else {
        nil
      }
    }
    guard let last = begun.last else { return try member.install() }
    let count = begun.count { $0.step == last.step }
    let passed = cursor.skip(to: last.step, begun: count)
    try member.takeOver(after: passed)
    guard let step = passed.last, case .advance = step.action else {
      return member.device.note(.stepFailed(step: last.step, why: "the device's host was lost"))
    }
    resume(
      StepRun(step, number: last.step, from: .scenario, on: member, since: last.time),
      number: last.step)
  }
}
