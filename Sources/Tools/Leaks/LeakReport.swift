internal import Model

/// What a search has found, and how far it went.
public struct LeakReport {
  public let behaviour: LeakSearch.Behaviour
  /// The world that was searched.
  public private(set) var scope: LeakScope
  /// The UPNs of accounts by the names that ways have for them.
  let accounts: [String: String]
  public private(set) var leaks: [Leak] = []
  /// The number of states that were reached, and of moves that were tried from them.
  public private(set) var states = 0
  public private(set) var transitions = 0
  /// The moves of the longest of the shortest ways.
  public private(set) var depth = 0
  /// The flows that what closes leaks leaves open.
  public let kept: [LeakSearch.Flow]
  /// What was not read of the policies: assignments that only the directory can judge; nil where there are none.
  public var notice: String?
  /// What closes the leaks that settings can close; nil where there are none.
  public internal(set) var closing: LeakClosing?
  /// The apps and identities without policy that data can reach once they are out, on the world's own device.
  public internal(set) var onward: [String] = []
  /// What was asked about single apps; nil where all leaks are looked for.
  public internal(set) var answer: LeakAnswer?

  init(_ world: LeakWorld, behaviour: LeakSearch.Behaviour, keeping kept: [LeakSearch.Flow]) {
    self.kept = kept
    self.behaviour = behaviour
    scope = world.scope
    accounts = world.accounts
  }

  /// Adds what is found of one account's data.
  ///
  /// - Parameter stated: the search without sign-ins and sign-outs; its paths are preferred.
  mutating func add(_ run: LeakRun, _ stated: LeakRun) {
    let known = Set(stated.leaks.map(\.sink))
    leaks += Self.byWay(stated.leaks + run.leaks.filter { !known.contains($0.sink) })
    states += run.states
    transitions += run.transitions
    depth = max(depth, run.depth)
  }

  /// Adds the ways of one account's data to one app that is asked about.
  ///
  /// - Parameter stated: the search without sign-ins and sign-outs; its paths are preferred.
  mutating func add(_ run: LeakRun, _ stated: LeakRun, reaching target: LeakAnswer.Target) {
    for leak in stated.leaks + run.leaks where target.contains(leak.sink) {
      guard !leaks.contains(where: { $0.sink == leak.sink && $0.owner.isSame(as: leak.owner) })
      else { continue }
      leaks.append(leak)
    }
    for leak in run.leaks {
      guard case .outside(let outside) = leak.sink, outside.location == nil else { continue }
      answer?.notFollowed.insert(outside.text)
    }
    states += run.states
    transitions += run.transitions
    depth = max(depth, run.depth)
  }

  /// Adds what is found on a device that differs from the world's, as far as nothing was found there before.
  package mutating func add(_ other: LeakReport, when condition: String) {
    let new = other.leaks.filter { leak in
      !leaks.contains { $0.sink == leak.sink && $0.owner.isSame(as: leak.owner) }
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

  /// The leaks with those beside one another that take the same way.
  private static func byWay(_ leaks: [Leak]) -> [Leak] {
    var ways: [[String]: Int] = [:]
    for leak in leaks where ways[leak.way] == nil { ways[leak.way] = ways.count }
    let places = leaks.enumerated().map { (way: ways[$1.way] ?? 0, number: $0, leak: $1) }
    return places.sorted { ($0.way, $0.number) < ($1.way, $1.number) }.map(\.leak)
  }

  /// Whether there is no leak.
  public var isClean: Bool { leaks.isEmpty }
}
