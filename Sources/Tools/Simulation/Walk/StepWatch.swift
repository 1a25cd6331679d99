internal import Host
internal import Model
internal import Wire

/// The observation of a step of a walk while it runs.
final class StepWatch {
  private let guest: String?
  private let operations: Set<Operation>
  /// Whether a fault keeps the app from telling what it has done.
  private let isCutShort: Bool
  /// The text that the step brings into the world, where it brings one.
  let newText: WalkText
  private(set) var isDone = false
  var observation = WalkObservation()

  init(_ step: WalkStep, newText: WalkText) {
    guest = step.app?.name
    operations = step.operations
    isCutShort = step.isCutShort
    self.newText = newText
  }

  func done() { isDone = true }

  /// Notes what the app has done, or the reason why it could not.
  func performed(_ performance: Performance) {
    if !isCutShort { observation.failure = observation.failure ?? performance.failure }
    observation.found = performance.found
    isDone = true
  }

  func failed(_ why: String) {
    observation.failure = why
    isDone = true
  }

  func decided(_ decision: RequestDecision, by requester: String) {
    guard requester == guest, operations.contains(decision.operation) else { return }
    observation.requests.append(WalkObservation.Request(decision: decision))
  }

  func ended(_ request: Int, _ end: RequestEnd) {
    guard
      let index = observation.requests.firstIndex(where: { $0.decision.request == request })
    else { return }
    observation.requests[index].end = end
  }
}

extension WalkStep {
  /// Whether a fault ends the app that makes the request.
  fileprivate var isCutShort: Bool {
    guard case .fault(let fault, let share) = self else { return false }
    return fault.endsSender(of: share)
  }

  /// The app that makes a request; nil where none does.
  fileprivate var app: WalkApp? {
    switch self {
    case .launch, .suspend, .resume, .kill, .relaunch, .wipe, .answerSwitches: nil
    case .signIn(let app, _), .signOut(let app, _): app
    case .switchIdentity: .notes
    case .share(let share), .fault(_, let share): share.from
    case .copy(let app, _, _), .paste(let app, _), .file(let app, _, _): app
    case .importItem(let step): step.into
    case .secret(let app, _, _, _), .captureScreen(let app, _): app
    }
  }

  /// The operations that the step requests.
  fileprivate var operations: Set<Operation> {
    switch self {
    case .launch, .suspend, .resume, .kill, .relaunch, .wipe, .answerSwitches: []
    case .signIn: [.signIn]
    case .signOut: [.signOut]
    case .switchIdentity: [.switchIdentity]
    case .share(let share), .fault(_, let share): [Operation(share.way.channel)]
    case .copy: [.copy]
    case .paste: [.paste]
    case .importItem: [.import]
    case .file: [.openFile, .moveFile, .removeFile]
    case .secret: [.keychainAdd, .keychainQuery, .keychainDelete]
    case .captureScreen: [.screenCapture]
    }
  }
}
