internal import Diagnostics
package import Leaks
package import Scenario

/// The leaks of a scenario's world, and the scenario that shows each on real processes.
package final class LeakStudy {
  /// What the search finds, and what closes it.
  package private(set) lazy var report = search.run()
  private let search: LeakSearch
  private let world: LeakWorld
  private let text: String
  private let scenario: Scenario

  /// Searches the world that a scenario's cases begin with. No guest starts.
  ///
  /// - Throws: ``RunError`` where the scenario, or a file that it names, cannot be read, or no device can be brought up.
  package convenience init(
    of file: String, _ behaviour: LeakSearch.Behaviour, _ signIns: SignInChoice,
    keeping kept: [LeakSearch.Flow] = [], by run: ScenarioRun
  ) throws(RunError) {
    let text = try InputFile.text(file)
    try self.init(
      text, ScenarioFiles.scenario(in: text, file: file), behaviour, signIns, keeping: kept, by: run
    )
  }

  /// Searches the world of one user who has the apps of a list, under the policies in a file or folder.
  ///
  /// - Parameter list: the path of a file with a line for each app.
  /// - Throws: ``RunError`` where a policy or the list cannot be read, or no device can be brought up.
  package convenience init(
    of list: String, under policies: String, _ behaviour: LeakSearch.Behaviour,
    _ signIns: SignInChoice, keeping kept: [LeakSearch.Flow] = [], by run: ScenarioRun
  ) throws(RunError) {
    let text = try AppList(list).scenario(under: policies)
    let scenario: Scenario
    do throws(ScenarioError) {
      scenario = try Scenario.read(text, file: list)
    } catch {
      throw RunError(.file(list), error.diagnostic.message, rule: "apps")
    }
    try self.init(text, scenario, behaviour, signIns, keeping: kept, by: run)
  }

  private init(
    _ text: String, _ scenario: Scenario, _ behaviour: LeakSearch.Behaviour,
    _ signIns: SignInChoice, keeping kept: [LeakSearch.Flow], by run: ScenarioRun
  ) throws(RunError) {
    self.text = text
    self.scenario = scenario
    world = try run.leakWorld(of: run.prepare(scenario.replayable), signIns)
    search = LeakSearch(world, behaviour, keeping: kept)
    for flow in kept {
      for name in [flow.from, flow.to] where !world.apps.contains(where: { $0.name == name }) {
        let hint = Suggestion.nearest(to: name, among: world.apps.map(\.name))
        throw RunError(.file(scenario.file), "no app is called `\(name)`\(hint)", rule: "keep")
      }
    }
    if let flow = search.closedFlows.first {
      throw RunError(
        .file(scenario.file),
        "`\(flow.from)` cannot share data of a managed account with `\(flow.to)` as it is",
        rule: "keep")
    }
    guard !world.managedAccounts.isEmpty else {
      throw RunError(
        .file(scenario.file),
        "no policy is for an account in any of its apps, so that there are no data to follow",
        rule: "leaks")
    }
  }

  /// The states and moves of the search, unreduced.
  package var model: LeakModel { LeakModel(search) }

  /// The scenario's world with a case for each leak in place of its cases. Paths in it are
  /// relative to the scenario's folder.
  ///
  /// - Throws: ``RunError`` where the scenario's cases are not a block of its own.
  package func witnesses() throws(RunError) -> String {
    // As in the search, users answer rightly what they are asked.
    try WorldText(text, of: scenario).answered.lines + "\n" + report.cases(in: world)
  }

  /// Replays each leak on real processes.
  ///
  /// - Returns: the report, in which a case that did not pass is a leak that the processes do not have.
  /// - Throws: ``RunError`` where a device cannot be brought up, or stops by itself.
  package func verify(by run: ScenarioRun) throws(RunError) -> Report {
    guard !report.leaks.isEmpty else { return ReportBuilder().report }
    let witnesses = try witnesses()
    let replayed: Scenario
    do throws(ScenarioError) {
      replayed = try Scenario.read(witnesses, file: scenario.file)
    } catch {
      throw RunError(
        .file(scenario.file),
        "the scenario's text cannot be made one that replays the leaks: \(error.diagnostic.message)",
        rule: "leaks")
    }
    let prepared = try run.prepare(replayed.replayable)
    var builder = ReportBuilder()
    for (index, test) in prepared.cases.enumerated() {
      builder.add(try run.run(test, of: prepared, number: index + 1), file: scenario.file)
    }
    return builder.report
  }
}

extension Scenario {
  /// The scenario with ready-made guests for all apps, which do what steps say, and users who answer rightly.
  fileprivate var replayable: Scenario {
    var scenario = self
    for index in apps.indices { scenario.apps[index].isReadyMade = true }
    scenario.device.prompts = .answered
    return scenario
  }
}
