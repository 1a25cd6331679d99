internal import Encodings
package import Model
internal import Policy
package import Scenario

/// The result of evaluating the requests in a journal again.
package struct ReplayReport {
  let journal: String
  /// The name of the journal's case for JSON; nil if it has none.
  package var caseName: CaseName?
  /// Whether the journal's last line is incomplete and was therefore skipped.
  let isCutOff: Bool
  /// The apps to which the new policies apply; nil if there are no new policies.
  var scope: Scope?
  /// The number of evaluated requests.
  var decided = 0
  var besides = Besides()
  /// The changed decisions in the order of the journal. Equal decisions are combined.
  package private(set) var differences: [Difference] = []

  enum Scope {
    /// All apps in which a policy applied to accounts, because the new policies name none of these
    /// apps.
    case all
    /// The apps that the new policies name. `others` are the apps in which a recorded policy applied to accounts, but
    /// no new policy applies.
    case named(others: [String])
  }

  /// The counts of requests that were not evaluated again, keyed by operation.
  package struct Besides: Sendable {
    /// The number of requests that transfer rules do not decide.
    package var noTransfers: [Operation: Int] = [:]
    /// The number of transfers that were refused before any rule was evaluated.
    package var withoutRules: [Operation: Int] = [:]
    /// The number of transfers for which the journal does not state the facts.
    package var withoutFacts: [Operation: Int] = [:]

    mutating func add(_ other: Besides) {
      noTransfers.merge(other.noTransfers, uniquingKeysWith: +)
      withoutRules.merge(other.withoutRules, uniquingKeysWith: +)
      withoutFacts.merge(other.withoutFacts, uniquingKeysWith: +)
    }
  }

  init(journal: String, isCutOff: Bool) {
    self.journal = journal
    self.isCutOff = isCutOff
  }

  package var isSame: Bool { differences.isEmpty }

  /// Requests with a changed decision that have the same endpoints, channel, owner and reason for the change.
  package struct Difference {
    var channel: Channel
    /// The bundle id of the sending app, or the storage location; nil if there is neither, for
    /// example if the system is the sender.
    var sender: String?
    /// The bundle id of the receiving app, the storage location, or the system feature.
    var receiver: String
    /// The UPN of the data's owner; nil if there is none.
    var owner: String?
    var was: ExplainedVerdict
    var now: ExplainedVerdict
    var count: Int
    /// The number of the journal line that contains the first request.
    var line: Int
    var request: Int
  }

  mutating func add(_ difference: Difference) {
    if let index = differences.firstIndex(where: { $0.isLike(difference) }) {
      differences[index].count += difference.count
    } else {
      differences.append(difference)
    }
  }
}

extension ReplayReport.Difference {
  init(
    _ request: TransferRequest, was: ExplainedVerdict, now: ExplainedVerdict, count: Int, line: Int,
    number: Int
  ) {
    channel = request.channel
    let location = request.content.location?.rawValue
    let isFromPlace = request.sender.app.bundleID.isEmpty || request.channel == .openFrom
    sender = isFromPlace ? location : request.sender.app.bundleID
    let isToPlace = request.receiver.app.bundleID.isEmpty || request.channel == .saveTo
    receiver = isToPlace ? location ?? request.channel.rawValue : request.receiver.app.bundleID
    owner = request.owner.account?.upn
    (self.was, self.now, self.count, self.line, self.request) = (was, now, count, line, number)
  }

  var change: Change {
    if now.outcome == was.outcome { return .otherReasons }
    return switch now.outcome {
    case .blocked: .refused
    case .encrypted: .encrypted
    case .allowed: .letThrough
    }
  }

  enum Change: String, CaseIterable {
    case refused, encrypted, letThrough, otherReasons
  }

  /// The deciding reason of the more restrictive verdict. It explains the change.
  var reason: Explanation? {
    let verdict = now.outcome <= was.outcome ? now : was
    return verdict.reasons.first { $0.rule == verdict.deciding }
  }

  fileprivate func isLike(_ other: Self) -> Bool {
    channel == other.channel && sender == other.sender && receiver == other.receiver
      && owner == other.owner && was.outcome == other.was.outcome
      && now.outcome == other.now.outcome && reason == other.reason
  }
}

// MARK: - Text

extension ReplayReport {
  /// The report as text: the changed decisions, grouped by kind of change and deciding setting, and
  /// then a summary.
  package var text: String {
    Difference.Change.allCases.map(section).joined() + summary
  }

  private func section(_ change: Difference.Change) -> String {
    let all = differences.filter { $0.change == change }
    guard !all.isEmpty else { return "" }
    var lines = ["\(change.words): \(Self.count(all.reduce(0) { $0 + $1.count }, "request"))"]
    for reason in all.map(\.reasonText).unique {
      lines.append("  \(reason)")
      lines += all.filter { $0.reasonText == reason }.map { "  \($0.text)" }
    }
    return lines.map { $0.escapingUnprintable() }.joined(separator: "\n") + "\n\n"
  }

  private var summary: String {
    let differing = differences.reduce(0) { $0 + $1.count }
    let found =
      switch differing {
      case 0: "no decision changes"
      case 1: "1 decision changes"
      default: "\(differing) decisions change"  // open: counts
      }
    var lines = ["\(Self.count(decided, "transfer")) decided again, \(found)"]
    switch scope {
    case .all?:
      lines.append(
        "the policies name none of the recorded apps, so they apply to all apps in which accounts "
          + "had a policy"
      )
    case .named(let others)?:
      let rest =
        others.isEmpty ? "" : "; no longer under a policy: \(others.joined(separator: ", "))"
      lines.append("the policies apply only to the apps that they name\(rest)")
    case nil: break
    }
    let kinds = [
      ("not decided: the journal does not record the facts", besides.withoutFacts),
      ("not decided, because they are not transfers", besides.noTransfers),
      ("refused before any rule was evaluated", besides.withoutRules),
    ]
    for (words, counts) in kinds where !counts.isEmpty {
      lines.append("\(words): \(Self.list(counts))")
    }
    if isCutOff { lines.append("the last line of the journal is incomplete and was skipped") }
    return lines.map { $0.escapingUnprintable() + "\n" }.joined()
  }

  private static func list(_ counts: [Operation: Int]) -> String {
    counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
      .map { "\($0.value) \($0.key.rawValue)" }.joined(separator: ", ")
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}

extension ReplayReport.Difference.Change {
  fileprivate var words: String {
    switch self {
    case .refused: "refused now"
    case .encrypted: "encrypted now"
    case .letThrough: "let through now"
    case .otherReasons: "same answer, for other reasons"
    }
  }
}

extension ReplayReport.Difference {
  /// The deciding setting with its value and location; the name of the rule if it reads no setting.
  fileprivate var reasonText: String {
    let word = now.outcome <= was.outcome ? "" : "was "
    guard let reason, let setting = reason.label ?? reason.setting else {
      return "\(word)\((now.outcome <= was.outcome ? now : was).deciding.rawValue)"
    }
    let value = reason.value.map { " = `\($0)`" } ?? ""
    return "\(word)`\(setting)`\(value)" + (reason.place.map { " in \($0)" } ?? "")
  }

  fileprivate var text: String {
    let data = owner.map { ", data of \($0)" } ?? ""
    let flow = "\(channel.rawValue) \(sender.map { "\($0) → " } ?? "")\(receiver)\(data)"
    return "  \(count)× \(flow): \(was.outcome.rawValue) by \(was.deciding.rawValue), "
      + "now \(now.outcome.rawValue) by \(now.deciding.rawValue); line \(line), request \(request)"
  }
}

extension Explanation {
  /// The location that states the setting, or the file that omits it; nil if it is unknown.
  fileprivate var place: String? {
    guard let source, source != "absent" else { return nil }
    return source.hasPrefix("absent in ") ? String(source.dropFirst(10)) : source
  }
}

extension [String] {
  fileprivate var unique: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}

// MARK: - JSON

extension ReplayReport {
  /// The report as one line of JSON.
  package var json: String {
    JSONWriter.objectLine { writer in
      writer.member("journal", journal)
      writer.member("suite", caseName?.suite)
      writer.member("case", caseName?.name)
      writer.member("decided", decided)
      writer.member("differing", differences.reduce(0) { $0 + $1.count })
      writer.array("differences") { writer in
        for difference in differences { writer.object { difference.writeMembers(to: &$0) } }
      }
      Self.write(besides.noTransfers, to: &writer, as: "noTransfers")
      Self.write(besides.withoutRules, to: &writer, as: "withoutRules")
      Self.write(besides.withoutFacts, to: &writer, as: "withoutFacts")
      switch scope {
      case .all?: writer.member("policiesFor", "allApps")
      case .named(let others)?:
        writer.member("policiesFor", "namedApps")
        writer.strings("underNone", others)
      case nil: break
      }
      if isCutOff { writer.member("cutOff", true) }
    }
  }

  private static func write(
    _ counts: [Operation: Int], to writer: inout JSONWriter, as name: StaticString
  ) {
    writer.object(name) { writer in
      for (operation, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        writer.member(named: operation.rawValue) { $0.number(count) }
      }
    }
  }
}

extension ReplayReport.Difference {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("change", change.rawValue)
    writer.member("count", count)
    writer.member("channel", channel.rawValue)
    writer.member("sender", sender)
    writer.member("receiver", receiver)
    writer.member("owner", owner)
    writer.member("setting", reason?.setting)
    writer.member("value", reason?.value)
    writer.member("source", reason?.source)
    for (name, verdict) in [("was", was), ("now", now)] {
      writer.member(named: name) { writer in
        writer.object { writer in
          writer.member("outcome", verdict.outcome.rawValue)
          writer.member("decidedBy", verdict.deciding.rawValue)
        }
      }
    }
    writer.member("line", line)
    writer.member("request", request)
  }
}
