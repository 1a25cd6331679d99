package import Model

/// Builds a report from journals.
///
/// A case extends from its `case.began` to its `case.ended`. Events after a `step.began` belong to
/// that step, with two exceptions. The end of a request belongs to the step that made the request.
/// An expectation or failure belongs to the step that it names.
package struct ReportBuilder: Sendable {
  private var suites: [SuiteResult] = []
  private var open: OpenCase?
  /// The name of the device that performs the steps; nil if there is only one device.
  private var device: String?

  package init() {}

  init(on device: String?) { self.device = device }

  /// The report on all events added so far. An unfinished case is `errored`.
  package var report: Report {
    var builder = self
    builder.close(isEnded: false)
    return Report(suites: builder.suites)
  }

  /// Adds the events of one journal, in order.
  ///
  /// - Parameter file: The scenario file to which the events belong; nil if unknown.
  package mutating func add(_ events: some Sequence<JournalEvent>, file: String? = nil) {
    for event in events { add(event.kind, file: file) }
  }

  package mutating func add(_ recording: CaseRecording, file: String? = nil) {
    if let parts = recording.byDevice { return add(parts, of: recording, file: file) }
    for event in recording.events {
      if event.kind == .caseEnded { open?.add(recording) }
      add(event.kind, file: file)
    }
    open?.add(recording)
  }

  /// Adds a case that ran on several devices. The steps of all devices are ordered by step number.
  private mutating func add(
    _ parts: [(device: String, events: ArraySlice<JournalEvent>)], of recording: CaseRecording,
    file: String?
  ) {
    close(isEnded: false)
    var results: [(suite: String, result: CaseResult)] = []
    for (device, events) in parts {
      var builder = ReportBuilder(on: device)
      var part = recording
      part.events = Array(events)
      part.returned = recording.returned.filter { $0.key.device == device }
      // The output of all devices is added to the whole case below.
      part.output = []
      builder.add(part, file: file)
      guard let suite = builder.report.suites.first, let result = suite.cases.first else {
        continue
      }
      results.append((suite: suite.name, result: result))
    }
    guard let suite = results.first?.suite, var whole = CaseResult.merged(results.map(\.result))
    else { return }
    whole.result.output = recording.output
    suites[index(of: suite, file: file)].cases.append(whole.result)
  }

  private mutating func add(_ kind: JournalEvent.Kind, file: String?) {
    if case .caseBegan(let suite, let name, let criterion) = kind {
      close(isEnded: false)
      open = OpenCase(
        suite: index(of: suite, file: file), device: device,
        result: CaseResult(name: name, criterion: criterion, isEnded: false))
    } else if case .caseEnded = kind {
      close(isEnded: true)
    } else {
      open?.add(kind)
    }
  }

  private mutating func close(isEnded: Bool) {
    guard let closing = open else { return }
    suites[closing.suite].cases.append(closing.closed(isEnded: isEnded))
    open = nil
  }

  private mutating func index(of suite: String, file: String?) -> Int {
    if let index = suites.lastIndex(where: { $0.name == suite && $0.file == file }) { return index }
    suites.append(SuiteResult(file: file, name: suite))
    return suites.count - 1
  }
}

// MARK: - Cases with multiple devices

extension CaseResult {
  /// The origin of a step: the device's index in the case, and the step's index on that device.
  struct StepOrigin {
    var device: Int
    var step: Int
  }

  /// Merges the results of a case from several devices. Returns nil if there are no devices.
  ///
  /// Steps are ordered by number. If a step without requests had the same result on several devices, the results are
  /// merged into one.
  ///
  /// - Returns: The merged case, and the origins of each of its steps.
  static func merged(
    _ devices: [CaseResult]
  ) -> (result: CaseResult, steps: [[StepOrigin]])? {
    guard var whole = devices.first else { return nil }
    guard devices.count > 1 else {
      return (whole, whole.steps.indices.map { [StepOrigin(device: 0, step: $0)] })
    }
    let steps = devices.enumerated().flatMap { device, result in
      result.steps.enumerated().map { (step: $1, place: StepOrigin(device: device, step: $0)) }
    }.enumerated().sorted {
      ($0.element.step.number, $0.offset) < ($1.element.step.number, $1.offset)
    }.map(\.element)
    var merged: [(step: StepResult, places: [StepOrigin])] = []
    var start = 0
    while start < steps.count {
      let same = steps[start...].prefix { $0.step.number == steps[start].step.number }
      let shared = same.map(\.step.withoutDevice)
      let isShared =
        same.count > 1 && Set(same.map(\.step.device)).count == same.count
        && shared.allSatisfy { $0 == shared[0] && $0.requests.isEmpty }
      if isShared {
        merged.append((step: shared[0], places: same.map(\.place)))
      } else {
        for one in same { merged.append((step: one.step, places: [one.place])) }
      }
      start = same.endIndex
    }
    whole.steps = merged.map(\.step)
    whole.isEnded = devices.allSatisfy(\.isEnded)
    return (whole, merged.map(\.places))
  }
}

extension StepResult {
  /// The step without its device. The device's name is also removed from the text.
  var withoutDevice: StepResult {
    guard let device else { return self }
    var step = self
    step.device = nil
    step.text = String(text.dropFirst(device.count + 2))
    return step
  }
}

// MARK: - Open case

private struct OpenCase {
  var suite: Int
  var result: CaseResult
  /// The name of the device that performs the steps; nil if there is only one device.
  private let device: String?
  /// For each request, the index of its step and the request's index in that step, keyed by request number.
  private var requests: [Int: (step: Int, request: Int)] = [:]

  /// The numbers of the steps with concurrent parts. Reports sort the requests of these steps.
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
      .accountWiped, .policyChanged, .appConfigured, .configurationDelivered, .notificationPosted,
      .telemetryRecorded,
      .managedAppChanged, .administratorInformed, .delegateAsked, .enrollmentAsked,
      .enrollmentAnswered, .complianceAnswered, .remediationLooped, .policyAbsent, .policyStated,
      .factsStated, .extensionCompleted, .extensionCancelled:
      guard let last = result.steps.indices.last, let note = kind.sentence else { return }
      result.steps[last].notes.append(note)
    }
  }

  /// Adds the recorded facts that are not in the journal.
  mutating func add(_ recording: CaseRecording) {
    result.duration = recording.duration
    result.output = recording.output
    unordered = recording.unordered
    add(
      returned: Dictionary(recording.returned.map { ($0.key.request, $0.value) }) { $1 })
  }

  /// Adds the texts that extensions returned, keyed by request number.
  mutating func add(returned texts: [Int: String]) {
    for (request, place) in requests {
      guard let text = texts[request] else { continue }
      result.steps[place.step].requests[place.request].returned = text
    }
  }

  /// Returns the case's result, with requests and extension runs sorted and renumbered for reports.
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
  /// Whether the ready-made guest stores a received item with this request. No step causes such a request directly.
  fileprivate var isReceipt: Bool {
    guard operation == .openFile, let guest = sender?.guest else { return false }
    let app = InstanceName.installedName(of: guest)
    return subject?.hasPrefix("Containers/\(app)/Inbox/") ?? false
  }
}

extension StepResult {
  /// Creates the result of the last step that begins in the events. Returns nil if no step begins in them.
  ///
  /// - Parameter returned: The texts that extensions returned, keyed by request number.
  package init?(of events: [JournalEvent], returned: [Int: String]) {
    var open = OpenCase(suite: 0, result: CaseResult(name: ""))
    for event in events { open.add(event.kind) }
    open.add(returned: returned)
    guard let result = open.result.steps.last else { return nil }
    self = result
  }
}
