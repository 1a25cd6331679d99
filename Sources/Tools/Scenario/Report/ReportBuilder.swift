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
      var builder = ReportBuilder()
      builder.device = device
      var part = recording
      part.events = Array(events)
      part.returned = recording.returned.filter { $0.key.device == device }
      builder.add(part, file: file)
      guard let suite = builder.report.suites.first, let result = suite.cases.first else {
        continue
      }
      results.append((suite: suite.name, result: result))
    }
    guard let suite = results.first?.suite, var whole = results.first?.result else { return }
    whole.steps = Self.merged(results.map(\.result.steps))
    whole.isEnded = results.allSatisfy(\.result.isEnded)
    whole.output = recording.output
    suites[index(of: suite, file: file)].cases.append(whole)
  }

  /// The steps of all devices, in their order. What came to the same on each of several devices is one step of all.
  private static func merged(_ devices: [[StepResult]]) -> [StepResult] {
    let steps = devices.joined().enumerated()
      .sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }.map(\.element)
    var merged: [StepResult] = []
    var start = 0
    while start < steps.count {
      let same = steps[start...].prefix { $0.number == steps[start].number }
      let shared = same.map(\.withoutDevice)
      let isShared =
        same.count > 1 && Set(same.map(\.device)).count == same.count
        && shared.allSatisfy { $0 == shared[0] && $0.requests.isEmpty }
      merged += isShared ? [shared[0]] : Array(same)
      start = same.endIndex
    }
    return merged
  }

  private mutating func add(_ kind: JournalEvent.Kind, file: String?) {
    switch kind {
    case .caseBegan(let suite, let name, let criterion):
      close(isEnded: false)
      open = OpenCase(
        suite: index(of: suite, file: file), device: device,
        result: CaseResult(name: name, criterion: criterion, isEnded: false))
    case .caseEnded: close(isEnded: true)
    default: open?.add(kind)
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
