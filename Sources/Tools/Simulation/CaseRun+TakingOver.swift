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
      case .deviceStarted, .deviceStopped, .clockRead, .caseBegan, .expectation, .stepFailed,
        .caseEnded, .itemArrived, .guestStarted, .guestReady, .guestSuspended, .guestResumed,
        .guestExited, .claimIgnored, .accountEnrolled, .accountSignedIn, .accountSignedOut,
        .identitySwitched, .identitySwitchRequired, .accessChecked, .accountNotAllowed,
        .accountRenamed, .wipeAdvanced, .accountWiped, .policyChanged, .policySaved, .appConfigured,
        .configurationDelivered, .telemetryRecorded, .declarationsApplied, .managedAppChanged,
        .administratorInformed, .delegateAsked, .enrollmentAsked, .enrollmentAnswered,
        .complianceAnswered, .remediationLooped, .policyAbsent, .policyStated, .factsStated,
        .decided, .ended, .extensionCompleted, .extensionCancelled:
        continue
      }
    }
    return armed
  }
}

extension Step {
  /// Whether a journal tells that the step has ended, of which this is the rest from its beginning on.
  fileprivate func hasEnded(in journal: ArraySlice<JournalEvent>) -> Bool {
    let isCompared = journal.contains { event in
      if case .expectation = event.kind { true } else { false }
    }
    guard !isCompared else { return true }
    let decided = journal.compactMap { event -> Int? in
      if case .decided(let decision) = event.kind { decision.request } else { nil }
    }
    guard decided.isEmpty else {
      let ended = journal.compactMap { event -> Int? in
        if case .ended(let request, _, _, _) = event.kind { request } else { nil }
      }
      return expectation == nil && Set(decided).isSubset(of: ended)
    }
    switch action {
    case .device, .status, .assign, .savePolicy, .assignConfiguration, .rename, .service,
      .conditionalAccess, .fault:
      return expectation == nil
    case .lifecycle, .account, .wipeUser, .switchIdentity, .unlock, .configure, .configuration,
      .restart, .delegate, .residue, .enroll, .unenroll, .remediate, .acquireToken, .share,
      .shareSheet, .import, .use, .airDrop, .openReceived, .copy, .paste, .openURL, .keychain,
      .file, .declarations, .managedApp, .administratorEvents, .served, .log, .user, .callExtension,
      .wait, .advance, .concurrently:
      return false
    }
  }
}
