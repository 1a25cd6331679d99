package import Analysis
internal import Encodings
internal import Model
package import Output
internal import Policy

/// The results and the extent of a search.
package struct LeakReport {
  package let behaviour: LeakSearch.Behaviour
  package private(set) var scope: LeakScope
  /// The UPNs of accounts, by the names that paths use for them.
  private let accounts: [String: String]
  package private(set) var leaks: [Leak] = []
  /// The number of reached states.
  package private(set) var states = 0
  /// The number of moves tried from the reached states.
  package private(set) var transitions = 0
  /// The largest number of moves in a shortest path.
  package private(set) var depth = 0
  package let kept: [LeakSearch.Flow]
  /// A notice about the policies' assignment conditions that were not evaluated, because only the directory can resolve
  /// them; nil if there are none.
  package var notice: String?
  /// The changes that close the leaks; nil if there are no leaks to close.
  package internal(set) var closing: LeakClosing?
  /// The unmanaged app identities that leaked data can reach on the scenario's device. Variants of the device are not
  /// considered.
  package internal(set) var onward: [String] = []
  /// The ways out of the apps in which data originates, on the scenario's device; nil if ``answer`` is set.
  package internal(set) var waysOut: WaysOut?
  /// The answer to a query about single apps; nil if the search is for all leaks.
  package internal(set) var answer: LeakAnswer?

  init(_ world: LeakWorld, behaviour: LeakSearch.Behaviour, keeping kept: [LeakSearch.Flow]) {
    self.kept = kept
    self.behaviour = behaviour
    scope = world.scope
    accounts = world.accounts
  }

  /// Adds the results for one account's data.
  ///
  /// - Parameter stated: The search without sign-ins and sign-outs; its paths are preferred.
  mutating func add(_ run: LeakRun, _ stated: LeakRun) {
    let known = Set(stated.leaks.map(\.sink))
    leaks += Self.byWay(stated.leaks + run.leaks.filter { !known.contains($0.sink) })
    states += run.states
    transitions += run.transitions
    depth = max(depth, run.depth)
  }

  /// Adds the paths by which one account's data reaches a queried app.
  ///
  /// - Parameter stated: The search without sign-ins and sign-outs; its paths are preferred.
  mutating func add(_ run: LeakRun, _ stated: LeakRun, reaching target: LeakAnswer.Target) {
    for leak in stated.leaks + run.leaks where target.contains(leak.sink) {
      guard !leaks.contains(where: { $0.sink == leak.sink && $0.owner.isSameUser(as: leak.owner) })
      else { continue }
      leaks.append(leak)
    }
    for leak in run.leaks {
      guard case .outside(let outside) = leak.sink, outside.location == nil else { continue }
      answer?.notFollowed.insert(outside.channel)
    }
    states += run.states
    transitions += run.transitions
    depth = max(depth, run.depth)
  }

  /// Adds the results for a variant of the scenario's device. `condition` states the difference. Endpoints that were
  /// already reached are skipped.
  package mutating func add(_ other: LeakReport, when condition: String) {
    let new = other.leaks.filter { leak in
      !leaks.contains { $0.sink == leak.sink && $0.owner.isSameUser(as: leak.owner) }
    }
    leaks += new.map { leak in
      var leak = leak
      leak.condition = condition
      return leak
    }
    states += other.states
    transitions += other.transitions
    depth = max(depth, other.depth)
    scope.devices += 1
    if let other = other.answer { answer?.notFollowed.formUnion(other.notFollowed) }
  }

  /// Returns the leaks in an order in which leaks with equal paths are adjacent.
  private static func byWay(_ leaks: [Leak]) -> [Leak] {
    var paths: [[String]: Int] = [:]
    for leak in leaks where paths[leak.path] == nil { paths[leak.path] = paths.count }
    let places = leaks.enumerated().map { (path: paths[$1.path] ?? 0, number: $0, leak: $1) }
    return places.sorted { ($0.path, $0.number) < ($1.path, $1.number) }.map(\.leak)
  }

  package var isClean: Bool { leaks.isEmpty }

  // MARK: Text

  /// The report as text.
  ///
  /// It lists the leaks, grouped by path, with their hops, the rules that allowed them and the changes that would
  /// stop them. Below them are the changes that close all leaks, and the apps that leaked data can then reach. The
  /// report ends with the ways out and the extent of the search.
  package var text: String {
    let notice = notice.map { "notice: \($0)\n\n" } ?? ""
    if let answer { return notice + answerText(answer) }
    return notice + paths.map { Self.text($0) + "\n" }.joined() + closingText + onwardText
      + waysText + summary
      + "\n"
  }

  /// Leaks that differ only in the final destination, and the first leak's number.
  private typealias Path = (number: Int, leaks: ArraySlice<Leak>)

  private var paths: [Path] {
    let starts = leaks.indices.filter { $0 == 0 || leaks[$0].path != leaks[$0 - 1].path }
    return zip(starts, starts.dropFirst() + [leaks.endIndex]).map { ($0 + 1, leaks[$0..<$1]) }
  }

  private static func text(_ path: Path) -> String {
    guard let leak = path.leaks.first else { return "" }
    let sinks = path.leaks.map(\.sink.text).unique.joined(separator: ", ")
    let last = path.number + path.leaks.count - 1
    let numbers =
      switch path.leaks.count {
      case 1: "\(path.number)"
      case 2: "\(path.number) and \(last)"
      default: "\(path.number) to \(last)"  // open: any larger number
      }
    var lines = ["\(numbers). data of \(leak.owner.upn) reaches \(sinks)"]
    if let condition = leak.condition { lines.append("   where \(condition)") }
    lines += leak.hops.map(\.line)
    for change in leak.changes { lines.append("   \(change)") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the answer as text: a verdict for each queried app, and a path to each reached identity of the app.
  private func answerText(_ answer: LeakAnswer) -> String {
    let verdicts = answer.verdicts(leaks).flatMap { app, paths -> [String] in
      guard paths.isEmpty else { return paths.flatMap { Self.verdict(on: app, $0) } + [""] }
      return ["\(app): NOT REACHED: exhaustive for \(extent)"]
        + (answer.notFollowed.isEmpty
          ? []
          : ["   data reaches \(answer.notFollowedText); its further use is not searched"]) + [""]
    }
    return verdicts.joined(separator: "\n") + "\nnot searched: \(notSearched)\n"
  }

  private static func verdict(on app: String, _ leak: Leak) -> [String] {
    let hops = count(leak.hops.count - 1, "hop", "hops")
    let place = leak.sink.text == app ? "" : ", at \(leak.sink.text)"
    return ["\(app): REACHED by data of \(leak.owner.upn) in \(hops)\(place)"]
      + (leak.condition.map { ["   where \($0)"] } ?? [])
      + leak.hops.map(\.line)
  }

  package var extent: String {
    let onward = answer == nil ? "" : ", also through apps and locations without policy"
    return "\(behaviour.rawValue) apps \(devices)over \(searched)\(onward)"
  }

  private var onwardText: String {
    guard !onward.isEmpty else { return "" }
    return
      "data that has left can also reach these apps: \(onward.joined(separator: ", ")) (`--to APP` shows the path)\n\n"
  }

  private var closingText: String {
    guard let closing else { return "" }
    var lines: [String] = []
    if closing.changes.isEmpty {
      lines.append("no setting stops the leaks" + keptText)
    } else {
      let fewest = closing.areFewest ? "the fewest changes" : "changes"
      lines.append("\(fewest) that stop all leaks that settings can stop\(keptText):")
      lines += closing.changes.map { "   \($0)" }
      lines += closing.notOffered.map { "   not in the admin centre: \($0)" }
      if !closing.losses.isEmpty {
        lines.append("   they also stop transfers within the organisation:")
        lines += closing.losses.map { "      \($0)" }
      }
      if !closing.rest.isEmpty {
        let places = closing.rest.map(\.sink.text).unique.joined(separator: ", ")
        lines.append("   still reached: \(places)")
      }
    }
    return lines.joined(separator: "\n") + "\n\n"
  }

  private var keptText: String {
    guard !kept.isEmpty else { return "" }
    let flows = kept.map { "\($0.from):\($0.to)" }.joined(separator: ", ")
    return " without stopping \(flows)"
  }

  /// The open ways out, grouped by the changes that close them, and the number of ways that the leaks use.
  private var waysText: String {
    guard let waysOut else { return "" }
    let found = leaks.filter { $0.condition == nil }
    let taken = found.compactMap { $0.way(among: waysOut)?.title }
    let ends = found.filter { $0.way(among: waysOut) == nil }.map(\.lastStep)
    var parts = [waysOut.summary]
    if !taken.isEmpty {
      let verb = taken.unique.count == 1 ? "leads" : "lead"
      parts.append(
        "\(taken.unique.count) of the open ways \(verb) to \(taken.count.counting("place")) above")
    }
    for end in ends.unique {
      let count = ends.count { $0 == end }
      parts.append(
        "\(count.counting("place")) above \(count == 1 ? "is" : "are") reached by \(end)")
    }
    return ([parts.joined(separator: "; ")] + waysOut.lines).joined(separator: "\n") + "\n\n"
  }

  private var summary: String {
    let count = isClean ? "no leak" : leaks.count == 1 ? "1 leak" : "\(leaks.count) leaks"
    return """
      \(count): \(Self.count(scope.apps, "app or extension", "apps and extensions")), \
      \(Self.count(states, "state", "states")), \(Self.count(transitions, "move", "moves")), paths of up to \
      \(Self.count(depth, "hop", "hops")); exhaustive for \(extent)
      not searched: \(notSearched)
      """
  }

  private var devices: String {
    scope.devices == 1
      ? "" : "on \(scope.devices) devices that differ in enrollment, network and SDK, "
  }

  private static func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }

  package var searched: String {
    """
    shares, imports, open-in and drops between apps, the pasteboard, URLs, keychain and app groups, \
    saving to storage locations and opening from those of managed accounts, system features, \
    \(scope.signInWords.map { "share and action extensions and the items they return, and \($0)" }
      ?? "and share and action extensions and the items they return")
    """
  }

  package var notSearched: String {
    """
    \(scope.unfollowed.map { "data of \($0), who may sign in, " }.joined())contacts that an app reads from another app, actions of extensions except returning items under the same account, requests of the system to extensions, \
    apps whose account cannot be opened, \(scope.otherSignInWords), \
    \(scope.devices == 1 ? "changes" : "other changes") of the device, storage of accounts that the app does not have, and further guests of an app with `count`
    """
  }
}

extension Leak {
  /// A key for grouping leaks. Leaks that differ only in their final destination have equal keys.
  var path: [String] {
    let last =
      hops.last.map {
        [$0.app, $0.action == .retyped ? "" : $0.persona, $0.action.medium, $0.why ?? ""]
      } ?? []
    let kind = if case .app = sink { "app" } else { "outside" }
    return [owner.upn, kind, condition ?? ""] + hops.dropLast().map(\.text) + last + changes
  }

  /// Returns the way out that the last hop takes. Returns nil if the hop is not a transfer, or if its way out is closed
  /// in the apps of origin.
  package func way(among ways: WaysOut) -> WayOut? {
    hops.last?.requests.last.flatMap(ways.way(of:))
  }

  /// The last hop as a noun phrase, for a path that takes no open way out.
  fileprivate var lastStep: String {
    switch hops.last?.action {
    case .retyped?: "retyping, which no setting stops"
    case .keep?: "a keychain group, which no setting closes"
    case .container?: "the container of an extension, which no setting closes"
    case .made?, .transfer?, .echo?, .open?, .store?, .use?, .signIns?, nil:
      "a transfer that only the apps on the path can make"
    }
  }

  /// The setting changes that would stop a hop, without duplicates.
  fileprivate var changes: [String] {
    hops.flatMap(\.verdicts).flatMap(\.changes).unique
  }
}

extension LeakHop {
  fileprivate var line: String { "   \(text)" + (why.map { ": \($0)" } ?? "") }
}

// MARK: - Comparison

/// The endpoints that data reaches in one world but not in another.
package struct LeakComparison: Sendable {
  /// The leaks that only the new world has.
  package let new: [Leak]
  /// The leaks that only the old world has.
  package let closed: [Leak]

  /// Compares two worlds by the endpoints that each account's data reaches.
  package init(_ report: LeakReport, against old: LeakReport) {
    func missing(of leaks: [Leak], in others: [Leak]) -> [Leak] {
      leaks.filter { leak in
        !others.contains { $0.sink == leak.sink && $0.owner.isSameUser(as: leak.owner) }
      }
    }
    new = missing(of: report.leaks, in: old.leaks)
    closed = missing(of: old.leaks, in: report.leaks)
  }

  /// The comparison as text: one line for each endpoint, with its path below.
  package var text: String {
    let lines = lines(new, "new") + lines(closed, "closed")
    return lines.isEmpty
      ? "the leaks reach the same places as in the baseline\n"
      : lines.joined(separator: "\n") + "\n"
  }

  private func lines(_ leaks: [Leak], _ word: String) -> [String] {
    leaks.flatMap { leak in
      ["\(word): data of \(leak.owner.upn) reaches \(leak.sink.text)"]
        + (leak.condition.map { ["   where \($0)"] } ?? [])
        + leak.hops.map(\.line)
    }
  }
}

// MARK: - Findings

extension LeakReport {
  /// Returns the leaks as findings. A finding's location is the setting that lets the data out or, for a query, into
  /// the queried app.
  ///
  /// - Parameter file: The file for findings that no policy setting causes.
  package func findings(in file: String) -> FindingReport<LeakRule> {
    FindingReport(
      leaks.map { leak in
        let device = leak.condition.map { ["where \($0)"] } ?? []
        let path = (device + leak.hops.map(\.text)).joined(separator: "; ")
        let place = leak.place
        return Finding(
          answer == nil ? LeakRule(leak.sink) : .appReached, file: place?.file ?? file,
          at: Position(line: place?.line ?? 1, column: 1),
          "data of \(leak.owner.upn) reaches \(leak.sink.text): \(path)")
      })
  }
}

extension Leak {
  /// The location of the setting that allowed the last hop. If no policy states such a setting, the location for the
  /// nearest earlier hop that has one; nil if no hop has one.
  fileprivate var place: EffectivePolicy.Origin? {
    for hop in hops.reversed() {
      for (request, verdict) in zip(hop.requests, hop.verdicts).reversed() {
        let reason = verdict.reasons.first { $0.rule == verdict.deciding }
        guard let setting = reason?.setting.flatMap(Setting.init(rawValue:)) else { continue }
        let policies = [request.owner.policy, request.sender.policy, request.receiver.policy]
        if let origin = policies.compactMap({ $0?.origins[setting] }).first { return origin }
      }
    }
    return nil
  }
}

/// The rules that findings cite: the kinds of endpoints that data must not reach.
package enum LeakRule: String, FindingRule, CaseIterable {
  case leakToApp
  case leakToSystem
  case leakToStorage
  case appReached

  package var severity: Severity { .error }

  package var summary: String {
    switch self {
    case .leakToApp: "Data of a managed account reaches an app without a policy"
    case .leakToSystem: "Data of a managed account reaches a system feature"
    case .leakToStorage: "Data of a managed account reaches storage that is not a managed account's"
    case .appReached: "Data of a managed account reaches an app of --to"
    }
  }

  package var help: String {
    "`sluice leaks` shows each path and the changes that stop it; --verify replays it on real processes"
  }

  fileprivate init(_ sink: Leak.Sink) {
    self =
      switch sink {
      case .app: .leakToApp
      case .outside(let outside): outside.location == nil ? .leakToSystem : .leakToStorage
      }
  }
}

// MARK: - JSON

extension LeakReport {
  package var json: String {
    JSONWriter.objectLine { writer in
      writer.member("notice", notice)
      writer.objects("leaks", of: leaks) { writer, leak in
        writer.member("owner", leak.owner.upn)
        writer.member("sink", leak.sink.name)
        writer.member("place", leak.sink.text)
        writer.member("device", leak.condition)
        if leak.condition == nil { writer.member("way", waysOut.flatMap(leak.way)?.title) }
        writer.objects("hops", of: leak.hops) { $1.writeMembers(to: &$0) }
      }
      writer.object("accounts") { $0.members(of: accounts) { $0.string($1) } }
      if let answer { answer.write(to: &writer, leaks) }
      waysOut?.writeMember(to: &writer)
      if !onward.isEmpty { writer.strings("onward", onward) }
      if let closing {
        writer.object("closing") { writer in
          writer.strings("changes", closing.changes)
          writer.strings("notOffered", closing.notOffered)
          writer.strings("alsoCloses", closing.losses)
          writer.member("fewest", closing.areFewest)
          writer.objects("rest", of: closing.rest) { writer, leak in
            writer.member("owner", leak.owner.upn)
            writer.member("sink", leak.sink.name)
            writer.member("place", leak.sink.text)
          }
        }
      }
      writer.object("search") { writer in
        writer.member("behaviour", behaviour.rawValue)
        writer.member("apps", scope.apps)
        writer.member("devices", scope.devices)
        writer.member("states", states)
        writer.member("moves", transitions)
        writer.member("depth", depth)
        writer.member("searched", searched)
        writer.member("notSearched", notSearched)
      }
    }
  }
}

extension LeakHop {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("text", text)
    writer.member("app", app)
    writer.member("identity", persona.isEmpty ? nil : persona)
    switch action {
    case .made: writer.member("action", "made")
    case .retyped: writer.member("action", "retyped")
    case .transfer(let transfer, let receiver, let persona):
      writer.member("action", transfer.channel.rawValue)
      writer.member("via", transfer.via.rawValue)
      writer.member("to", receiver)
      writer.member("toIdentity", persona.isEmpty ? nil : persona)
    case .echo(let echo, let persona):
      writer.member("action", Channel.extensionResult.rawValue)
      writer.member("via", echo.share.via.rawValue)
      writer.member("extension", echo.name)
      writer.member("content", echo.content.rawValue)
      writer.member("to", app)
      writer.member("toIdentity", persona.isEmpty ? nil : persona)
    case .open(let link, let receiver, let persona):
      writer.member("action", link.channel.rawValue)
      writer.member("url", link.url)
      writer.member("to", receiver)
      writer.member("toIdentity", persona.isEmpty ? nil : persona)
    case .keep(let group, let receiver, let persona):
      writer.member("action", "keychain")
      writer.member("group", group)
      writer.member("to", receiver)
      writer.member("toIdentity", persona.isEmpty ? nil : persona)
    case .store(let outside, let receiver, let persona):
      writer.member("action", "storage")
      writer.member("location", outside.location?.rawValue)
      writer.member("account", outside.account)
      writer.member("to", receiver)
      writer.member("toIdentity", persona.isEmpty ? nil : persona)
    case .container(let receiver, let persona):
      writer.member("action", "container")
      writer.member("to", receiver)
      writer.member("toIdentity", persona.isEmpty ? nil : persona)
    case .signIns(let change):
      writer.member("action", "signIns")
      writer.strings("out", change.out)
      writer.strings("in", change.in)
    case .use(let outside):
      writer.member("action", outside.channel.rawValue)
      writer.member("location", outside.location?.rawValue)
      writer.member("account", outside.account)
    }
    if verdicts.count > 1, let saving = verdicts.first {
      writer.member(named: "saving") { saving.write(to: &$0) }
    }
    if let verdict { writer.member(named: "verdict") { verdict.write(to: &$0) } }
  }
}
