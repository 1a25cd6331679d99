import Model
import Policy
import Testing

@testable import Leaks

/// The model that is written for model checkers has the places that the search finds, and no others within reach.
@Suite struct LeakModelTests {
  /// The places within reach, each with the fewest moves to it from where data begin.
  private static func reach(_ model: LeakModel) -> [Int: Int] {
    var distances = Dictionary(uniqueKeysWithValues: model.beginnings.map { ($0.place, 0) })
    var isDone = false
    while !isDone {
      isDone = true
      for move in model.moves {
        guard let distance = distances[move.from] else { continue }
        guard distance + 1 < distances[move.to] ?? .max else { continue }
        distances[move.to] = distance + 1
        isDone = false
      }
    }
    return distances
  }

  @Test(arguments: 1...60)
  func `what is within reach in the model, the search reaches, in as few moves`(seed: Int) {
    let world = LeakSearchLawTests.world(seed)
    for behaviour in LeakSearch.Behaviour.allCases {
      let search = LeakSearch(world, behaviour)
      let runs = world.managedAccounts.map(search.run)
      let model = LeakModel(search)
      let distances = Self.reach(model)
      var states = 0
      var sinks: [String: Int] = [:]
      for (index, place) in model.places.enumerated() {
        guard let distance = distances[index + 1] else { continue }
        switch place {
        case .state: states += 1
        case .sink(let sink, let owner): sinks["\(owner) \(sink.text)"] = distance
        }
      }
      #expect(states == runs.map(\.states).reduce(0, +))
      #expect(distances.values.max() ?? 0 == runs.map(\.depth).max() ?? 0)
      for (number, run) in runs.enumerated() {
        for leak in run.leaks {
          #expect(sinks.removeValue(forKey: "\(number) \(leak.sink.text)") == leak.moves)
        }
      }
      #expect(sinks.isEmpty, "\(behaviour) \(sinks)")
    }
  }

  @Test func `names end no comment`() {
    var world = LeakWorld(
      apps: [Worlds.app("a", Worlds.anna, .init(settings: Worlds.strict)), Worlds.app("d")],
      device: .init())
    world.apps[0].name = "a */ x\ny"
    let model = LeakModel(LeakSearch(world, .careless))
    for text in [model.promela, model.murphi] {
      #expect(!text.contains("a */ x"))
      #expect(text.contains("a * / x y"))
    }
  }
}
