internal import Model

extension LeakReport {
  /// The leaks, those together that take the same way, each with its hops, the rules that let the data through, and what
  /// would stop it; then what closes all of them, and how far the search went.
  public var text: String {
    ways.map { Self.text($0) + "\n" }.joined() + closingText + summary + "\n"
  }

  /// Leaks that differ in nothing but the place that the last hop leads to.
  private struct Way {
    var leaks: [Leak]
    /// The number of the first of them in the report.
    var number: Int
  }

  private var ways: [Way] {
    var ways: [Way] = []
    var places: [[String]: Int] = [:]
    for (index, leak) in leaks.enumerated() {
      let key = leak.way
      if let place = places[key] {
        ways[place].leaks.append(leak)
      } else {
        places[key] = ways.count
        ways.append(Way(leaks: [leak], number: index + 1))
      }
    }
    return ways
  }

  private static func text(_ way: Way) -> String {
    guard let leak = way.leaks.first else { return "" }
    let sinks = way.leaks.map(\.sink.text).joined(separator: ", ")
    var lines = ["\(way.number). data of \(leak.owner.upn) reach \(sinks)"]
    for hop in leak.hops { lines.append("   \(hop.text)" + (hop.why.map { ": \($0)" } ?? "")) }
    for change in leak.changes { lines.append("   \(change)") }
    return lines.joined(separator: "\n") + "\n"
  }

  private var closingText: String {
    guard !isClean else { return "" }
    guard let closing else { return "no changes were found that close them\n\n" }
    let left = closing.rest.count
    guard !closing.changes.isEmpty else { return "no setting stops them\n\n" }
    let rest =
      left == 0 ? "" : "; \(left) places are reached even then, by ways that no setting closes"
    return "the fewest changes that close all ways which settings can close\(rest):\n"
      + closing.changes.map { "   \($0)\n" }.joined() + "\n"
  }

  private var summary: String {
    let count = isClean ? "no leak" : leaks.count == 1 ? "1 leak" : "\(leaks.count) leaks"
    return """
      \(count): \(apps) apps and extensions, \(states) states, \(transitions) moves, \(depth) hops deep; \
      exhaustive for \(behaviour.rawValue) apps over \(Self.searched)
      not searched: \(Self.notSearched)
      """
  }

  /// The ways that the search takes.
  package static let searched =
    "shares, open-in and drops, the pasteboard, storage locations, features of the system, and share and action extensions"
  /// The ways that it does not take: of these nothing is said.
  package static let notSearched =
    "imports, URLs, contacts, the keychain, files of app groups, what extensions hand back, sign-ins and changes of the device"
}

extension Leak {
  /// All that tells the leak from others but the place to which the last hop leads.
  fileprivate var way: [String] {
    let last = hops.last.map { [$0.app, $0.persona, $0.why ?? ""] } ?? []
    let kind = if case .app = sink { "app" } else { "outside" }
    return [owner.upn, kind] + hops.dropLast().map(\.text) + last + changes
  }

  /// The single changes that would stop one of the hops, each once.
  fileprivate var changes: [String] {
    var seen: Set<String> = []
    return hops.compactMap(\.verdict).flatMap(\.changes).filter { seen.insert($0).inserted }
  }
}
