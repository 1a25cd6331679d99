public import Model

/// Makes a report of journals.
///
/// A case reaches from its `case.began` to its `case.ended`. The events between two `step.began` belong to the first of
/// these steps; an end belongs to the step that has its request, an expectation or failure to the step that it names.
public struct ReportBuilder: Sendable {
  private var suites: [SuiteResult] = []
  private var open: OpenCase?

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
    for event in recording.events {
      if event.kind == .caseEnded { open?.add(recording) }
      add(event.kind, file: file)
    }
    open?.add(recording)
  }

  private mutating func add(_ kind: JournalEvent.Kind, file: String?) {
    switch kind {
    case .caseBegan(let suite, let name, let criterion):
      close(isEnded: false)
      open = OpenCase(
        suite: index(of: suite, file: file),
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
