internal import Model
internal import Output
internal import Policy

/// The setting changes that stop every leak that settings can stop, without closing a preserved flow. They are the
/// smallest such set that the search found.
package struct LeakClosing {
  /// The changes with their locations, as text.
  package var changes: [String] { made.map(\.text) }
  let made: [SettingChange]
  /// The changes to values that the admin centre does not offer, with the reasons.
  package let notOffered: [String]
  /// The flows that the changes close although they are not leaks, as sentences: flows between managed accounts, and
  /// from managed accounts to their storage.
  package let losses: [String]
  package let rest: [Leak]
  /// Whether the search has shown that no smaller set of changes suffices; false if it was not exhaustive, for example
  /// because it reached its limit.
  package let areFewest: Bool
  /// The work of the search for the changes, in moves.
  let work: Int

  init(_ search: LeakSearch) {
    var closer = Closer()
    closer.close(search, with: SettingChanges())
    closer.closeGreedily(search)
    let changes = closer.best?.changes ?? SettingChanges()
    made = changes.all
    notOffered = changes.obstacles(in: search.world.policies).map { "\($0.change.text): \($0.why)" }
    losses = search.losses(by: changes).sentences
    rest = closer.best?.rest ?? search.explore().leaks
    areFewest = !closer.isExhausted
    work = closer.work
  }
}

/// A branch-and-bound search for the changes.
private struct Closer {
  private(set) var best: (changes: SettingChanges, rest: [Leak])?
  private var attempts = 0
  /// The work so far, in moves: the number of moves tried in all attempts, plus ``leakWork`` for each examined leak.
  private(set) var work = 0
  /// Whether a leak may stay open if only another value for an already changed setting could close it.
  private var isGreedy = false
  var isExhausted: Bool {
    isGreedy || attempts >= Self.mostAttempts || work >= Self.mostWork
  }

  private static let mostAttempts = 200
  private static let mostWork = 1_000_000
  private static let leakWork = 20

  /// The ways to stop one leak, each as a list of changes.
  private typealias Option = [[SettingChange]]

  /// Searches again if no solution has been found. This search may leave a leak open, if only another value for an
  /// already changed setting could close the leak.
  mutating func closeGreedily(_ search: LeakSearch) {
    guard best == nil else { return }
    isGreedy = true
    close(search, with: SettingChanges())
  }

  /// Applies the changes for leaks that can be stopped in only one way, then tries each way to stop one of the other
  /// leaks.
  mutating func close(_ start: LeakSearch, with made: SettingChanges) {
    var (search, changes) = (start, made)
    while true {
      guard !isExhausted || best == nil else { return }
      attempts += 1
      let runs = search.thoroughRuns
      let leaks = runs.flatMap(\.leaks)
      work += runs.reduce(leaks.count * Self.leakWork) { $0 + $1.transitions }
      var options = options(leaks, search, changes)
      // An option is empty if it would need another value for a setting that this branch has already changed.
      // Another branch tries that value, unless the limit is reached.
      if isExhausted { options.removeAll(where: \.isEmpty) }
      guard !options.contains(where: \.isEmpty) else { return }
      guard let fewest = options.min(by: { $0.count < $1.count }) else {
        if changes.all.count < most { best = (changes, leaks.firstOfEachSink) }
        return
      }
      // Each of these leaks needs changes of its own.
      let apart = Self.apart(options)
      let bound = apart.reduce(changes.all.count) { $0 + ($1.map(\.count).min() ?? 0) }
      guard bound < most else { return }
      // A leak with a single way to stop it forces that way. After the limit, the best-ranked ways are forced.
      var forced = options.filter { $0.count == 1 }
      if forced.isEmpty, isExhausted { forced = apart }
      let ranking = Ranking(search, of: forced.isEmpty ? apart + [fewest] : forced)
      guard forced.isEmpty else {
        search = search.applying(changes.append(forced.flatMap { ranking.sorted($0)[0] }))
        continue
      }
      // The best-ranked ways for all of them are the fewest changes if they also stop the other leaks.
      if apart.count > 1 {
        var next = changes
        close(search.applying(next.append(apart.flatMap { ranking.sorted($0)[0] })), with: next)
        guard bound < most else { return }
      }
      for option in ranking.sorted(fewest) {
        var next = changes
        close(search.applying(next.append(option)), with: next)
      }
      return
    }
  }

  /// Returns some of the options, such that no two of them change the same setting of the same policy. Their leaks
  /// therefore need different changes.
  private static func apart(_ options: [Option]) -> [Option] {
    var taken = SettingChanges()
    return options.filter { option in
      let changes = option.flatMap(\.self)
      guard !changes.contains(where: taken.exclude) else { return false }
      for change in changes { taken.append(change) }
      return true
    }
  }

  /// The number of changes in the best solution found so far; `Int.max` if there is none. A better solution must have
  /// fewer changes.
  private var most: Int { best?.changes.all.count ?? .max }

  /// Returns a list for each leak that can be stopped, with the ways to stop the leak.
  ///
  /// A way is omitted if `changes` already change one of its settings, so a list may be empty.
  private func options(
    _ leaks: [Leak], _ search: LeakSearch, _ changes: SettingChanges
  ) -> [Option] {
    let kept = search.keptAlone
    var ways: [[String]: Option] = [:]
    let stoppable = leaks.map { leak in
      let path = leak.path
      // Leaks with the same path have the same ways to stop them.
      let all =
        ways[path]
        ?? leak.stopping.filter {
          search.kept.isEmpty || kept.applying(SettingChanges($0)).closedFlows.isEmpty
        }
      ways[path] = all
      return (leak, all)
    }
    // Changes do not stop data from reaching an endpoint that it also reaches in another way.
    var reached: [String: Set<Leak.Sink>] = [:]
    for (leak, all) in stoppable where all.isEmpty {
      reached[leak.owner.upn, default: []].insert(leak.sink)
    }
    var seen: Set<[String]> = []
    return stoppable.compactMap { leak, all in
      guard reached[leak.owner.upn]?.contains(leak.sink) != true else { return nil }
      let ways = all.filter { !$0.contains(where: changes.exclude) }
      return seen.insert(ways.map { $0.map(\.text).joined() }).inserted ? ways : nil
    }
  }
}

extension Leak {
  /// The ways to stop the leak at one of its hops. A way has one or two changes.
  var stopping: [[SettingChange]] {
    var seen: Set<String> = []
    return hops.flatMap(\.requests).flatMap(SettingChange.stopping)
      .filter { seen.insert($0.map(\.text).joined()).inserted }
  }
}

extension [Leak] {
  /// The first leak for each pair of a data owner and an endpoint.
  fileprivate var firstOfEachSink: [Leak] {
    var known: [String: Set<Leak.Sink>] = [:]
    return filter { known[$0.owner.upn, default: []].insert($0.sink).inserted }
  }
}

/// The order of the ways to stop a leak: ways that the admin centre offers come first, then the least restrictive ways.
private struct Ranking {
  private let search: LeakSearch
  private let policies: EditedPolicies
  private let isSmall: Bool

  /// The maximum number of apps in a world for which the flows that a way closes are counted.
  private static let mostApps = 12

  init(_ search: LeakSearch, of options: [[[SettingChange]]]) {
    self.search = search
    isSmall = search.world.beginning.count <= Self.mostApps
    let changes = options.filter { $0.count > 1 }.flatMap(\.self).flatMap(\.self)
    policies = EditedPolicies(search.world.policies, by: changes)
  }

  func sorted(_ ways: [[SettingChange]]) -> [[SettingChange]] {
    guard ways.count > 1 else { return ways }
    return ways.enumerated().map { number, way in
      let changes = SettingChanges(way)
      return (
        changes.obstacles(in: policies.edited(by: way)).count,
        isSmall ? search.losses(by: changes).count : 0, number, way
      )
    }.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }.map(\.3)
  }
}

extension LeakSearch {
  /// The search, limited to the apps of the preserved flows.
  fileprivate var keptAlone: LeakSearch {
    let names = Set(kept.flatMap { [$0.from, $0.to] })
    var few = world
    few.apps = world.apps.filter { names.contains($0.name) }
    return under(policiesOf: few)
  }

  fileprivate func losses(by changes: SettingChanges) -> InnerLosses {
    guard !changes.all.isEmpty else { return InnerLosses() }
    return InnerLosses(from: world, to: applying(changes).world)
  }

  func applying(_ changes: SettingChanges) -> LeakSearch {
    under(policiesOf: world.applying(changes))
  }
}

extension LeakWorld {
  fileprivate func applying(_ changes: SettingChanges) -> LeakWorld {
    // Policies are compared by identity, so each policy is replaced by exactly one object.
    var changed: [ObjectIdentifier: EffectivePolicy] = [:]
    func new(_ policy: EffectivePolicy?) -> EffectivePolicy? {
      guard let policy else { return nil }
      let identifier = ObjectIdentifier(policy)
      let new = changed[identifier] ?? changes.applied(to: policy)
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
