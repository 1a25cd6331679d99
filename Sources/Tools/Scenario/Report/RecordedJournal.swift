package import Model

/// The events of a device or of one case, with facts that are not in the journal.
package struct RecordedJournal: Sendable {
  package var events: [JournalEvent]
  /// The name that distinguishes the journal from other journals.
  package var name: String
  /// The name of the scenario file as given; nil if unknown.
  package var file: String?
  package var output: [GuestOutput]

  package init(
    _ events: [JournalEvent], name: String, file: String? = nil, output: [GuestOutput] = []
  ) {
    self.events = events
    self.name = name
    self.file = file
    self.output = output
  }

  /// The journal's cases, in the order of their start.
  package var cases: [RecordedCase] { cases(on: nil) }

  /// Returns the journal's cases, in the order of their start.
  ///
  /// - Parameter device: The device's name, shown before each step; nil if there is only one device.
  func cases(on device: String?) -> [RecordedCase] {
    let starts = events.indices.filter {
      if case .caseBegan = events[$0].kind { true } else { false }
    }
    return zip(starts, starts.dropFirst() + [events.endIndex]).compactMap { start, end in
      RecordedCase(start..<end, of: self, on: device)
    }
  }
}

// MARK: - Multiple devices

/// The journal of one device, or the journals of several devices that took part in the same cases.
package struct RecordedGroup: Sendable {
  /// The journals. There is at least one.
  package let journals: [RecordedJournal]
  /// The duration of the only case in real time; nil if it is unknown or there are several cases.
  package var duration: Duration?

  /// A case with its events on each device.
  package struct SharedCase: Sendable {
    /// The scenario's name.
    package let suite: String
    /// The combined result on all devices.
    package var result: CaseResult
    /// The case's events in each journal that contains the case.
    package let spans: [Span]
    /// The events of each step. If several devices performed a step identically, the step has a span in each of their
    /// journals.
    package let steps: [[Span]]
  }

  package struct Span: Sendable, Equatable {
    package let journal: Int
    package let events: Range<Int>

    package init(journal: Int, events: Range<Int>) {
      (self.journal, self.events) = (journal, events)
    }
  }

  /// Creates a group. The journals contain the same cases, and each journal belongs to a different device.
  package init(_ journals: [RecordedJournal], lasting duration: Duration? = nil) {
    (self.journals, self.duration) = (journals, duration)
  }

  package init(_ journal: RecordedJournal) { self.init([journal]) }

  /// The cases without duplicates, in the order of their start.
  package var cases: [SharedCase] {
    let parts = journals.map { journal in
      journal.cases(on: journals.count > 1 ? journal.events.device : nil)
    }
    return (0..<(parts.map(\.count).max() ?? 0)).compactMap { index in
      SharedCase(parts.map { index < $0.count ? $0[index] : nil })
    }
  }
}

extension RecordedGroup.SharedCase {
  /// Combines the parts of a case.
  ///
  /// - Parameter parts: The part in each journal; nil for a journal without the case.
  fileprivate init?(_ parts: [RecordedCase?]) {
    let known = parts.enumerated().compactMap { journal, part in part.map { (journal, $0) } }
    guard let first = known.first?.1, let whole = CaseResult.merged(known.map(\.1.result)) else {
      return nil
    }
    suite = first.suite
    result = whole.result
    spans = known.map { RecordedGroup.Span(journal: $0, events: $1.events) }
    steps = whole.steps.map { places in
      places.map { place in
        let (journal, part) = known[place.device]
        let next = place.step + 1
        let end = next < part.steps.count ? part.steps[next] : part.events.upperBound
        return RecordedGroup.Span(journal: journal, events: part.steps[place.step]..<end)
      }
    }
  }
}

// MARK: - Case names

package struct CaseName: Sendable, Equatable {
  package let suite: String
  package let name: String

  /// The suite's name and the case's name, such as `SEND: a managed account …`.
  package var text: String { "\(suite): \(name)" }

  package init(suite: String, name: String) {
    self.suite = suite
    self.name = name
  }

  /// Creates the name of the case that an event starts. Returns nil for other events.
  package init?(_ event: JournalEvent) {
    guard case .caseBegan(let suite, let name, _) = event.kind else { return nil }
    (self.suite, self.name) = (suite, name)
  }
}

extension [JournalEvent] {
  /// The device's name; nil if the device has not started.
  package var device: String? {
    lazy.compactMap { if case .deviceStarted(let device, _) = $0.kind { device } else { nil } }
      .first
  }

  package var caseNames: [CaseName] { compactMap(CaseName.init) }
}

// MARK: - Cases

/// A case with its result, and with the indices of its events in the journal.
package struct RecordedCase: Sendable {
  /// The scenario's name.
  package let suite: String
  package let result: CaseResult
  package let events: Range<Int>
  /// The index of each step's first event.
  package let steps: [Int]

  /// Creates a case from its events.
  ///
  /// - Parameters:
  ///   - events: The events from the start of the case to the start of the next case.
  ///   - device: The device's name; nil if there is only one device.
  fileprivate init?(_ events: Range<Int>, of journal: RecordedJournal, on device: String? = nil) {
    var builder = ReportBuilder(on: device)
    builder.add(journal.events[events])
    guard let suite = builder.report.suites.first, let result = suite.cases.first else {
      return nil
    }
    let isEnd = { (index: Int) in journal.events[index].kind == .caseEnded }
    self.suite = suite.name
    self.result = result
    self.events =
      events.lowerBound..<(events.first(where: isEnd).map { $0 + 1 } ?? events.upperBound)
    steps = events.filter { index in
      if case .stepBegan = journal.events[index].kind { true } else { false }
    }
  }
}
