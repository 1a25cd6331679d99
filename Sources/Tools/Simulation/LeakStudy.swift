internal import Diagnostics
internal import Foundation
package import Leaks
package import Scenario

/// The leaks of a scenario's world, and the scenario that shows each on real processes.
package final class LeakStudy {
  /// What the search finds, and what closes it.
  package let report: LeakReport
  /// The world that was searched, on the scenario's device.
  var world: LeakWorld { search.world }
  let search: LeakSearch
  private let variants: [Variant]
  private let text: String
  private let scenario: Scenario

  /// The world with another device; the scenario's own first.
  private struct Variant {
    var device: DeviceVariation?
    var world: LeakWorld
  }

  /// Searches the world that a scenario's cases begin with. No guest starts.
  ///
  /// - Throws: ``RunError`` where the scenario, or a file that it names, cannot be read, or no device can be brought up.
  package convenience init(
    of file: String, _ question: LeakQuestion, by run: ScenarioRun
  ) throws(RunError) {
    let text = try ScenarioFiles.text(of: file)
    try self.init(text, ScenarioFiles.scenario(in: text, file: file), question, by: run)
  }

  /// Searches the world of one user who has the apps of a list, under the policies in a file or folder.
  ///
  /// - Parameter list: the path of a file with a line for each app.
  /// - Throws: ``RunError`` where a policy or the list cannot be read, or no device can be brought up.
  package convenience init(
    of list: String, under policies: String, _ question: LeakQuestion, by run: ScenarioRun
  ) throws(RunError) {
    let text = try AppList(list).scenario(under: policies)
    let scenario: Scenario
    do throws(ScenarioError) {
      scenario = try Scenario.read(text, file: list)
    } catch {
      throw RunError(.file(list), error.diagnostic.message, rule: "apps")
    }
    try self.init(text, scenario, question, by: run)
  }

  init(
    _ text: String, _ scenario: Scenario, _ question: LeakQuestion, by run: ScenarioRun
  ) throws(RunError) {
    self.text = text
    self.scenario = scenario
    let prepared = try run.prepare(scenario.replayable)
    let world = try run.leakWorld(of: prepared, question.signIns)
    search = LeakSearch(world, question.behaviour, keeping: question.kept)
    try Self.check(search, of: scenario)
    if let query = question.query { try Self.check(query, search.world, of: scenario) }
    var report = question.query.map(search.answer) ?? search.run()
    var variants = [Variant(world: world)]
    for device in question.device == .any ? DeviceVariation.all(of: scenario) : [] {
      let other = device.applied(to: scenario.replayable)
      let world = try run.leakWorld(of: run.prepare(other), question.signIns)
      variants.append(Variant(device: device, world: world))
      let search = LeakSearch(world, question.behaviour)
      report.add(question.query.map(search.answer) ?? search.explore(), when: device.words)
    }
    self.variants = variants
    report.notice = prepared.notice
    self.report = report
  }

  /// - Throws: ``RunError`` if a target app does not exist, or no data start in an app.
  private static func check(
    _ query: LeakQuery, _ world: LeakWorld, of scenario: Scenario
  ) throws(RunError) {
    // An app without incoming moves is not in the world, but may be a target.
    let names = (world.apps.map(\.name) + scenario.apps.flatMap(\.guests)).sorted()
    for name in query.from + query.to where !names.contains(name) {
      let hint = Suggestion.nearest(to: name, among: names)
      throw RunError(.file(scenario.file), "no app is called `\(name)`\(hint)", rule: "app")
    }
    for name in query.from {
      guard world.hasManagedAccount(in: name) else {
        throw RunError(
          .file(scenario.file),
          "no data begin in `\(name)`, which has no managed account; name an app that has one",
          rule: "app")
      }
      guard !query.to.contains(name) else {
        throw RunError(
          .file(scenario.file), "data begin in `\(name)`; expected another app after --to",
          rule: "app")
      }
    }
  }

  /// - Throws: ``RunError`` where there are no data to follow, or a flow that is to be kept is none.
  private static func check(_ search: LeakSearch, of scenario: Scenario) throws(RunError) {
    let world = search.world
    for name in search.kept.flatMap({ [$0.from, $0.to] })
    where !world.apps.contains(where: { $0.name == name }) {
      let hint = Suggestion.nearest(to: name, among: world.apps.map(\.name))
      throw RunError(.file(scenario.file), "no app is called `\(name)`\(hint)", rule: "keep")
    }
    if let flow = search.closedFlows.first {
      throw RunError(
        .file(scenario.file),
        "`\(flow.from)` cannot share data of a managed account with `\(flow.to)` as it is",
        rule: "keep")
    }
    guard !world.managedAccounts.isEmpty else {
      if case .tooMany(let sets) = world.signIns {
        throw RunError(
          .file(scenario.file),
          "nobody is signed in at first whom a policy is for, and \(sets) sets of accounts are more than are searched; state `signedIn`",
          rule: "leaks")
      }
      throw RunError(
        .file(scenario.file),
        "no policy is for an account in any of its apps, so that there are no data to follow",
        rule: "leaks")
    }
  }

  /// The states and moves of the search on the scenario's device, unreduced.
  package var model: LeakModel { LeakModel(search) }

  /// The scenario's world with a case for each leak on its device in place of its cases; nil where there is none.
  ///
  /// - Parameter file: the file that it is for; in another folder than the scenario's it has absolute paths.
  /// - Throws: ``RunError`` where that is the scenario itself, the scenario's cases are not a block of its own, or its paths
  ///   cannot be written anew.
  package func witnesses(for file: String) throws(RunError) -> String? {
    let (source, target) = (Self.place(of: scenario.file), Self.place(of: file))
    guard source != target else {
      throw RunError(
        .file(file), "the scenario would be overwritten; name another file", rule: "witness")
    }
    guard report.leaks.contains(where: { $0.condition == nil }) else { return nil }
    var world = try WorldText(text, of: scenario)
    let folder = source.deletingLastPathComponent()
    if folder != target.deletingLastPathComponent() {
      world = try world.relocated(scenario) {
        URL(fileURLWithPath: $0, relativeTo: folder).absoluteURL.path
      }
    }
    return cases(in: Variant(world: search.world), of: world)
  }

  /// A file's path without links.
  private static func place(of file: String) -> URL {
    URL(fileURLWithPath: file).standardizedFileURL.resolvingSymlinksInPath()
  }

  private func cases(in variant: Variant, of world: WorldText) -> String {
    // As in the search, users answer rightly what they are asked.
    world.answered.lines + "\n" + report.cases(in: variant.world, when: variant.device?.words)
  }

  /// A case that replays a leak on real processes.
  package struct Witness: Sendable {
    let prepared: PreparedScenario
    let test: Case

    package var name: String { test.name }
    package var steps: Int { test.steps.count }

    /// Replays the leak.
    ///
    /// - Parameter number: the number of the case, from 1.
    /// - Throws: ``RunError`` where a device cannot be brought up, or stops by itself.
    package func replay(by run: ScenarioRun, number: Int) throws(RunError) -> CaseRecording {
      try run.run(test, of: prepared, number: number)
    }
  }

  /// A case for each leak; one that does not pass is a leak that real processes do not have.
  ///
  /// - Throws: ``RunError`` where the scenario's text cannot be made one that replays them.
  package func witnesses(by run: ScenarioRun) throws(RunError) -> [Witness] {
    var witnesses: [Witness] = []
    for variant in variants
    where report.leaks.contains(where: { $0.condition == variant.device?.words }) {
      let replayed = try read(cases(in: variant, of: WorldText(text, of: scenario))).replayable
      let prepared = try run.prepare(variant.device?.applied(to: replayed) ?? replayed)
      witnesses += prepared.cases.map { Witness(prepared: prepared, test: $0) }
    }
    return witnesses
  }

  /// The files that the search reads.
  package var inputFiles: [String] { scenario.inputFiles }

  private func read(_ witnesses: String) throws(RunError) -> Scenario {
    do throws(ScenarioError) {
      return try Scenario.read(witnesses, file: scenario.file)
    } catch {
      throw RunError(
        .file(scenario.file),
        "the scenario's text cannot be made one that replays the leaks: \(error.diagnostic.message)",
        rule: "leaks")
    }
  }
}

extension Scenario {
  /// The scenario with ready-made guests for all apps, which do what steps say, and users who answer rightly.
  var replayable: Scenario {
    var scenario = self
    for index in apps.indices { scenario.apps[index].isReadyMade = true }
    scenario.device.prompts = .answered
    return scenario
  }
}
