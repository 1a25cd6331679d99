public import Model

/// Makes a report of journals.
///
/// A case reaches from its `case.began` to its `case.ended`. The events between two `step.began` belong to the first of
/// these steps; an end belongs to the step that has its request, an expectation or failure to the step that it names.
public struct ReportBuilder: Sendable {
  private var suites: [SuiteResult] = []
  private var open: OpenCase?
  /// The name of the device that the steps are on; nil: there is one.
  private var device: String?

  /// Creates a builder without events.
  public init() {}

  /// - Parameter device: the name of the device that the steps are on; nil: there is one.
  init(on device: String?) { self.device = device }

  /// The report of all events so far. A case that has not ended is errored.
  public var report: Report {
    var builder = self
    builder.close(isEnded: false)
    return Report(suites: builder.suites)
  }

  /// Adds the events of one journal, in its order.
  ///
  /// - Parameter file: the scenario file of the events; nil where it is not known.
  public mutating func add(_ events: some Sequence<JournalEvent>, file: String? = nil) {
    for event in events { add(event.kind, file: file) }
  }

  /// Adds the recording of a case.
  public mutating func add(_ recording: CaseRecording, file: String? = nil) {
    if let parts = recording.byDevice { return add(parts, of: recording, file: file) }
    for event in recording.events {
      if event.kind == .caseEnded { open?.add(recording) }
      add(event.kind, file: file)
    }
    open?.add(recording)
  }

  /// Adds the case of several devices: its steps are those of all of them, in their order.
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
    switch kind {
    case .caseBegan(let suite, let name, let criterion):
      close(isEnded: false)
      open = OpenCase(
        suite: index(of: suite, file: file), device: device,
        result: CaseResult(name: name, criterion: criterion, isEnded: false))
    case .caseEnded: close(isEnded: true)
    case .deviceStarted, .deviceStopped, .clockRead, .stepBegan, .expectation, .stepFailed,
      .faultInjected, .itemArrived, .guestStarted, .guestReady, .guestSuspended, .guestResumed,
      .guestExited, .claimIgnored, .accountEnrolled, .accountSignedIn, .accountSignedOut,
      .identitySwitched, .identitySwitchRequired, .accessChecked, .accountNotAllowed,
      .accountRenamed, .wipeAdvanced, .accountWiped, .policyChanged, .policySaved, .appConfigured,
      .configurationDelivered, .telemetryRecorded, .declarationsApplied, .managedAppChanged,
      .administratorInformed, .delegateAsked, .enrollmentAsked, .enrollmentAnswered,
      .complianceAnswered, .remediationLooped, .policyAbsent, .policyStated, .factsStated, .decided,
      .ended, .extensionCompleted, .extensionCancelled:
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

extension CaseResult {
  /// Where a step of a case comes from: the device's place among those of the case, and the step's among its steps.
  struct StepPlace {
    var device: Int
    var step: Int
  }

  /// The case of several devices, and where each of its steps comes from; nil where there is no device.
  ///
  /// The steps of all devices are in their order. What came to the same on each of several devices is one step of all.
  ///
  /// - Parameter devices: the results of the case on each device.
  static func merged(
    _ devices: [CaseResult]
  ) -> (result: CaseResult, steps: [[StepPlace]])? {
    guard var whole = devices.first else { return nil }
    guard devices.count > 1 else {
      return (whole, whole.steps.indices.map { [StepPlace(device: 0, step: $0)] })
    }
    let steps = devices.enumerated().flatMap { device, result in
      result.steps.enumerated().map { (step: $1, place: StepPlace(device: device, step: $0)) }
    }.enumerated().sorted {
      ($0.element.step.number, $0.offset) < ($1.element.step.number, $1.offset)
    }.map(\.element)
    var merged: [(step: StepResult, places: [StepPlace])] = []
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
  /// The step as one of all devices.
  fileprivate var withoutDevice: StepResult {
    guard let device else { return self }
    var step = self
    step.device = nil
    step.text = String(text.dropFirst(device.count + 2))
    return step
  }
}
