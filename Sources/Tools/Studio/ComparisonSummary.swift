internal import Analysis
internal import Encodings
internal import GraphDocuments
internal import Model
internal import Output
package import Policy

/// Sentences about the answers that differ between two policies, for readers who do not know the tables. The sentences
/// name the apps of the sample device.
package struct ComparisonSummary {
  /// An action that has different outcomes under the two policies.
  fileprivate struct Statement: Hashable {
    /// The app or the account that acts.
    var actor: String
    var verb: Verb
    var object: String
    /// The account to which the object belongs; empty if it has none.
    var account = ""
    /// Whether a sentence may join this statement with statements that have the same object and different verbs. If
    /// false, with statements that have the same verb and different objects.
    var joinsVerbs: Bool
    /// The rank among the statements. The lowest rank is the most important.
    var rank: Int

    struct Verb: Hashable {
      var action: String
      var preposition: String
      /// The sharing paths on which the outcomes differ; empty if they differ on all paths.
      var paths: Set<SharingPath> = []
    }
  }

  /// Statements that become one sentence: they have the same actor, and the same object or the same verb.
  fileprivate struct Group {
    var statements: [Statement]
    var before: Outcome
    var after: Outcome
    /// The device states in which the outcomes differ; empty if they differ in all states.
    var states: [ManagementState]
  }

  /// A line of the admin centre with different values in the two policies. The values are in the admin centre's words;
  /// nil if a policy has no value.
  struct SettingChange {
    var page: SettingPage
    var title: String
    var before: String?
    var after: String?
  }

  /// The sentences about answers, the most important first, then the sentences about settings that no answer shows.
  package let changes: [String]
  /// The number of answers that change, as a sentence.
  private let total: String

  var sentences: [String] { changes + [total] }

  private static let maximum = 6

  /// Summarises the change from one policy to another.
  ///
  /// - Parameter name: The second policy, as a noun phrase after "with".
  package init(from old: PolicyDocument, to new: PolicyDocument, called name: String) {
    self.init(
      FlowMatrixComparison(old, new), SettingChange.all(from: old, to: new), of: name, new)
  }

  /// Summarises the comparison of two policies.
  ///
  /// - Parameters:
  ///   - name: The second policy, as a noun phrase after "with".
  ///   - document: The second policy.
  init(
    _ comparison: FlowMatrixComparison, _ settings: [SettingChange], of name: String,
    _ document: PolicyDocument
  ) {
    let names = Names(SampleDevice(document))
    var groups: [Group] = []
    for difference in comparison.differences {
      guard let statement = names.statement(of: difference) else { continue }
      let states = difference.states == comparison.after.states ? [] : difference.states
      let index = groups.firstIndex { group in
        group.before == difference.before && group.after == difference.after
          && group.states == states && group.statements[0].joins(statement)
      }
      if let index {
        groups[index].statements.append(statement)
      } else {
        groups.append(
          Group(
            statements: [statement], before: difference.before, after: difference.after,
            states: states))
      }
    }
    let ordered = groups.enumerated().sorted {
      ($0.element.statements[0].rank, $0.offset) < ($1.element.statements[0].rank, $1.offset)
    }.map(\.element)
    let count = comparison.changed.count
    let shown = ordered.prefix(Self.maximum).enumerated().map { place, group in
      place == 0 ? "With \(name), \(group.text)." : "\(group.text.capitalizedStart)."
    }
    // Answers are about flows of data, so they do not show access requirements and conditional launch.
    let unseen = settings.filter { count == 0 || $0.page != .dataProtection }
    let stated = unseen.prefix(Self.maximum).map(\.sentence)
    let rest =
      ordered.count > shown.count || unseen.count > stated.count
      ? ["The tables list further changes."] : []
    total =
      count == 0
      ? "No answer about a flow of data changes."
      : "\(count) of \(comparison.answerCount.counting("answer")) \(count == 1 ? "changes" : "change")."
    changes = shown + stated + rest
  }
}

// MARK: - Sentences

extension ComparisonSummary.SettingChange {
  /// Returns the lines of the admin centre that differ, in its order.
  static func all(from old: PolicyDocument, to new: PolicyDocument) -> [Self] {
    let changed = Set(new.settings.differences(from: old.settings))
    return SettingPage.allCases.flatMap { page in
      page.lines.filter { $0.settings.contains(where: changed.contains) }.map { line in
        Self(
          page: page, title: line.title, before: old.settings.words(for: line.settings[0]),
          after: new.settings.words(for: line.settings[0]))
      }
    }
  }

  /// The new and the old value as a sentence, with the values in backticks.
  fileprivate var sentence: String { "\(title): `\(after ?? "none")`, not `\(before ?? "none")`." }
}

extension ComparisonSummary.Statement {
  /// Returns whether one sentence can contain both statements.
  fileprivate func joins(_ other: Self) -> Bool {
    actor == other.actor && account == other.account && rank == other.rank
      && joinsVerbs == other.joinsVerbs
      && (joinsVerbs ? object == other.object : verb == other.verb)
  }
}

extension ComparisonSummary.Statement.Verb {
  /// Returns the verb with its preposition and, if `isStated` is true, with the path.
  fileprivate func text(statingPath isStated: Bool) -> String {
    "\(action)\(isStated ? Self.text(of: paths) : "") \(preposition)"
  }

  /// Returns the sharing path in parentheses, such as ` (shared by the app)`; empty for all paths.
  fileprivate static func text(of paths: Set<SharingPath>) -> String {
    paths == [.sdk] ? " (shared by the app)" : paths == [.os] ? " (shared by the system)" : ""
  }
}

extension ComparisonSummary.Group {
  /// The change as a clause, such as `Outlook can no longer share with or paste into WhatsApp`.
  fileprivate var text: String {
    var verbs: [ComparisonSummary.Statement.Verb] = []
    for verb in statements.map(\.verb) {
      let known = verbs.firstIndex {
        $0.action == verb.action && $0.preposition == verb.preposition
      }
      guard let known else {
        verbs.append(verb)
        continue
      }
      // Both paths differ, so they need no mention.
      verbs[known].paths.formUnion(verb.paths)
      if verbs[known].paths.count == SharingPath.allCases.count { verbs[known].paths = [] }
    }
    let objects = statements.map(\.object).unique
    let first = statements[0]
    let join = after == .blocked ? ListFormat.any : ListFormat.all
    let paths = Set(verbs.map(\.paths))
    let what =
      text(of: verbs, statingPaths: paths.count > 1, join) + " "
      + (objects.count > 6 ? ListFormat.first(5, of: objects) : join(objects))
      + (first.account.isEmpty ? "" : " \(first.account)")
      + (paths.count == 1 ? ComparisonSummary.Statement.Verb.text(of: verbs[0].paths) : "")
    let devices = states.isEmpty ? "" : " (\(states.map(\.title).joined(separator: ", ")))"
    return switch (before, after) {
    case (.encrypted, .blocked):
      "\(first.actor) can no longer \(what), not even encrypted\(devices)"
    case (_, .blocked): "\(first.actor) can no longer \(what)\(devices)"
    case (.encrypted, .allowed): "\(first.actor) can now \(what) without encryption\(devices)"
    case (_, .allowed): "\(first.actor) can now \(what)\(devices)"
    case (.allowed, .encrypted):
      "\(first.actor) can still \(what), but the data arrives encrypted\(devices)"
    case (_, .encrypted): "\(first.actor) can now \(what), but the data arrives encrypted\(devices)"
    }
  }

  /// Returns the verbs as one phrase. If `isStated` is false, and more than three verbs have different prepositions,
  /// names the first two verbs and the number of further verbs.
  private func text(
    of verbs: [ComparisonSummary.Statement.Verb], statingPaths isStated: Bool,
    _ join: ([String]) -> String
  ) -> String {
    if Set(verbs.map(\.preposition)).count == 1, !isStated {
      return "\(join(verbs.map(\.action))) \(verbs[0].preposition)"
    }
    let texts = verbs.map { $0.text(statingPath: isStated) }
    guard texts.count > 3, !isStated else { return join(texts) }
    return join(texts.prefix(2) + ["send data in \(texts.count - 2) more ways to"])
  }
}

// MARK: - Names

/// The names of apps and accounts in sentences.
private struct Names {
  /// The app that the policy protects.
  var own: String
  /// Another app that the policy protects.
  var other: String
  /// An app that no policy protects.
  var open: String

  init(_ device: SampleDevice) {
    let protected = device.apps.filter(\.isProtected)
    own = protected.first?.name ?? "the app"
    other = protected.count > 1 ? protected[1].name : "another protected app"
    open = device.apps.first { !$0.isProtected }?.name ?? "another app"
  }

  private var personal: String { "the personal account in \(own)" }

  /// Returns the name of an acting app; nil for parties that the tables do not contain.
  private func actor(_ end: End) -> String? {
    switch end {
    case .managed: own
    case .unmanaged: personal
    case .otherOrganisation: "an app with an account of another organisation"
    case .colleague, .unenrolled, .orgData, .system: nil
    }
  }

  func statement(of difference: FlowMatrixComparison.Difference) -> ComparisonSummary.Statement? {
    let (channel, parties) = (difference.row.channel, difference.parties)
    switch channel.counterpart {
    case .app:
      let from = parties.from == .unmanaged ? open : actor(parties.from)
      let to =
        switch parties.to {
        case .managed: parties.from == .managed ? other : own
        case .unmanaged: open
        case .otherOrganisation, .colleague, .unenrolled, .orgData, .system: actor(parties.to)
        }
      guard let from, let to, var verb = channel.appVerb else { return nil }
      verb.paths = difference.row.via.map { [$0] } ?? []
      return .init(actor: from, verb: verb, object: to, joinsVerbs: true, rank: rank(of: parties))
    case .url:
      guard let from = actor(parties.from) else { return nil }
      let object =
        parties.from == .unmanaged
        ? "any app" : parties.to == .managed ? "protected apps" : "unprotected apps"
      return .init(
        actor: from, verb: .init(action: action(of: difference), preposition: "in"),
        object: object, joinsVerbs: true, rank: rank(of: parties) + 1)
    case .location:
      guard case .location(let location) = difference.row.subject else { return nil }
      let (near, far) =
        channel.isIncoming ? (parties.to, parties.from) : (parties.from, parties.to)
      guard let actor = actor(near) else { return nil }
      let account =
        switch far {
        case .managed: near == .managed ? "of its account" : "of the work account"
        case .otherOrganisation: "of another organisation"
        case .unmanaged: "of no account"
        case .colleague, .unenrolled, .orgData, .system: ""
        }
      return .init(
        actor: actor,
        verb: channel.isIncoming
          ? .init(action: "open documents", preposition: "from")
          : .init(action: "save copies", preposition: "to"),
        object: location.title, account: account, joinsVerbs: false,
        rank: rank(of: parties) + 3)
    case .system:
      guard let actor = actor(channel.isIncoming ? parties.to : parties.from) else { return nil }
      return .init(
        actor: actor,
        verb: channel.isIncoming
          ? .init(action: "take documents", preposition: "from")
          : .init(action: "pass data", preposition: "to"),
        object: channel.row.counterpartWords, joinsVerbs: false,
        rank: actor == own ? 2 : 12)
    }
  }

  /// Returns the rank of a transfer between parties. Work data that leaves the policy's control ranks first.
  private func rank(of parties: Parties) -> Int {
    switch (parties.from, parties.to) {
    case (.managed, .unmanaged): 0
    case (.managed, .otherOrganisation): 4
    case (.managed, _): 6
    default: 9  // open: pairs
    }
  }

  /// Returns the action of a difference about opening a URL, as a verb phrase such as `open web links`.
  private func action(of difference: FlowMatrixComparison.Difference) -> String {
    guard difference.row.channel == .openURL,
      case .url(let url, let opener) = difference.row.subject
    else {
      return difference.row.channel == .appClip ? "open App Clip links" : "open universal links"
    }
    let scheme = URLScheme.of(url) ?? ""
    let end = opener.scheme.map { " of \($0):" } ?? ""
    switch scheme {
    case "http", "https": return "open web links\(end)"
    case "tel": return "start phone calls\(end)"
    case "sms": return "write text messages\(end)"
    case "acme": return "open links by a URL scheme"
    default: return "open `\(scheme):` links\(end)"  // open: a scheme of the policy
    }
  }
}

extension Channel {
  /// The verb of a transfer between two apps; nil for other channels.
  fileprivate var appVerb: ComparisonSummary.Statement.Verb? {
    switch self {
    case .share: .init(action: "share", preposition: "with")
    case .openIn: .init(action: "open documents", preposition: "in")
    case .import: .init(action: "provide items", preposition: "to")
    case .extensionResult: .init(action: "return items of extensions", preposition: "to")
    case .dragAndDrop: .init(action: "drag content", preposition: "into")
    case .clipboard: .init(action: "paste", preposition: "into")
    case .contactRead: .init(action: "show contacts", preposition: "to")
    case .openURL, .universalLink, .appClip, .saveTo, .openFrom, .documentPickerExport,
      .documentPickerImport, .mailComposer, .messageComposer, .print, .notification, .contactSync,
      .widget, .spotlight, .siriIntents, .appIntents, .backup, .screenCapture, .writingTools,
      .genmoji, .keyboard, .webView, .safariExtension, .fileEncryption:
      nil
    }
  }
}
