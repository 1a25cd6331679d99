package import Encodings
package import GraphDocuments
package import Model
package import Output
package import Policy

/// A kind of transfer by which a managed account's data can leave the protection of all policies, to a receiver without
/// a policy.
///
/// Tables of policies, searches for leaks, the studio and pages about tenants list and count these ways.
package struct WayOut: Sendable, Hashable {
  /// The title, such as `Share, by the SDK`.
  package let title: String
  private let scene: Scene
  /// Whether the receiver is the sending app, acting for a personal account.
  private let isWithinApp: Bool

  package var channel: Channel { scene.channel }

  /// The sharing path; nil if the channel does not distinguish paths.
  package var via: SharingPath? { channel.row.hasTwoPaths ? scene.via : nil }

  /// Returns all ways out, open or closed: the outward flows in the table of the policies `shown`, and the opening of
  /// the app's own URL scheme for its personal account.
  ///
  /// - Parameter shown: The settings of the policies in the table. Each scheme, link, app and text limit in them is a
  ///   separate way.
  package static func all(
    among shown: [Settings], channels: Set<Channel> = Set(FlowMatrix.channels)
  ) -> [WayOut] {
    // Without device states, rows have no answers.
    let builder = FlowMatrixBuilder(
      policy: EffectivePolicy(settings: Settings()), states: [], shown: shown)
    let ways = builder.sections(channels).flatMap { section in
      section.rows.flatMap { row in
        row.entries.compactMap(\.self).filter(\.parties.isOutward).map { WayOut(row, $0.parties) }
      }
    }
    return ways.filter { !$0.staysWithAccount } + (channels.contains(.openURL) ? [.ownScheme] : [])
  }

  private init(_ row: FlowMatrix.Row, _ parties: Parties) {
    scene = Scene(row.channel, via: row.via ?? .sdk, parties, row.subject)
    isWithinApp = false
    title =
      if case .location(let location) = row.subject {
        "\(row.channel.row.title) \(location.title)"
      } else {
        row.title
      }
  }

  private init(title: String, within scene: Scene) {
    self.title = title
    self.scene = scene
    isWithinApp = true
  }

  /// The way by which the app opens a URL of its own scheme for its personal account. A URL with a managed app's scheme
  /// is allowed regardless of the receiving account.
  private static let ownScheme = WayOut(
    title: "App's own scheme, to its personal account",
    within: Scene(.openURL, Parties(.managed, to: .unmanaged), .url("acme://open")))

  private var staysWithAccount: Bool {
    let request = scene.request(under: EffectivePolicy(settings: Settings()))
    return Operation(channel).staysWithAccount(decidedBy: evaluate(request).deciding.rule)
  }

  // MARK: Conditions

  /// The app or account that must be on the device for data to leave this way, such as `Safari`; nil if every device
  /// has the receiver.
  package var needs: String? {
    switch channel.counterpart {
    case .app: return "an app without a policy"
    case .location: return channel.isIncoming ? Self.personalAccount : nil
    case .system: return nil
    case .url:
      guard !isWithinApp, case .url(let url, let opener) = scene.subject else {
        return Self.personalAccount
      }
      if let scheme = opener.scheme { return "an app that opens `\(scheme):`" }
      if channel == .universalLink, let host = WebLink(url)?.host {
        return "an app that claims `\(host)`"
      }
      if channel == .appClip, let host = WebLink(url)?.host { return "an App Clip for `\(host)`" }
      switch URLScheme.of(url) {
      case "http", "https": return "Safari"
      case "tel": return "Phone"
      case "sms": return "Messages"
      case "acme": return "an app without a policy"
      case let scheme?: return "an app that opens `\(scheme):`"
      case nil: return nil
      }
    }
  }

  private static let personalAccount = "a personal account in the app"

  // MARK: Requests

  /// A managed identity with data that may leave. Includes the policies and device restrictions that apply to it.
  package struct Sender: Sendable {
    /// The names of the apps or device states that the sender represents.
    package var names: [String]
    package var party: Party
    package var appPolicy: EffectivePolicy?
    package var device: DeviceRestrictions

    package init(
      names: [String], party: Party, appPolicy: EffectivePolicy?, device: DeviceRestrictions
    ) {
      self.names = names
      self.party = party
      self.appPolicy = appPolicy
      self.device = device
    }

    /// Creates the sample sender of the policy's tables, in a device state.
    init(under policy: EffectivePolicy, in state: ManagementState) {
      let scene = Scene(.print, Parties(.managed, to: .system), .none, DeviceCondition(state))
      let request = scene.request(under: policy)
      self.init(
        names: [state.word], party: request.sender, appPolicy: request.appPolicy,
        device: request.device)
    }

    /// Returns whether both senders get the same verdicts, except for verdicts that depend on their bundle ids or
    /// accounts.
    package func isLike(_ other: Sender) -> Bool {
      var app = party.app
      app.bundleID = other.party.app.bundleID
      app.schemes = other.party.app.schemes
      return app == other.party.app && device == other.device
        && party.policy?.settings == other.party.policy?.settings
        && appPolicy?.settings == other.appPolicy?.settings
    }

    fileprivate func replacing(
      _ policy: EffectivePolicy, with other: EffectivePolicy
    ) -> Sender {
      var sender = self
      if party.policy === policy { sender.party.policy = other }
      if appPolicy === policy { sender.appPolicy = other }
      return sender
    }
  }

  package func request(from sender: Sender) -> TransferRequest {
    let policy = sender.party.policy ?? EffectivePolicy(settings: Settings())
    var request = scene.request(under: policy)
    var app = sender.party.app
    if case .page = scene.subject { app.webViews = request.sender.app.webViews }
    if isWithinApp {
      request.receiver = Party(app: app, identity: Scene.personal)
      request.content.isKnownManagedScheme = true
    } else if channel.counterpart == .location {
      // The app itself acts for the location's account.
      request.receiver.app = app
    } else if request.receiver.app.bundleID == app.bundleID {
      request.receiver.app.bundleID += ".other"
    }
    request.sender = sender.party
    request.sender.app = app
    request.owner = Owner(account: sender.party.identity.account, policy: sender.party.policy)
    request.appPolicy = sender.appPolicy
    request.device = sender.device
    return request
  }

  /// Returns whether `verdict` applies to this way. If the way opens a URL in an app that a policy designates, verdicts
  /// that allow the URL without redirecting it to this app do not apply.
  fileprivate func isDecided(by verdict: Verdict) -> Bool {
    guard case .url(_, .registering) = scene.subject, verdict.outcome == .allowed else {
      return true
    }
    return [.customBrowser, .dialerSpecificApp, .messagingSpecificApp]
      .contains(verdict.deciding.rule)
  }

  /// Returns whether data leaves this way in `request`.
  ///
  /// - Parameter rule: The rule that decides on this way. A request to open a URL takes the way if this rule also
  ///   decides on the request. If `rule` is nil, the schemes of both URLs are compared instead.
  fileprivate func isTaken(by request: TransferRequest, deciding rule: Rule?) -> Bool {
    guard request.channel == channel, via == nil || request.via == via else { return false }
    switch scene.subject {
    case .none: return true
    case .text(let limit): return request.content.characters ?? .max <= limit
    case .url(let url, _):
      if let rule { return evaluate(request).deciding.rule == rule }
      let schemes = ["telprompt": "tel", "imessage": "sms"]
      return request.content.scheme.map { schemes[$0] ?? $0 } == URLScheme.of(url)
    case .location(let location): return request.content.location == location
    case .page(_, let page): return (page == .external) == request.content.isExternalPage
    case .screenWithoutControl: return request.sender.app.isScreenCaptureControlDisabled
    }
  }
}

extension Parties {
  fileprivate var isOutward: Bool { from == .managed && (to == .unmanaged || to == .system) }
}

// MARK: - Verdicts

/// The ways out under policies, as explained at ``WayOut``, with their outcomes and the changes of settings that close
/// the open ways.
package struct WaysOut: Sendable {
  package let ways: [JudgedWay]
  private let senders: [WayOut.Sender]
  private let scope: Scope

  /// Whether the names of senders are device states or apps.
  package enum Scope: Sendable {
    case devices, apps

    fileprivate func text(_ names: [String]) -> String {
      switch self {
      case .devices: "devices: " + names.joined(separator: ", ")
      case .apps: "in " + ListFormat.first(3, of: names)
      }
    }
  }

  /// A way out, with the most permissive of the senders' outcomes.
  package struct JudgedWay: Sendable, Equatable {
    package let way: WayOut
    package let outcome: Outcome
    /// The names of the senders with this outcome; empty if all senders have it.
    package let only: [String]
    package let reason: Explanation

    package var isOpen: Bool { outcome == .allowed }
  }

  /// Judges the ways for all senders.
  ///
  /// - Parameter senders: Identities with a policy. If empty, there are no ways.
  package init(_ ways: [WayOut], for senders: [WayOut.Sender], _ scope: Scope) {
    self.senders = senders
    self.scope = scope
    self.ways = ways.compactMap { Self.judge($0, for: senders) }
  }

  /// Judges the ways under a policy.
  ///
  /// - Parameter known: The device states; nil for all states that the policy targets.
  package init(_ document: PolicyDocument, on known: [ManagementState]? = nil) {
    let policy = document.effective
    self.init(
      WayOut.all(among: [document.settings]),
      for: (known ?? document.states).map { WayOut.Sender(under: policy, in: $0) }, .devices)
  }

  private static func judge(_ way: WayOut, for senders: [WayOut.Sender]) -> JudgedWay? {
    let judged = senders.map { sender in
      let request = way.request(from: sender)
      return (sender: sender, request: request, verdict: evaluate(request))
    }.filter { way.isDecided(by: $0.verdict) }
    guard let outcome = judged.map(\.verdict.outcome).max() else { return nil }
    let found = judged.filter { $0.verdict.outcome == outcome }
    return JudgedWay(
      way: way, outcome: outcome,
      only: found.count == senders.count ? [] : found.flatMap(\.sender.names),
      reason: Explainer.explanation(of: found[0].verdict.deciding, in: found[0].request))
  }

  package var open: [JudgedWay] { ways.filter(\.isOpen) }

  /// Returns the open way that data takes in `request`; nil if it takes none.
  package func way(of request: TransferRequest) -> WayOut? {
    (open.first { $0.way.isTaken(by: request, deciding: $0.reason.rule) }
      ?? open.first { $0.way.isTaken(by: request, deciding: nil) })?.way
  }

  /// The apps and accounts that the open ways need. A device may lack them.
  package var needs: [String] { open.compactMap(\.way.needs).unique }

  // MARK: Groups

  /// Open ways that the same changes close.
  package struct Group: Sendable {
    /// The smallest changes of settings that close the ways. Each change closes all of them. Empty if there is no such
    /// change.
    package let closing: [SettingProposal]
    package fileprivate(set) var ways: [JudgedWay]

    /// Returns whether the same changes close the ways of both groups.
    fileprivate func isClosed(like other: Group) -> Bool {
      closing.map(\.text) == other.closing.map(\.text)
        && closing.map(\.settings) == other.closing.map(\.settings)
    }

    /// The changes as text; nil if no change of settings closes the ways.
    package var changes: String? {
      closing.isEmpty ? nil : ListFormat.any(of: closing.map(\.text))
    }
  }

  /// The open ways, grouped by the changes that close them, in the order of the ways. Ways that no change of settings
  /// closes are last.
  package var groups: [Group] {
    var groups: [Group] = []
    for way in open {
      let group = Group(closing: closing(way.way), ways: [way])
      if let index = groups.firstIndex(where: group.isClosed) {
        groups[index].ways.append(way)
      } else {
        groups.append(group)
      }
    }
    return groups.filter { !$0.closing.isEmpty } + groups.filter(\.closing.isEmpty)
  }

  /// The maximum number of policies whose changes are tested in the search for a change that closes a way under all
  /// policies.
  private static let mostPolicies = 8

  /// Returns the changes that close `way` for all senders. If the senders have several policies, a change must be made
  /// in each policy.
  private func closing(_ way: WayOut) -> [SettingProposal] {
    let open = senders.filter { evaluate(way.request(from: $0)).outcome == .allowed }
    var (next, tried) = (open.first, [EffectivePolicy]())
    while let first = next, let policy = first.party.policy, tried.count < Self.mostPolicies {
      let (found, left) = closing(way, of: first, for: open)
      guard found.isEmpty else { return found }
      // If no change closes the way under one policy, none does under all.
      guard let left else { return [] }
      tried.append(policy)
      // Changes of a policy that stays open are tried next, because they may be stricter.
      next = tried.contains { $0 === left.party.policy } ? nil : left
    }
    return [combinedClosing(way, for: open)].compactMap(\.self)
  }

  /// Returns the smallest changes to the policy of `first` that close `way` for all senders, if each sender's policy is
  /// changed in the same way. `left` is a sender for which a tested change leaves the way open; nil if there is none.
  private func closing(
    _ way: WayOut, of first: WayOut.Sender, for open: [WayOut.Sender]
  ) -> (changes: [SettingProposal], left: WayOut.Sender?) {
    guard let policy = first.party.policy else { return ([], nil) }
    var left: WayOut.Sender?
    let changes = SettingProposal.reversing(way.request(from: first), in: policy) { changed in
      let edit = CommonEdit(changed.settings, from: policy.settings)
      let outcomes = open.map { (sender: $0, outcome: Self.outcome(way, $0, edit)) }
      let worst = outcomes.max { $0.outcome < $1.outcome }
      if worst?.outcome == .allowed { left = left ?? worst?.sender }
      return worst?.outcome ?? .blocked
    }
    return (changes, left)
  }

  /// Returns a combined change of settings that closes `way` for all senders; nil if there is none. Each part of the
  /// change closes the way under some of the policies.
  private func combinedClosing(_ way: WayOut, for open: [WayOut.Sender]) -> SettingProposal? {
    guard let base = open.first?.party.policy?.settings else { return nil }
    var (edit, texts) = (CommonEdit(base, from: base), [String]())
    for _ in 0..<Self.mostPolicies {
      guard let left = open.first(where: { Self.outcome(way, $0, edit) == .allowed }),
        let own = left.party.policy
      else {
        return SettingProposal(
          text: texts.unique.joined(separator: " and "), settings: edit.applied(to: base),
          outcome: open.map { Self.outcome(way, $0, edit) }.max() ?? .blocked)
      }
      let edited = EffectivePolicy(settings: edit.applied(to: own.settings), origins: own.origins)
      let request = way.request(from: left.replacing(own, with: edited))
      let changes = SettingProposal.reversing(request, in: edited) { changed in
        evaluate(way.request(from: left.replacing(own, with: changed))).outcome
      }
      guard let change = changes.first,
        edit.add(CommonEdit(change.settings, from: edited.settings))
      else { return nil }
      texts.append(change.text)
    }
    return nil
  }

  private static func outcome(
    _ way: WayOut, _ sender: WayOut.Sender, _ edit: CommonEdit
  ) -> Outcome {
    guard let own = sender.party.policy else { return .allowed }
    let edited = EffectivePolicy(settings: edit.applied(to: own.settings), origins: own.origins)
    return evaluate(way.request(from: sender.replacing(own, with: edited))).outcome
  }

  /// New values of some settings, for several policies.
  private struct CommonEdit {
    private var settings: [Setting]
    private var values: Settings

    /// Creates an edit of the settings in which `values` and `other` differ. It sets them to their values in `values`.
    init(_ values: Settings, from other: Settings) {
      settings = values.differences(from: other)
      self.values = values
    }

    func applied(to other: Settings) -> Settings {
      settings.reduce(into: other) { $0.copy($1, from: values) }
    }

    /// Adds the values of `other`, and returns true. If both edits have a value for the same setting, adds none and
    /// returns false.
    mutating func add(_ other: CommonEdit) -> Bool {
      guard !other.settings.contains(where: settings.contains) else { return false }
      for setting in other.settings { values.copy(setting, from: other.values) }
      settings += other.settings
      return true
    }
  }

  // MARK: Text

  /// The number of ways by outcome, such as `11 of 58 ways out are open, 5 encrypted, 42 blocked`.
  package var summary: String {
    let open = count(.allowed)
    return
      "\(open) of \(ways.count) ways out \(open == 1 ? "is" : "are") open, \(count(.encrypted)) encrypted, \(count(.blocked)) blocked"
  }

  private func count(_ outcome: Outcome) -> Int { ways.count { $0.outcome == outcome } }

  /// Returns the title of a way and, if only some senders have the outcome, their names.
  package func title(of way: JudgedWay) -> String {
    way.way.title + (way.only.isEmpty ? "" : " (\(scope.text(way.only)))")
  }

  /// The lines of a text that lists the open ways below the changes that close them, and then the apps and accounts
  /// that the ways need.
  package var lines: [String] {
    let groups = groups.flatMap { group in
      "\(group.changes ?? "no setting alone") closes:".wrapped(to: 116, indentedBy: "  ")
        .map { "  " + $0 }
        + group.ways.map { "    " + title(of: $0) }
    }
    let assumed = needs.isEmpty ? [] : ["assumed on the device: \(needs.joined(separator: ", "))"]
    return groups
      + assumed.flatMap { $0.wrapped(to: 116, indentedBy: "  ").map { "  " + $0 } }
  }

  // MARK: HTML and JSON

  /// Writes the open ways as a list; nothing if there are none.
  package func write(to writer: inout HTMLWriter) {
    let groups = groups
    guard !groups.isEmpty else { return }
    writer.element("h3", text: "Ways out, by the change that closes them")
    writer.element("ul") { writer in
      for group in groups {
        writer.element("li") { writer in
          writer.prose("\(group.changes ?? "No setting alone"): ")
          writer.plain(group.ways.map(title).joined(separator: "; "))
        }
      }
    }
    if !needs.isEmpty {
      writer.element("p") { $0.prose("Assumed on the device: \(needs.joined(separator: ", ")).") }
    }
  }

  /// Writes the member `waysOut`.
  ///
  /// - Parameters:
  ///   - writeWay: Writes additional members of a way.
  ///   - writeGroup: Writes additional members of a group.
  package func writeMember(
    to writer: inout JSONWriter, way writeWay: (inout JSONWriter, JudgedWay) -> Void = { _, _ in },
    group writeGroup: (inout JSONWriter, Group) -> Void = { _, _ in }
  ) {
    writer.object("waysOut") { writer in
      writer.member("open", count(.allowed))
      writer.member("encrypted", count(.encrypted))
      writer.member("blocked", count(.blocked))
      writer.strings("assumed", needs)
      writer.objects("groups", of: groups) { writer, group in
        writer.strings("closing", group.closing.map(\.text))
        writer.objects("ways", of: group.ways) { writer, way in
          writer.member("title", way.way.title)
          if !way.only.isEmpty { writer.strings("only", way.only) }
          writer.member("channel", way.way.channel.rawValue)
          writer.member("via", way.way.via?.rawValue)
          writer.member("needs", way.way.needs)
          writer.member(named: "reason") { way.reason.write(to: &$0) }
          writeWay(&writer, way)
        }
        writeGroup(&writer, group)
      }
    }
  }
}
