internal import Model

extension LeakReport {
  /// The leaks, those together that take the same way, each with its hops, the rules that let the data through, and what
  /// would stop it; then what closes all of them, and how far the search went.
  public var text: String {
    let notice = notice.map { "notice: \($0)\n\n" } ?? ""
    if let answer { return notice + answerText(answer) }
    return notice + ways.map { Self.text($0) + "\n" }.joined() + closingText + onwardText + summary
      + "\n"
  }

  /// Leaks that differ in nothing but the place that the last hop leads to, and the number of the first of them.
  private typealias Way = (number: Int, leaks: ArraySlice<Leak>)

  private var ways: [Way] {
    let starts = leaks.indices.filter { $0 == 0 || leaks[$0].way != leaks[$0 - 1].way }
    return zip(starts, starts.dropFirst() + [leaks.endIndex]).map { ($0 + 1, leaks[$0..<$1]) }
  }

  private static func text(_ way: Way) -> String {
    guard let leak = way.leaks.first else { return "" }
    let sinks = way.leaks.map(\.sink.text).joined(separator: ", ")
    let last = way.number + way.leaks.count - 1
    let numbers =
      switch way.leaks.count {
      case 1: "\(way.number)"
      case 2: "\(way.number) and \(last)"
      default: "\(way.number) to \(last)"  // open: any larger number
      }
    var lines = ["\(numbers). data of \(leak.owner.upn) reach \(sinks)"]
    if let condition = leak.condition { lines.append("   where \(condition)") }
    for hop in leak.hops { lines.append("   \(hop.text)" + (hop.why.map { ": \($0)" } ?? "")) }
    for change in leak.changes { lines.append("   \(change)") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A verdict for each app that is asked about, with a way to each of its identities that is reached.
  private func answerText(_ answer: LeakAnswer) -> String {
    let verdicts = answer.verdicts(leaks).flatMap { app, ways -> [String] in
      guard ways.isEmpty else { return ways.flatMap { Self.verdict(on: app, $0) } + [""] }
      return ["\(app): NOT REACHED: exhaustive for \(extent)"]
        + (answer.notFollowed.isEmpty
          ? []
          : [
            "   data reach \(answer.notFollowed.sorted().joined(separator: ", ")); what becomes of them there is not followed"
          ]) + [""]
    }
    return verdicts.joined(separator: "\n") + "\nnot searched: \(notSearched)\n"
  }

  private static func verdict(on app: String, _ leak: Leak) -> [String] {
    let hops = count(leak.hops.count - 1, "hop", "hops")
    let place = leak.sink.text == app ? "" : ", at \(leak.sink.text)"
    return ["\(app): REACHED by data of \(leak.owner.upn) in \(hops)\(place)"]
      + (leak.condition.map { ["   where \($0)"] } ?? [])
      + leak.hops.map { hop in "   \(hop.text)" + (hop.why.map { ": \($0)" } ?? "") }
  }

  /// What the search has gone through.
  package var extent: String {
    let onward = answer == nil ? "" : ", also through apps and locations without policy"
    return "\(behaviour.rawValue) apps \(devices)over \(searched)\(onward)"
  }

  private var onwardText: String {
    guard !onward.isEmpty else { return "" }
    return
      "once out, data can reach these apps: \(onward.joined(separator: ", ")) (`--to APP` shows the way)\n\n"
  }

  private var closingText: String {
    guard let closing else { return "" }
    var lines: [String] = []
    if closing.changes.isEmpty {
      lines.append("no setting stops them" + keptText)
    } else {
      let fewest = closing.areFewest ? "the fewest changes" : "changes"
      lines.append("\(fewest) that close all ways which settings can close\(keptText):")
      lines += closing.changes.map { "   \($0)" }
      lines += closing.notOffered.map { "   not in the admin centre: \($0)" }
      if !closing.losses.isEmpty {
        lines.append("   they also close what stays under policies:")
        lines += closing.losses.map { "      \($0)" }
      }
      if !closing.rest.isEmpty {
        let places = closing.rest.map(\.sink.text).unique.joined(separator: ", ")
        lines.append("   reached even then: \(places)")
      }
    }
    return lines.joined(separator: "\n") + "\n\n"
  }

  private var keptText: String {
    guard !kept.isEmpty else { return "" }
    let flows = kept.map { "\($0.from):\($0.to)" }.joined(separator: ", ")
    return " without closing \(flows)"
  }

  private var summary: String {
    let count = isClean ? "no leak" : leaks.count == 1 ? "1 leak" : "\(leaks.count) leaks"
    return """
      \(count): \(Self.count(scope.apps, "app or extension", "apps and extensions")), \
      \(Self.count(states, "state", "states")), \(Self.count(transitions, "move", "moves")), ways of up to \
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

  /// The ways that the search takes.
  package var searched: String {
    """
    shares, imports, open-in and drops between apps, the pasteboard, URLs, keychain and app groups, \
    saving to storage locations and opening from those of managed accounts, features of the system, \
    \(scope.signInWords.map { "share and action extensions and what they hand back, and \($0)" }
      ?? "and share and action extensions and what they hand back")
    """
  }

  /// The ways that it does not take: of these nothing is said.
  package var notSearched: String {
    """
    \(scope.unfollowed.map { "data of \($0), who may sign in, " }.joined())contacts, what extensions do beside, or as another account, what the system asks of extensions, \
    apps with an account that does not open, \(scope.otherSignInWords), \
    \(scope.devices == 1 ? "changes" : "other changes") of the device, storage of accounts that the app does not have, and further guests of an app with a count
    """
  }
}

extension [String] {
  /// Each text once, in the order of its first place.
  var unique: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Leak {
  /// All that tells the leak from others but the place to which the last hop leads.
  var way: [String] {
    let last =
      hops.last.map {
        [$0.app, $0.action == .retyped ? "" : $0.persona, $0.action.passage, $0.why ?? ""]
      } ?? []
    let kind = if case .app = sink { "app" } else { "outside" }
    return [owner.upn, kind, condition ?? ""] + hops.dropLast().map(\.text) + last + changes
  }

  /// The single changes that would stop one of the hops, each once.
  fileprivate var changes: [String] {
    var seen: Set<String> = []
    return hops.flatMap(\.verdicts).flatMap(\.changes).filter { seen.insert($0).inserted }
  }
}
