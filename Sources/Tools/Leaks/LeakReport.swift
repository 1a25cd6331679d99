/// What a search has found, and how far it went.
public struct LeakReport: Sendable {
  public let behaviour: LeakSearch.Behaviour
  /// The number of apps and extensions.
  public let apps: Int
  public private(set) var leaks: [Leak] = []
  /// The number of states that were reached, and of moves that were tried from them.
  public private(set) var states = 0
  public private(set) var transitions = 0
  /// The number of hops after which nothing new is reached.
  public private(set) var depth = 0
  /// What closes the leaks that settings can close; nil where that was not searched.
  public internal(set) var closing: LeakClosing?

  init(behaviour: LeakSearch.Behaviour, apps: Int) {
    self.behaviour = behaviour
    self.apps = apps
  }

  mutating func add(_ leaks: [Leak], states: Int, transitions: Int, depth: Int) {
    self.leaks += leaks
    self.states += states
    self.transitions += transitions
    self.depth = max(self.depth, depth)
  }

  /// Whether there is no leak.
  public var isClean: Bool { leaks.isEmpty }
}
