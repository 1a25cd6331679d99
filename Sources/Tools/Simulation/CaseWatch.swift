internal import Host
internal import Model
internal import Scenario

/// Observes a case's device while steps run: each step gets its own events, the rest is traffic and output.
final class CaseWatch {
  /// Requests that have not ended, and items that nobody has waited for.
  let traffic = Traffic()
  /// The output of the guests.
  private(set) var output = CaseOutput()
  private var unread = UnreadOutput()
  /// The steps that are carried out now.
  private var steps: [StepRun] = []
  private var arrivals = Arrivals()
  /// Ends of guests that no step has been told of.
  private var unexpectedEnds: [UnexpectedEnd] = []
  /// The number of faults that have struck guests which ended by them.
  private var fatalHits: [String: Int] = [:]
  /// A closure that gets each decision on what an app with a program of its own asks for by itself, and who asks.
  var onOwnRequest: (RequestDecision, String) -> Void = { _, _ in }

  /// Begins to observe for steps that are carried out at once.
  func begin(_ steps: [StepRun]) {
    arrivals.beginStep()
    self.steps = steps
  }

  func end() { steps = [] }

  /// Observes the device until it is closed. What another one had left open is over.
  func observe(_ device: Device) {
    traffic.closeAll()
    device.observer = DeviceObserver(
      onDecision: { [unowned self, unowned device] requester, decision in
        traffic.decided(decision)
        let arrival = arrivals.place(for: decision, of: requester, on: device)
        if let step = steps.first(where: { $0.isAwaiting(decision, of: requester) }) {
          step.decided(decision, arrival: arrival)
        } else if decision.operation != .universalClipboard, device.guests.hasOwnProgram(requester)
        {
          noteOwn(decision, of: requester)
        }
      },
      onEnd: { [unowned self] request, end, status in
        traffic.ended(request, end)
        for step in steps { step.ended(request, end, status) }
        for step in steps { step.lookForWhatCame() }
      },
      onItem: { [unowned self] request, item in traffic.sent(item, by: request) },
      onOutput: { [unowned self] guest, writing in
        output.append(writing, of: guest)
        unread.append(writing, of: guest)
        note(writing, of: guest)
      },
      onExit: { [unowned self, unowned device] guest, cause in
        ended(guest, cause, on: device)
      })
  }

  private func note(_ writing: GuestWriting, of guest: String) {
    let name = InstanceName(guest)?.extension ?? guest
    for step in steps { step.wrote(writing.text, name) }
  }

  private func ended(_ guest: String, _ cause: ExitCause, on device: Device) {
    // A fault is meant to do harm, once.
    let hits = device.faults.hits(on: guest)
    defer { fatalHits[guest] = hits }
    guard cause.isUnexpected, device.guests.hasOwnProgram(guest), hits == fatalHits[guest] ?? 0
    else { return }
    // The end of an extension's request says what became of it; what it says beyond that ends it alone.
    if InstanceName(guest) != nil, case .protocolViolation = cause { return }
    unexpectedEnds.append(UnexpectedEnd(guest: guest, cause: cause))
  }

  /// The unexpected ends since this was last called.
  func takeUnexpectedEnds() -> [UnexpectedEnd] {
    defer { unexpectedEnds = [] }
    return unexpectedEnds
  }

  func forgetEnds(of guests: [String]) { unexpectedEnds.removeAll { guests.contains($0.guest) } }

  /// What a guest has written since this was last called for it.
  func takeOutput(of guest: String) -> String { unread.take(of: guest) }

  /// What a guest has written since ``takeOutput(of:)`` was last called for it.
  func unreadOutput(of guest: String) -> String { unread.text(of: guest) }

  private func noteOwn(_ decision: RequestDecision, of requester: String) {
    traffic.ownRequests.add(decision, of: requester)
    onOwnRequest(decision, requester)
    for step in steps { step.lookForWhatCame() }
  }
}
