/// The hops of a way, with those by which accounts sign in and out so that each app has who it needs.
struct LeakWay {
  private(set) var hops: [LeakHop] = []
  private let world: LeakWorld
  /// Who is signed in to each app by then.
  private var standing: [String: LeakWorld.SignIns] = [:]

  /// A hop, and the index of the app that has the data then.
  struct Step {
    var hop: LeakHop
    var app: Int
  }

  /// - Parameter steps: the hops that the search has found.
  init(_ steps: [Step], in world: LeakWorld) {
    self.world = world
    for step in steps { add(step) }
  }

  private mutating func add(_ step: Step) {
    if let plugIn = step.hop.plugIn { need(world.apps[plugIn], for: step.hop) }
    need(world.apps[step.app], for: step.hop)
    hops.append(step.hop)
  }

  /// Has accounts sign in and out until an app has those that it is to have.
  private mutating func need(_ app: LeakWorld.App, for hop: LeakHop) {
    guard let needed = app.signIns else { return }
    let before = standing[needed.app] ?? stated(needed.app)
    standing[needed.app] = needed
    if case .signIns = hop.action { return }
    guard let before, before.accounts != needed.accounts else { return }
    hops.append(before.change(to: needed))
  }

  private func stated(_ app: String) -> LeakWorld.SignIns? {
    world.apps.lazy.compactMap(\.signIns).first { $0.app == app && $0.beginning == .stated }
  }
}
