package import Model
internal import Policy
public import Scenario

/// What came of a journal's requests when they were decided anew.
public struct ReplayReport {
  /// The path of the journal.
  let journal: String
  /// The name of the journal's case in JSON; nil: none.
  public var caseName: CaseName?
  /// Whether the last line of the journal is half written, and left out.
  let isCutOff: Bool
  /// For which apps other policies are; nil where none are.
  var scope: Scope?
  /// The number of requests that were decided anew.
  var decided = 0
  var besides = Besides()
  /// The decisions that are other than they were, those alike together, in the order of the journal.
  public private(set) var differences: [Difference] = []

  /// The apps that other policies are for.
  enum Scope {
    /// All in which accounts were under a policy: the policies name none of them.
    case all
    /// Those that they name; in the others accounts were under a policy, and are no more.
    case named(others: [String])
  }

  /// Requests that were not decided anew, by what was asked.
  package struct Besides: Sendable {
    /// Those that no rules for transfers decide.
    package var noTransfers: [Operation: Int] = [:]
    /// Transfers that were refused before any rule was asked.
    package var withoutRules: [Operation: Int] = [:]
    /// Transfers of which the journal does not state what the rules were asked.
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

  /// Whether every decision is what it was.
  public var isSame: Bool { differences.isEmpty }

  /// Requests between the same ends by the same way that are decided otherwise for one reason.
  public struct Difference {
    var channel: Channel
    /// The bundle id of the app that sends; nil for a storage location or the system.
    var sender: String?
    /// The bundle id of the app that receives, the storage location, or the feature of the system.
    var receiver: String
    /// The UPN of the data's owner; nil where nobody owns them.
    var owner: String?
    var was: ExplainedVerdict
    var now: ExplainedVerdict
    var count: Int
    /// The first of the requests, and its line in the journal.
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

  /// What the change amounts to.
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

  /// The reason of the change: why the request is refused now, or was before.
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
