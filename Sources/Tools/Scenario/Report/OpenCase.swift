import Model

/// A case that has begun and not ended.
struct OpenCase {
  /// The index of the case's suite.
  var suite: Int
  var result: CaseResult
  /// The name of the device that the steps are on; nil: there is one.
  private let device: String?
  /// The place of each request: the index of its step, and its own in the step.
  private var requests: [Int: (step: Int, request: Int)] = [:]

  /// The numbers of the steps whose requests reports put in order.
  private var unordered: Set<Int> = []

  init(suite: Int, device: String? = nil, result: CaseResult) {
    self.suite = suite
    self.device = device
    self.result = result
  }

  mutating func add(_ kind: JournalEvent.Kind) {
    switch kind {
    case .stepBegan(let number, let text, let place):
      var step = StepResult(
        number: number, text: device.map { "\($0): \(text)" } ?? text, at: place)
      step.device = device
      result.steps.append(step)
    case .expectation(let number, let expected, let found, let isMet, let place):
      step(number) {
        $0.expectations.append(
          Comparison(expected: expected, found: found, isMet: isMet, at: place))
      }
    case .stepFailed(let number, let why): step(number) { $0.failures.append(why) }
    case .decided(let decision):
      guard !decision.isReceipt, let last = result.steps.indices.last else { return }
      requests[decision.request] = (last, result.steps[last].requests.count)
      result.steps[last].requests.append(RequestResult(decision: decision))
    case .ended(let request, let end, _, let detail):
      guard let place = requests[request] else { return }
      result.steps[place.step].requests[place.request].end = end
      result.steps[place.step].requests[place.request].detail = detail
    case .declarationsApplied(_, let problems):
      guard let last = result.steps.indices.last else { return }
      result.steps[last].notes += problems
    case .policySaved(_, let changes):
      guard let last = result.steps.indices.last else { return }
      result.steps[last].notes += changes
    case .deviceStarted, .deviceStopped, .clockRead, .caseBegan, .caseEnded, .faultInjected,
      .itemArrived, .guestStarted, .guestReady, .guestSuspended, .guestResumed, .guestExited,
      .claimIgnored, .accountEnrolled, .accountSignedIn, .accountSignedOut, .identitySwitched,
      .identitySwitchRequired, .accessChecked, .accountNotAllowed, .accountRenamed, .wipeAdvanced,
      .accountWiped, .policyChanged, .appConfigured, .configurationDelivered, .telemetryRecorded,
      .managedAppChanged, .administratorInformed, .delegateAsked, .enrollmentAsked,
      .enrollmentAnswered, .complianceAnswered, .remediationLooped, .policyAbsent, .policyStated,
      .factsStated, .extensionCompleted, .extensionCancelled:
      guard let last = result.steps.indices.last, let note = kind.sentence else { return }
      result.steps[last].notes.append(note)
    }
  }

  /// Adds the facts that the journal does not hold.
  mutating func add(_ recording: CaseRecording) {
    result.duration = recording.duration
    result.output = recording.output
    unordered = recording.unordered
    add(
      returned: Dictionary(recording.returned.map { ($0.key.request, $0.value) }) { $1 })
  }

  /// Adds the texts that extensions handed back, by the number of the request.
  mutating func add(returned texts: [Int: String]) {
    for (request, place) in requests {
      guard let text = texts[request] else { continue }
      result.steps[place.step].requests[place.request].returned = text
    }
  }

  /// The result of the case as reports show it, after its last event.
  func closed(isEnded: Bool) -> CaseResult {
    var closed = result
    closed.isEnded = isEnded
    CaseOrder.apply(to: &closed, unordered: unordered)
    return closed
  }

  private mutating func step(_ number: Int, _ change: (inout StepResult) -> Void) {
    guard let index = result.steps.lastIndex(where: { $0.number == number }) else { return }
    change(&result.steps[index])
  }
}

extension RequestDecision {
  /// Whether the request stores a received item in the ready-made guest, which no step asks for.
  fileprivate var isReceipt: Bool {
    guard operation == .openFile, let guest = sender?.guest else { return false }
    let app = InstanceName(guest)?.extension ?? guest
    return subject?.hasPrefix("Containers/\(app)/Inbox/") ?? false
  }
}
