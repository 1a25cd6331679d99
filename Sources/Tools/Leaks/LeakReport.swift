/// What a search has found, and how far it went.
public struct LeakReport {
  public let behaviour: LeakSearch.Behaviour
  /// The number of apps and extensions.
  public let apps: Int
  public private(set) var leaks: [Leak] = []
  /// The number of states that were reached, and of moves that were tried from them.
  public private(set) var states = 0
  public private(set) var transitions = 0
  /// The hops of the longest way.
  public private(set) var depth = 0
  /// The flows that what closes leaks leaves open.
  public let kept: [LeakSearch.Flow]
  /// What closes the leaks that settings can close; nil where there are none.
  public internal(set) var closing: LeakClosing?

  init(behaviour: LeakSearch.Behaviour, apps: Int, keeping kept: [LeakSearch.Flow]) {
    self.kept = kept
    self.behaviour = behaviour
    self.apps = apps
  }

  mutating func add(_ leaks: [Leak], states: Int, transitions: Int, depth: Int) {
    self.leaks += Self.byWay(leaks)
    self.states += states
    self.transitions += transitions
    self.depth = max(self.depth, depth, leaks.map { $0.hops.count - 1 }.max() ?? 0)
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
