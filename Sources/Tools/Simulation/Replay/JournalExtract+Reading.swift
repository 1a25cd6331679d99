internal import Diagnostics
internal import JSON
internal import Model

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
