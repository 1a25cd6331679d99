internal import JSON
internal import Sharding

/// What reports on a walk say, and no round tells.
struct WalkFacts: Sendable {
  var seed: UInt64
  /// The options, beside seed and steps, that lead to the same walk.
  var again = ""
  /// The world that is walked over; nil: apps of Sluice's own.
  var world: World?

  /// The world of a scenario.
  struct World: Sendable {
    var file: String
    /// The number of places that the search for leaks finds.
    var known: Int
  }

  init(seed: UInt64, again: String = "", world: World? = nil) {
    self.seed = seed
    self.again = again
    self.world = world
  }

  /// The facts in a plan.
  init(of plan: Plan) {
    let facts = try? JSONReader.read(plan.facts)
    seed = facts?["seed"]?.string.flatMap(UInt64.init) ?? 0
    again = facts?["again"]?.string ?? ""
    if let file = facts?["file"]?.string, let known = facts?["known"]?.int {
      world = World(file: file, known: known)
    }
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("seed", "\(seed)")
    writer.member("again", again)
    writer.member("file", world?.file)
    writer.member("known", world?.known)
  }
}
