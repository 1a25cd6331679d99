internal import Model
internal import Output
internal import Policy

/// A smallest set of setting changes that stops every leak that settings can stop, without closing a
/// preserved flow.
package struct LeakClosing {
  /// The changes as text, each with its location.
  package var changes: [String] { made.map(\.text) }
  let made: [SettingChange]
  /// The changes to values that the admin centre does not offer, with the reason.
  package let notOffered: [String]
  /// The flows between managed accounts and to their storage that the changes also close, as sentences.
  package let losses: [String]
  /// The remaining leaks.
  package let rest: [Leak]
  /// Whether no smaller set of changes is sufficient; false if the search reached its limit.
  package let areFewest: Bool

  /// Searches for the changes.
  init(_ search: LeakSearch) {
    var closer = Closer()
    closer.close(search, with: [])
    made = closer.best?.changes ?? []
    notOffered = search.notOffered(of: made)
    losses = search.losses(by: made).sentences
    rest = closer.best?.rest ?? search.explore().leaks
    areFewest = !closer.isExhausted
  }
}

/// A branch-and-bound search for the changes.
private struct Closer {
  private(set) var best: (changes: [SettingChange], rest: [Leak])?
  private var attempts = 0
  /// The number of moves tried in all attempts.
  private var work = 0
  var isExhausted: Bool { attempts >= Self.mostAttempts || work >= Self.mostWork }

  private static let mostAttempts = 200
  private static let mostWork = 1_000_000

  /// Applies all changes without an alternative, then branches over the alternatives of one leak.
  mutating func close(_ start: LeakSearch, with made: [SettingChange]) {
    var (search, changes) = (start, made)
    while true {
      guard !isExhausted || best == nil else { return }
      attempts += 1
      let runs = search.runs
      work += runs.reduce(0) { $0 + $1.transitions }
      let leaks = runs.flatMap(\.leaks)
      var options = options(leaks, search, changes)
      // An option is empty if it would need another value for a setting that this branch has already changed.
      // Another branch tries that value, unless the limit is reached.
      if isExhausted { options.removeAll(where: \.isEmpty) }
      guard !options.contains(where: \.isEmpty) else { return }
      guard let fewest = options.min(by: { $0.count < $1.count }) else {
        if changes.count < best?.changes.count ?? .max { best = (changes, leaks) }
        return
      }
      guard changes.count + 1 < best?.changes.count ?? .max else { return }
      // A leak with a single way to stop it forces that way. After the limit, the best-ranked way is forced.
      let forced = options.filter { isExhausted || $0.count == 1 }
        .flatMap { isExhausted ? search.ranked($0)[0] : $0[0] }
      guard !forced.isEmpty else {
        for option in search.ranked(fewest) {
          close(search.applying(option), with: changes + option)
        }
        return
      }
      for change in forced where !changes.contains(where: change.sharesPlace) {
        changes.append(change)
        search = search.applying([change])
      }
    }
  }

  /// Returns the ways to stop each leak that can be stopped.
  ///
  /// Ways that change a setting that `changes` already change are omitted, so a leak's list may be empty.
  private func options(
    _ leaks: [Leak], _ search: LeakSearch, _ changes: [SettingChange]
  ) -> [[[SettingChange]]] {
    // Leaks with the same path, or with the same ways to stop them, count once.
    var paths: Set<[String]> = []
    var seen: Set<[String]> = []
    return leaks.filter { paths.insert($0.path).inserted }.compactMap { leak in
      let all = leak.stopping.filter {
        search.kept.isEmpty || search.applying($0).closedFlows.isEmpty
      }
      guard !all.isEmpty else { return nil }
      let ways = all.filter { way in
        !way.contains { changes.contains(where: $0.sharesPlace) }
      }
      guard seen.insert(ways.map { $0.map(\.text).joined() }).inserted else {
        return nil
      }
      return ways
    }
  }
}

extension Leak {
  /// The ways to stop one of the hops, each with one or two changes.
  var stopping: [[SettingChange]] {
    var seen: Set<String> = []
    return hops.flatMap(\.requests).flatMap(SettingChange.stopping)
      .filter { seen.insert($0.map(\.text).joined()).inserted }
  }
}

extension LeakSearch {
  /// The largest number of apps for which each option's closed flows are counted. Flows grow quadratically
  /// with it.
  private static let mostRankedApps = 12

  /// Sorts the ways to stop a leak: first those that the admin centre offers, then those that restrict users
  /// least.
  fileprivate func ranked(_ options: [[SettingChange]]) -> [[SettingChange]] {
    let isSmall = world.beginning.count <= Self.mostRankedApps
    return options.enumerated().map { number, option in
      (notOffered(of: option).count, isSmall ? losses(by: option).count : 0, number, option)
    }.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }.map(\.3)
  }

  /// Returns the changes to values that the admin centre does not offer, with the reason.
  fileprivate func notOffered(of changes: [SettingChange]) -> [String] {
    let policies = applying(changes).world.policies
    return changes.compactMap { change in
      policies.lazy.compactMap { change.obstacle(in: $0) }.first.map { "\(change.text): \($0)" }
    }
  }

  /// Returns the open flows between managed accounts and to their storage that the changes close.
  fileprivate func losses(by changes: [SettingChange]) -> InnerLosses {
    guard !changes.isEmpty else { return InnerLosses() }
    return InnerLosses(from: world, to: applying(changes).world)
  }

  /// Returns the search in the changed world.
  func applying(_ changes: [SettingChange]) -> LeakSearch {
    under(policiesOf: changes.reduce(world) { $0.applying($1) })
  }
}

extension LeakWorld {
  fileprivate func applying(_ change: SettingChange) -> LeakWorld {
    // Policies are compared by identity, so each policy is replaced by exactly one object.
    var changed: [ObjectIdentifier: EffectivePolicy] = [:]
    func new(_ policy: EffectivePolicy?) -> EffectivePolicy? {
      guard let policy else { return nil }
      let identifier = ObjectIdentifier(policy)
      let new = changed[identifier] ?? change.applied(to: policy)
      changed[identifier] = new
      return new
    }
    var world = self
    for index in apps.indices {
      world.apps[index].appPolicy = new(apps[index].appPolicy)
      for number in apps[index].personas.indices {
        let policy = new(apps[index].personas[number].party.policy)
        world.apps[index].personas[number].party.policy = policy
      }
    }
    return world
  }
}
