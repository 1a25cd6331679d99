internal import Encodings
internal import Model
internal import Output
internal import Policy
package import Simulation

/// The requests in a journal, for a replay that evaluates them again.
package struct Replay {
  private let journal: String
  private var decider = Decider([], asked: .device)
  private var requests: [String: TransferRequest] = [:]
  /// The policies and facts that the journal has stated so far, keyed by name.
  private var stated: [String: RecordedObject] = [:]
  private var questions: [RecordedQuestion: Occurrences] = [:]
  private var besides = ReplayReport.Besides()
  /// The accounts to which a policy began to apply, with their apps.
  private var enrolled: [(app: String, account: String)] = []
  private var signedIn: [(app: String, account: String)] = []
  /// The accounts that were renamed in the directory: previous and new names.
  private var renamed: [(account: String, name: String)] = []
  /// The number of the last event; nil before the first event.
  private var sequence: Int?
  private var isCutOff = false

  /// The number of decisions that answer the same question, and the first of these decisions.
  private struct Occurrences {
    var count = 0
    /// The number of the journal line that contains the first decision.
    var line: Int
    var decision: RequestDecision
  }

  /// Reads a journal.
  ///
  /// - Throws: ``RunError`` if the file cannot be read, a line is not an event, an event is missing, or stated facts
  ///   are invalid.
  package init(of journal: String) throws(RunError) {
    try self.init(of: journal, [JournalExtract(of: journal)])
  }

  /// Combines all pieces of a journal, in order.
  ///
  /// - Throws: ``RunError`` if there are no events, an event is missing, or stated facts are invalid.
  package init(of journal: String, _ pieces: [JournalExtract]) throws(RunError) {
    self.journal = journal
    for piece in pieces { try add(piece) }
    guard sequence != nil else {
      throw RunError(.file(journal), "it contains no events", rule: "journal")
    }
  }

  private mutating func add(_ piece: JournalExtract) throws(RunError) {
    isCutOff = isCutOff || piece.isCutOff
    besides.add(piece.besides)
    guard let span = piece.span else { return }
    if let sequence { try Self.check(span.first, follows: sequence, in: journal, span.line) }
    sequence = span.last
    for entry in piece.entries { try add(entry) }
  }

  private mutating func add(_ entry: JournalExtract.Entry) throws(RunError) {
    switch entry.event.kind {
    case .policyStated(let name, _, let settings): try add(policy: name, settings, entry.line)
    case .factsStated(let name, let facts): try add(facts: name, facts, entry.line)
    case .decided(let decision):
      guard let question = RecordedQuestion(decision) else { return }
      questions[question, default: Occurrences(line: entry.line, decision: decision)].count +=
        entry.count
    case .accountEnrolled(let app, let account, _): enrolled.append((app, account))
    case .accountSignedIn(let app, let account, _): signedIn.append((app, account))
    case .accountRenamed(let account, let name): renamed.append((account, name))
    case .policyChanged(let app, let account, let policies):
      if !policies.isEmpty { enrolled.append((app, account)) }
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

  /// Checks that the numbers of successive events are consecutive.
  static func check(
    _ next: Int, follows sequence: Int, in journal: String, _ line: Int
  ) throws(RunError) {
    guard next != sequence &+ 1 else { return }
    throw mistake(
      journal, line, 1,
      next == 1
        ? "another journal begins here: its events count from 1 again"
        : "event \(next) follows event \(sequence): events between them are missing")
  }

  private mutating func add(
    policy name: String, _ settings: RecordedObject, _ line: Int
  ) throws(RunError) {
    guard try isNew(name, settings, line) else { return }
    do throws(RunError) {
      for document in try PolicyFiles.read(Array(settings.json.utf8), file: journal) {
        var document = document
        document.displayName = name
        decider.add(document)
      }
    } catch {
      throw mistake(line, 1, "the settings of `\(name)` cannot be read: \(error.reason)")
    }
  }

  private mutating func add(
    facts name: String, _ facts: RecordedObject, _ line: Int
  ) throws(RunError) {
    guard try isNew(name, facts, line) else { return }
    do throws(JSONSyntaxError) {
      let fields = try DecisionFields(JSONReader.read(facts.json), keys: DecisionKey.self)
      requests[name] = try decider.request(fields)
    } catch {
      throw mistake(line, 1, "the facts `\(name)` cannot be read: \(error.message)")
    }
  }

  /// Returns whether a name is stated for the first time. Throws an error if the name was stated before with other
  /// content.
  private mutating func isNew(
    _ name: String, _ content: RecordedObject, _ line: Int
  ) throws(RunError) -> Bool {
    guard let before = stated[name] else {
      stated[name] = content
      return true
    }
    guard before == content else {
      throw mistake(line, 1, "this event and an earlier one state different contents of `\(name)`")
    }
    return false
  }

  private func mistake(_ line: Int, _ column: Int, _ message: String) -> RunError {
    Self.mistake(journal, line, column, message)
  }

  static func mistake(
    _ journal: String, _ line: Int, _ column: Int, _ message: String
  ) -> RunError {
    RunError(.file(journal, Position(line: line, column: column)), message, rule: "journal")
  }

  // MARK: Evaluation

  /// Evaluates all requests again, and reports the differences.
  ///
  /// - Parameter rollout: The policies that replace the recorded policies; nil to use the recorded
  ///   ones.
  /// - Throws: ``RunError`` if decisions refer to facts that the journal does not state, or the journal states no facts
  ///   for any of its transfers.
  package func report(under rollout: Rollout?) throws(RunError) -> ReplayReport {
    var rollout = rollout
    for request in requests.values { rollout?.record(request) }
    for (app, account) in enrolled { rollout?.record(Account(upn: account), in: app) }
    for (app, account) in signedIn { rollout?.record(Account(upn: account), signedInTo: app) }
    for (account, name) in renamed { rollout?.record(Account(upn: account), renamedTo: name) }
    var report = ReplayReport(journal: journal, isCutOff: isCutOff)
    report.scope = rollout?.scope
    report.besides = besides
    for (question, occurrences) in questions.sorted(by: { $0.value.line < $1.value.line }) {
      guard let recorded = requests[question.facts] else {
        throw mistake(
          occurrences.line, 1,
          "the facts `\(question.facts)` are not defined earlier; the beginning of the journal may be missing"
        )
      }
      let request = rollout?.applied(to: recorded) ?? recorded
      let answer = question.answer(on: request)
      report.decided += occurrences.count
      let isSame =
        rollout == nil
        ? question.agrees(with: answer.verdict)
        : question.outcome == answer.verdict.outcome
      guard !isSame else { continue }
      report.add(
        ReplayReport.Difference(
          answer.request, was: occurrences.decision.verdict,
          now: Explainer.explain(answer.request, answer.verdict, insteadOf: request),
          count: occurrences.count, line: occurrences.line,
          number: occurrences.decision.request))
    }
    guard report.decided > 0 || besides.withoutFacts.isEmpty else {
      throw RunError(
        .file(journal),
        "the journal is from an earlier version of Sluice, and does not record the facts of decisions",
        rule: "journal")
    }
    return report
  }
}

extension RecordedQuestion {
  /// Returns whether the verdict has the recorded outcome and the recorded reasons.
  fileprivate func agrees(with verdict: Verdict) -> Bool {
    outcome == verdict.outcome
      && reasons == verdict.reasons.map { Reason(rule: $0.rule, side: $0.side) }
  }
}

// MARK: - Questions

/// A question to the rules, with the recorded answer. Equal requests in a journal have the same question.
struct RecordedQuestion: Hashable {
  /// The name of the stated facts that the question refers to.
  var facts: String
  var kind: Kind
  var outcome: Outcome
  var reasons: [Reason]

  enum Kind: Hashable {
    case transfer
    /// Asks whether a received item may be shown. Only the receiving side is evaluated.
    case receiving
    /// Asks about an item that the receiver got after it had switched to an unmanaged account on request.
    case switched
  }

  /// The parts of a reason by which verdicts are compared.
  struct Reason: Hashable {
    var rule: Rule
    var side: Side
  }

  /// Creates the question that a decision answers. Returns nil if the decision refers to no facts.
  init?(_ decision: RequestDecision) {
    guard let facts = decision.facts else { return nil }
    self.facts = facts
    kind =
      if decision.operation == .canReceive {
        .receiving
      } else if decision.verdict.reasons.first?.rule == .documentImport {
        .switched
      } else {
        .transfer
      }
    outcome = decision.verdict.outcome
    reasons = decision.verdict.reasons.map { Reason(rule: $0.rule, side: $0.side) }
  }

  /// Evaluates a request as a question of this kind. Returns the request that was evaluated last: the given request or,
  /// if the receiver switches to an unmanaged account, the request after the switch.
  func answer(on request: TransferRequest) -> (request: TransferRequest, verdict: Verdict) {
    if kind == .receiving { return (request, evaluateReceiving(request)) }
    let verdict = evaluate(request)
    guard kind == .switched, let switched = documentImport(for: request, verdict: verdict) else {
      return (request, verdict)
    }
    return (switched, evaluate(importing: switched))
  }
}
