internal import Policy

/// The fewest changes of settings after which nothing leaks that settings can stop, without closing a flow that is to be kept.
public struct LeakClosing: Sendable {
  /// The changes in words, each with its place.
  public let changes: [String]
  /// The leaks that are left, which no setting stops.
  public let rest: [Leak]

  /// Searches the changes for a world.
  ///
  /// - Returns: nil where more searches were needed than are worth waiting for.
  init?(_ search: LeakSearch) {
    var attempts = Attempts()
    for count in 0...Self.mostChanges {
      guard !attempts.areExhausted else { return nil }
      guard let found = Self.close(search, with: [], atMost: count, &attempts) else { continue }
      (changes, rest) = (found.changes.map(\.text), found.rest)
      return
    }
    return nil
  }

  private static let mostChanges = 24

  /// The searches so far.
  private struct Attempts {
    var count = 0
    var areExhausted: Bool { count > 5_000 }
  }

  /// The changes that close what is left after `changes`, so many in all at most; nil where there are none.
  private static func close(
    _ search: LeakSearch, with changes: [SettingChange], atMost count: Int,
    _ attempts: inout Attempts
  ) -> (changes: [SettingChange], rest: [Leak])? {
    guard !attempts.areExhausted else { return nil }
    attempts.count += 1
    let leaks = search.explore().leaks
    let taken = Set(changes.map(\.place))
    let candidates = leaks.map { leak in
      leak.stopping.filter { !taken.contains($0.place) }
        .map { ($0, search.applying($0)) }
        .filter { $0.1.closedFlows.isEmpty }
    }.filter { !$0.isEmpty }
    // A leak that one change alone stops needs it: there is nothing to choose.
    guard let next = candidates.min(by: { $0.count < $1.count }) else { return (changes, leaks) }
    guard changes.count < count else { return nil }
    for (change, changed) in next {
      if let found = close(changed, with: changes + [change], atMost: count, &attempts) {
        return found
      }
    }
    return nil
  }
}

extension Leak {
  /// The changes each of which stops one of the hops.
  fileprivate var stopping: [SettingChange] {
    var seen: Set<String> = []
    return hops.compactMap(\.request).flatMap(SettingChange.stopping)
      .filter { seen.insert($0.text).inserted }
  }
}

extension LeakSearch {
  /// The search in the world after a change.
  fileprivate func applying(_ change: SettingChange) -> LeakSearch {
    LeakSearch(world.applying(change), behaviour, keeping: kept)
  }
}

extension LeakWorld {
  fileprivate func applying(_ change: SettingChange) -> LeakWorld {
    // Policies are compared by identity: the same one stays one.
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
