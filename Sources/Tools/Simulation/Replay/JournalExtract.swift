internal import JSON
package import Model
internal import Output

/// What a replay needs of a journal, or of a piece of it.
package struct JournalExtract: Sendable {
  /// What is stated, who came and went, and of decisions that are alike the first, in the journal's order.
  package var entries: [Entry] = []
  /// Decisions that are not made anew.
  package var besides = ReplayReport.Besides()
  /// The numbers of the first event and of the last, and the line of the first; nil where there is none.
  package var span: Span?
  /// Whether the last line is half written, and left out.
  package var isCutOff = false

  /// An event that counts.
  package struct Entry: Sendable {
    package var line: Int
    package var event: JournalEvent
    /// The number of decisions that are alike; 1 for other events.
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
  /// - Throws: ``RunError`` where the file cannot be read, or a line is no event.
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

/// Reads a journal, line by line.
private struct ExtractReader {
  private let journal: String
  /// Whether nothing of the journal stands before.
  private let isBeginning: Bool
  private(set) var extract = JournalExtract()
  /// The place of each question among the entries.
  private var questions: [RecordedQuestion: Int] = [:]
  /// What is stated under each name.
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
      // A device that is written to, or has died, leaves half a line.
      guard !isOpenEnded || isBeginning && extract.span == nil else {
        return extract.isCutOff = true
      }
      throw Replay.mistake(journal, number, error.position.column, error.message)
    }
    try follow(event.sequence, number)
    switch event.kind {
    case .policyStated(let name, _, let content), .factsStated(let name, let content):
      // What is stated twice counts once; where it is something else, the second counts as well.
      guard stated.updateValue(content, forKey: name) != content else { return }
      add(event, number)
    case .decided(let decision): add(decision, event, number, line)
    case .accountEnrolled, .accountSignedIn, .accountRenamed, .policyChanged: add(event, number)
    case .deviceStarted, .deviceStopped, .clockRead, .caseBegan, .stepBegan, .expectation,
      .stepFailed, .caseEnded, .faultInjected, .itemArrived, .guestStarted, .guestReady,
      .guestSuspended, .guestResumed, .guestExited, .claimIgnored, .accountSignedOut,
      .identitySwitched, .identitySwitchRequired, .accessChecked, .accountNotAllowed, .wipeAdvanced,
      .accountWiped, .policySaved, .appConfigured, .configurationDelivered, .telemetryRecorded,
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
    shapes.note(content, of: line)
  }

  private mutating func count(_ content: DecisionShapes.Content) {
    switch content {
    case .question(let question):
      if let place = questions[question] { extract.entries[place].count += 1 }
    case .other(let operation, _) where !operation.isTransfer:
      extract.besides.noTransfers[operation, default: 0] += 1
    case .other(let operation, .blocked):
      extract.besides.withoutRules[operation, default: 0] += 1
    case .other(let operation, _): extract.besides.withoutFacts[operation, default: 0] += 1
    }
  }
}

extension Operation {
  /// Whether rules for transfers decide on it.
  fileprivate var isTransfer: Bool {
    switch self {
    case .share, .openIn, .import, .dragAndDrop, .contactRead, .openURL, .universalLink, .appClip,
      .saveTo, .openFrom, .documentPickerExport, .documentPickerImport, .mailComposer,
      .messageComposer, .print, .notification, .contactSync, .widget, .spotlight, .siriIntents,
      .appIntents, .backup, .screenCapture, .writingTools, .genmoji, .keyboard, .webView,
      .safariExtension, .fileEncryption, .paste, .canReceive, .loadItem, .completeExtension:
      true
    case .copy, .keychainAdd, .keychainQuery, .keychainDelete, .signIn, .signOut, .enroll,
      .unenroll, .remediate, .acquireToken, .switchIdentity, .openFile, .moveFile, .removeFile,
      .protectData, .unprotectData, .conditionalLaunch, .extensionCall, .airDrop, .openReceived,
      .universalClipboard, .managedConfiguration, .legacyManagedConfiguration, .managedIdentifiers,
      .managedPassword, .managedCertificate, .managedIdentity, .managedSignature, .managedReport:
      false
    }
  }
}

// MARK: - Lines alike

/// Lines of a journal that need not be read in full: those that state nothing of what rules were asked, and those that
/// differ in their numbers, their time and the size of the item alone, of which each shape is read once. They are most of
/// a large journal.
private struct DecisionShapes {
  private var shapes: [ArraySlice<UInt8>: Content] = [:]
  /// What a journal without two lines alike may cost.
  private static let most = 65_536

  /// What a decision says to a replay.
  enum Content {
    case question(RecordedQuestion)
    /// A decision for which no facts are stated.
    case other(Operation, Outcome)
  }

  /// The content of a line whose shape has been noted; nil for any other line.
  func content(of line: ArraySlice<UInt8>) -> Content? {
    Self.shape(of: line).flatMap { shapes[$0] }
  }

  /// Notes the content of lines of this shape.
  mutating func note(_ content: Content, of line: ArraySlice<UInt8>) {
    guard shapes.count < Self.most, let shape = Self.shape(of: line) else { return }
    // A copy: a part of what was read would keep all of it.
    shapes[ArraySlice(Array(shape))] = content
  }

  /// The number of the event, of a line as a device writes it; nil for any other line.
  static func sequence(of line: ArraySlice<UInt8>) -> Int? {
    guard line.last == UInt8(ascii: "}"), line.starts(with: start) else { return nil }
    let digits = line.dropFirst(start.count).prefix { isDigit($0) }
    // What has more digits is read in full, and refused.
    guard (1...15).contains(digits.count) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  private static let start = Array(#"{"seq":"#.utf8)

  /// Whether the line is an event as a device writes it, and one that states nothing of what rules were asked.
  static func isBesides(_ line: ArraySlice<UInt8>) -> Bool {
    guard let head = line.prefix(72).range(of: name), isWhole(line) else { return false }
    return !relevant.contains { line[head.upperBound...].starts(with: $0) }
  }

  /// Whether the line is one object from its first byte to its last, as far as quotes and brackets tell.
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

  /// The line without its `seq`, `time`, `request` and `bytes`; nil for what is no decision as a device writes it.
  private static func shape(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    // What stands before the event is short.
    guard let head = line.prefix(96).range(of: event) else { return nil }
    let rest = line[head.upperBound...].drop(while: isDigit)
    // Texts of guests stand behind the size.
    guard let size = rest.prefix(1024).range(of: bytes) else { return rest }
    return rest[..<size.lowerBound] + rest[size.upperBound...].drop(while: isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}

extension ArraySlice<UInt8> {
  /// The place where `pattern` stands first; nil where it does not.
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
