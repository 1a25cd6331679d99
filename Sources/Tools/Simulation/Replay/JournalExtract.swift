internal import Diagnostics
public import Model

/// What a replay needs of a journal, or of a piece of it.
public struct JournalExtract: Sendable {
  /// What is stated, who came and went, and of decisions that are alike the first, in the journal's order.
  package var entries: [Entry] = []
  /// Decisions that are not made anew.
  package var besides = ReplayReport.Besides()
  /// The numbers of the first event and of the last, and the line of the first; nil where there is none.
  package var span: Span?
  /// Whether the last line is half written, and left out.
  package var isCutOff = false

  /// An event that counts.
  public struct Entry: Sendable {
    public var line: Int
    public var event: JournalEvent
    /// The number of decisions that are alike; 1 for other events.
    public var count: Int

    package init(line: Int, event: JournalEvent, count: Int) {
      self.line = line
      self.event = event
      self.count = count
    }
  }

  package struct Span: Sendable {
    package var first: Int
    package var last: Int
    package var line: Int

    package init(first: Int, last: Int, line: Int) {
      self.first = first
      self.last = last
      self.line = line
    }
  }

  package init() {}
}
