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
    default:
      guard let last = result.steps.indices.last, let note = kind.note else { return }
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

extension JournalEvent.Kind {
  /// The event in one sentence; nil where reports do not mention it.
  var note: String? {
    switch self {
    case .faultInjected(let kind, let point, let guest):
      "the fault `\(kind.rawValue)` at `\(point.rawValue)`\(guest.map { " hits \($0)" } ?? "")"
    case .guestExited(let guest, let cause, let text) where cause != ExitCause.stopped.code:
      "\(guest): \(text)"
    case .claimIgnored(let guest, let claim, let claimed, let actual):
      "\(guest) claimed \(claim) `\(claimed)`; it is `\(actual)`"
    case .accountSignedOut(let app, let account): "\(app): `\(account)` is signed out"
    case .accessChecked(let guest, let account, let action, let verdict):
      "\(guest): the policy of `\(account)` \(action == "warn" ? "warns" : action + "s"): "
        + "\(verdict.deciding.rawValue)"
    case .accountWiped(let app, let account): "\(app): the data of `\(account)` was wiped"
    case .wipeAdvanced(let app, let account, let state, let detail):
      "\(app): wipe of `\(account)` \(state)\(detail.map { ": \($0)" } ?? "")"
    case .accountNotAllowed(let app, let expected, let entered):
      "\(app): its configuration allows `\(expected)` only, and `\(entered)` was signed in"
    case .accountRenamed(let account, let name): "`\(account)` is `\(name)` now"
    case .delegateAsked(let guest, let call, let account, let isAccepted):
      call == "restart"
        ? "\(guest) has to start anew for `\(account)`\(isAccepted ? ", and will by itself" : "")"
        : "\(guest) was asked to \(call) `\(account)`, and \(isAccepted ? "did" : "did not")"
    case .identitySwitchRequired(let guest, let identity, let reason, let isAccepted):
      "\(guest) was asked to switch to \(identity.isEmpty ? "an unmanaged account" : "`\(identity)`")"
        + " (\(reason)), and \(isAccepted ? "did" : "did not")"
    case .extensionCancelled(let guest, _, let why): "\(guest) cancelled its request: \(why)"
    default: nil
    }
  }
}
