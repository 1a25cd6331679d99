package import Model

/// The events of a device, or of one case, with what the journal does not hold.
package struct RecordedJournal: Sendable {
  package var events: [JournalEvent]
  /// What to call the journal among others.
  package var name: String
  /// The scenario's file, as it was named; nil where it is not known.
  package var file: String?
  /// What guests wrote.
  package var output: [GuestOutput]

  /// A journal with its `events`.
  package init(
    _ events: [JournalEvent], name: String, file: String? = nil, output: [GuestOutput] = []
  ) {
    self.events = events
    self.name = name
    self.file = file
    self.output = output
  }

  /// The journal's cases, in the order in which they began.
  package var cases: [RecordedCase] { cases(on: nil) }

  /// The cases, with the name of the device before their steps; nil: there is one.
  func cases(on device: String?) -> [RecordedCase] {
    let starts = events.indices.filter {
      if case .caseBegan = events[$0].kind { true } else { false }
    }
    return zip(starts, starts.dropFirst() + [events.endIndex]).compactMap { start, end in
      RecordedCase(start..<end, of: self, on: device)
    }
  }
}

// MARK: - Several devices

/// The journals of devices that were together in the same cases, or that of one device.
package struct RecordedGroup: Sendable {
  /// The journals, at least one.
  package let journals: [RecordedJournal]

  /// A case with its events on each of the devices.
  package struct SharedCase: Sendable {
    /// The name of the scenario.
    package let suite: String
    /// The result of the case on all devices together.
    package let result: CaseResult
    /// The events of the case in each of the journals that have it.
    package let spans: [Span]
    /// The events of each step: what several devices did alike is one step, with a span in the journal of each.
    package let steps: [[Span]]
  }

  /// Events of one of the journals.
  package struct Span: Sendable, Equatable {
    /// The journal's place in the group.
    package let journal: Int
    /// The indices of the events.
    package let events: Range<Int>

    /// Events of a journal of a group.
    package init(journal: Int, events: Range<Int>) {
      (self.journal, self.events) = (journal, events)
    }
  }

  /// A group of journals that tell of the same cases, each of another device.
  package init(_ journals: [RecordedJournal]) { self.journals = journals }

  /// The group of one journal.
  package init(_ journal: RecordedJournal) { self.init([journal]) }

  /// The cases, each once, in the order in which they began.
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
  /// - Parameter parts: the case in each journal; nil where a journal does not have it.
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

// MARK: - Names of cases

/// The name of a case, and that of its scenario.
package struct CaseName: Sendable, Equatable {
  package let suite: String
  package let name: String

  /// Both, such as `SEND: a managed account …`.
  package var text: String { "\(suite): \(name)" }

  /// The name of the case that begins with an event; nil: none does.
  package init?(_ event: JournalEvent) {
    guard case .caseBegan(let suite, let name, _) = event.kind else { return nil }
    (self.suite, self.name) = (suite, name)
  }
}

extension [JournalEvent] {
  /// The name of the device; nil: it has not come up.
  package var device: String? {
    lazy.compactMap { if case .deviceStarted(let device, _) = $0.kind { device } else { nil } }
      .first
  }

  /// The names of the cases that the events tell of.
  package var caseNames: [CaseName] { compactMap(CaseName.init) }
}

// MARK: - Cases

/// A case, judged as in reports, with the places of its events among those of its journal.
package struct RecordedCase: Sendable {
  /// The name of the scenario.
  package let suite: String
  package let result: CaseResult
  /// The indices of the case's events.
  package let events: Range<Int>
  /// The index of the event with which each step begins.
  package let steps: [Int]

  /// - Parameters:
  ///   - events: from the beginning of the case up to that of the next.
  ///   - device: the name of the device that the steps are on; nil: there is one.
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
