internal import Encodings
package import Model
internal import Output
package import Simulation

/// The parts of a journal, or of a piece of a journal, that a replay needs.
package struct JournalExtract: Sendable {
  /// Stated policies and facts, account changes, and the first decision of each group of equal
  /// decisions, in the order of the journal.
  package var entries: [Entry] = []
  /// The counts of decisions that a replay does not evaluate again.
  package var besides = ReplayReport.Besides()
  /// The sequence numbers of the first and the last event, and the line number of the first event; nil if there are no
  /// events.
  package var span: Span?
  /// Whether the last line is incomplete and was therefore skipped.
  package var isCutOff = false

  /// An event that the replay needs.
  package struct Entry: Sendable {
    package var line: Int
    package var event: JournalEvent
    /// The number of equal decisions that the entry represents; 1 for other events.
    package var count: Int

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

// MARK: - Reading

extension JournalExtract {
  /// Reads a journal, or a piece of it.
  ///
  /// - Throws: ``RunError`` if the file cannot be read, a line is not an event, or an event is missing.
  package init(of journal: String, _ piece: JournalPiece? = nil) throws(RunError) {
    var reader = ExtractReader(journal, isBeginning: piece?.linesBefore ?? 0 == 0)
    try JournalLines.read(journal, piece) { (lines) throws(RunError) in
      while let line = try lines.next() {
        try reader.read(line, lines.number, isOpenEnded: lines.isOpenEnded)
      }
    }
    self = reader.extract
  }
}

private struct ExtractReader {
  private let journal: String
  /// Whether reading starts at the beginning of the journal.
  private let isBeginning: Bool
  private(set) var extract = JournalExtract()
  /// The index of each question's entry, keyed by question.
  private var questions: [RecordedQuestion: Int] = [:]
  /// The policies and facts that the journal has stated so far, keyed by name.
  private var stated: [String: RecordedObject] = [:]
  private var shapes = DecisionShapes()

  init(_ journal: String, isBeginning: Bool) {
    self.journal = journal
    self.isBeginning = isBeginning
  }

  mutating func read(
    _ line: ArraySlice<UInt8>, _ number: Int, isOpenEnded: Bool
  ) throws(RunError) {
    if let sequence = DecisionShapes.sequence(of: line), !isOpenEnded {
      if DecisionShapes.isBesides(line) { return try follow(sequence, number) }
      if let known = shapes.content(of: line) {
        count(known)
        return try follow(sequence, number)
      }
    }
    let event: JournalEvent
    do throws(JournalFormatError) {
      event = try JournalEvent(line: String(decoding: line, as: UTF8.self))
    } catch {
      // A device that is running or has died may leave an incomplete last line.
      guard !isOpenEnded || isBeginning && extract.span == nil else {
        return extract.isCutOff = true
      }
      throw Replay.mistake(journal, number, error.position.column, error.message)
    }
    try follow(event.sequence, number)
    switch event.kind {
    case .policyStated(let name, _, let content), .factsStated(let name, let content):
      // A repeated statement counts only once. A contradictory statement is kept, so the replay
      // reports it.
      guard stated.updateValue(content, forKey: name) != content else { return }
      add(event, number)
    case .decided(let decision): add(decision, event, number, line)
    case .accountEnrolled, .accountSignedIn, .accountRenamed, .policyChanged: add(event, number)
    case .deviceStarted, .deviceStopped, .clockRead, .caseBegan, .stepBegan, .expectation,
      .stepFailed, .caseEnded, .faultInjected, .itemArrived, .guestStarted, .guestReady,
      .guestSuspended, .guestResumed, .guestExited, .claimIgnored, .accountSignedOut,
      .identitySwitched, .identitySwitchRequired, .accessChecked, .accountNotAllowed, .wipeAdvanced,
      .accountWiped, .policySaved, .appConfigured, .configurationDelivered, .notificationPosted,
      .telemetryRecorded,
      .declarationsApplied, .managedAppChanged, .administratorInformed, .delegateAsked,
      .enrollmentAsked, .enrollmentAnswered, .complianceAnswered, .remediationLooped, .policyAbsent,
      .ended, .extensionCompleted, .extensionCancelled:
      break
    }
  }

  private mutating func follow(_ next: Int, _ line: Int) throws(RunError) {
    guard let span = extract.span else {
      return extract.span = JournalExtract.Span(first: next, last: next, line: line)
    }
    try Replay.check(next, follows: span.last, in: journal, line)
    extract.span?.last = next
  }

  private mutating func add(_ event: JournalEvent, _ line: Int) {
    extract.entries.append(JournalExtract.Entry(line: line, event: event, count: 1))
  }

  private mutating func add(
    _ decision: RequestDecision, _ event: JournalEvent, _ number: Int, _ line: ArraySlice<UInt8>
  ) {
    let question = RecordedQuestion(decision)
    let content =
      question.map(DecisionShapes.Content.question)
      ?? .other(decision.operation, decision.verdict.outcome)
    if let question, questions[question] == nil {
      questions[question] = extract.entries.count
      extract.entries.append(JournalExtract.Entry(line: number, event: event, count: 0))
    }
    count(content)
    shapes.record(content, of: line)
  }

  private mutating func count(_ content: DecisionShapes.Content) {
    switch content {
    case .question(let question):
      if let place = questions[question] { extract.entries[place].count += 1 }
    // Requests between devices count as other requests, although the same rules decide them.
    case .other(let operation, _) where operation.row.area != .transfers:
      extract.besides.noTransfers[operation, default: 0] += 1
    case .other(let operation, .blocked):
      extract.besides.withoutRules[operation, default: 0] += 1
    case .other(let operation, _): extract.besides.withoutFacts[operation, default: 0] += 1
    }
  }
}

// MARK: Similar lines

/// Recognises lines in a journal that need not be parsed in full. Most lines of a large journal are of this kind:
/// events without input for rules, and decisions that differ only in numbers, time and item size. Such decisions have
/// the same shape, and only one line of each shape is parsed.
private struct DecisionShapes {
  private var shapes: [ArraySlice<UInt8>: Content] = [:]
  /// The maximum number of shapes. It limits the memory for a journal in which no two
  /// lines have the same shape.
  private static let most = 65_536

  /// The part of a decision that a replay needs.
  enum Content {
    case question(RecordedQuestion)
    /// A decision without stated facts.
    case other(Operation, Outcome)
  }

  /// Returns the content of a line if its shape is known; nil for any other line.
  func content(of line: ArraySlice<UInt8>) -> Content? {
    Self.shape(of: line).flatMap { shapes[$0] }
  }

  mutating func record(_ content: Content, of line: ArraySlice<UInt8>) {
    guard shapes.count < Self.most, let shape = Self.shape(of: line) else { return }
    // The bytes are copied, because a slice would keep the whole buffer in memory.
    shapes[ArraySlice(Array(shape))] = content
  }

  /// Returns the event number in a line that a device wrote; nil for any other line.
  static func sequence(of line: ArraySlice<UInt8>) -> Int? {
    guard line.last == UInt8(ascii: "}"), line.starts(with: start) else { return nil }
    let digits = line.dropFirst(start.count).prefix { isDigit($0) }
    // A line with more digits is parsed in full, which reports the error.
    guard (1...15).contains(digits.count) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  private static let start = Array(#"{"seq":"#.utf8)

  /// Returns whether the line is an event that rules do not read. The line must have the form in which a device writes
  /// events.
  static func isBesides(_ line: ArraySlice<UInt8>) -> Bool {
    guard let head = line.prefix(72).range(of: name), isWhole(line) else { return false }
    return !relevant.contains { line[head.upperBound...].starts(with: $0) }
  }

  /// Returns whether the quotes and brackets in the line show that it is a single object.
  private static func isWhole(_ line: ArraySlice<UInt8>) -> Bool {
    var (depth, isText, isEscaped) = (0, false, false)
    for (index, byte) in zip(line.indices, line) {
      guard byte >= 0x20 else { return false }
      if isEscaped {
        isEscaped = false
      } else if isText {
        isEscaped = byte == UInt8(ascii: "\\")
        isText = byte != UInt8(ascii: "\"")
      } else {
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break  // open: any other byte
        }
        guard depth > 0 || index == line.endIndex - 1 else { return false }
      }
    }
    return depth == 0
  }

  private static let name = Array(#"Z","event":""#.utf8)
  private static let relevant = [
    JournalEventName.requestDecided, .factsStated, .policyStated, .policyChanged,
    .accountEnrolled, .accountSignedIn, .accountRenamed,
  ].map { Array($0.rawValue.utf8) }

  private static let event = Array(#","event":"request.decided","request":"#.utf8)
  private static let bytes = Array(#","bytes":"#.utf8)

  /// Returns the line without its `seq`, `time`, `request` and `bytes`; nil if the line is not a
  /// decision that a device wrote.
  private static func shape(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    // The part before the event is short.
    guard let head = line.prefix(96).range(of: event) else { return nil }
    let rest = line[head.upperBound...].drop(while: isDigit)
    // The size precedes all texts from guests.
    guard let size = rest.prefix(1024).range(of: bytes) else { return rest }
    return rest[..<size.lowerBound] + rest[size.upperBound...].drop(while: isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}

extension ArraySlice<UInt8> {
  fileprivate func range(of pattern: [UInt8]) -> Range<Int>? {
    guard let first = pattern.first, count >= pattern.count else { return nil }
    var index = startIndex
    let last = endIndex - pattern.count
    while index <= last {
      guard let found = self[index...last].firstIndex(of: first) else { return nil }
      if self[found..<found + pattern.count].elementsEqual(pattern) {
        return found..<found + pattern.count
      }
      index = found + 1
    }
    return nil
  }
}
