public import Model

/// The events of a device, or of one case, with what the journal does not hold.
public struct RecordedJournal: Sendable {
  public var events: [JournalEvent]
  /// What to call the journal among others.
  public var name: String
  /// The scenario's file, as it was named; nil where it is not known.
  public var file: String?
  /// What guests wrote.
  public var output: [GuestOutput]

  /// A journal with its `events`.
  public init(
    _ events: [JournalEvent], name: String, file: String? = nil, output: [GuestOutput] = []
  ) {
    self.events = events
    self.name = name
    self.file = file
    self.output = output
  }

  /// The journal's cases, in the order in which they began.
  public var cases: [RecordedCase] {
    let starts = events.indices.filter {
      if case .caseBegan = events[$0].kind { true } else { false }
    }
    return zip(starts, starts.dropFirst() + [events.endIndex]).compactMap { start, end in
      RecordedCase(start..<end, of: self)
    }
  }
}
