internal import Foundation
package import Leaks
internal import Model
internal import Output
internal import Policy
package import Scenario
package import Simulation
package import Tenants

/// A search for leaks among the apps of a scenario. For each leak, it can create a case that demonstrates the leak on
/// real processes.
package final class LeakStudy {
  /// The name of the scenario, or the names of the policies in files; nil for a tenant.
  package private(set) var name: String?
  /// The leaks, with changes that close them.
  package let report: LeakReport
  /// The apps and accounts on the scenario's device, as the search models them.
  var world: LeakWorld { search.world }
  let search: LeakSearch
  private let variants: [Variant]
  private let text: String
  private let scenario: Scenario
  /// The tenant that replaces the scenario's tenant; nil for the scenario's own tenant.
  private let tenants: ScenarioTenants?

  /// The model of one searched device. `device` is nil for the scenario's own device.
  private struct Variant {
    var device: DeviceVariation?
    var world: LeakWorld
  }

  /// Searches for leaks from the state in which a scenario's cases begin. No guest starts.
  ///
  /// - Throws: ``RunError`` if the scenario or a file that it names cannot be read, or no device can start.
  package convenience init(
    of file: String, _ question: LeakQuestion, by run: ScenarioRun
  ) throws(RunError) {
    let text = try ScenarioFiles.text(of: file)
    try self.init(text, ScenarioFiles.scenario(in: text, file: file), question, by: run)
  }

  /// Searches for leaks among the apps in a list, for one user and under the given policies.
  ///
  /// - Parameters:
  ///   - list: The path of a file with a line for each app.
  /// - Throws: ``RunError`` if a policy or the list cannot be read, or no device can start.
  package convenience init(
    of list: String, under policies: PoliciesOfApps, _ question: LeakQuestion, by run: ScenarioRun
  ) throws(RunError) {
    let (text, scenario) = try Self.world(of: list, under: policies)
    try self.init(text, scenario, for: policies.tenants, question, by: run)
    name = try policies.names
  }

  /// Returns the combinations of assumptions under which a user with the listed apps gets different policies. The
  /// assumptions are about facts that the tenant's export does not state. The search runs separately for each
  /// combination.
  ///
  /// - Throws: ``RunError`` if the list cannot be read, or the answer depends on too many facts.
  package static func suppositions(
    about user: PoliciesOfApps.TenantUser, with list: String, _ question: LeakQuestion,
    by run: ScenarioRun
  ) throws(RunError) -> [DeliverySupposition] {
    let policies = PoliciesOfApps.tenant(user)
    let scenario = try world(of: list, under: policies).scenario.replayable
    let others =
      switch question.device {
      case .stated: [Scenario]()
      case .any: [DeviceVariation.otherEnrollment(of: scenario).applied(to: scenario)]
      }
    return try policies.tenants?.suppositions(
      about: scenario, and: others, programs: run.settings.programs) ?? []
  }

  private static func world(
    of list: String, under policies: PoliciesOfApps
  ) throws(RunError) -> (text: String, scenario: Scenario) {
    let text = try AppList(list, under: policies).scenario()
    do throws(ScenarioErrors) {
      var scenario = try Scenario.read(text, file: list)
      scenario.isBuiltIn = true
      return (text, scenario)
    } catch {
      throw RunError(.file(list), error.reason, rule: "apps")
    }
  }

  init(
    _ text: String, _ scenario: Scenario, for tenants: ScenarioTenants? = nil,
    _ question: LeakQuestion, by run: ScenarioRun
  ) throws(RunError) {
    self.text = text
    self.scenario = scenario
    self.tenants = tenants
    name = scenario.name
    let question = question.naming(scenario.guestName)
    let prepared = try run.prepare(scenario.replayable, for: tenants)
    let world = try run.leakWorld(of: prepared, question.signIns)
    search = LeakSearch(world, question.behaviour, keeping: question.kept)
    try Self.check(search, of: scenario)
    if let query = question.query { try Self.check(query, search.world, of: scenario) }
    var report = question.query.map(search.answer) ?? search.run()
    var variants = [Variant(world: world)]
    for device in question.device == .any ? DeviceVariation.all(of: scenario) : [] {
      let other = device.applied(to: scenario.replayable)
      let world = try run.leakWorld(of: run.prepare(other, for: tenants), question.signIns)
      variants.append(Variant(device: device, world: world))
      let search = LeakSearch(world, question.behaviour)
      report.add(question.query.map(search.answer) ?? search.explore(), when: device.words)
    }
    self.variants = variants
    report.notice = prepared.notice
    self.report = report
  }

  /// Checks the apps in a query.
  ///
  /// - Throws: ``RunError`` if an app does not exist, a source app has no managed account, or an app is both source and
  ///   target.
  private static func check(
    _ query: LeakQuery, _ world: LeakWorld, of scenario: Scenario
  ) throws(RunError) {
    // An app that receives no data is not in the world, but may still be a target.
    let names = (world.apps.map(\.name) + scenario.apps.flatMap(\.guests)).sorted()
    for name in query.from + query.to where !names.contains(name) {
      let hint = Suggestion.nearest(to: name, among: names)
      throw RunError(.file(scenario.file), "no app is called `\(name)`\(hint)", rule: "app")
    }
    for name in query.from {
      guard world.hasManagedAccount(in: name) else {
        throw RunError(
          .file(scenario.file),
          "`\(name)` has no managed account, so no data starts there; name an app that has one",
          rule: "app")
      }
      guard !query.to.contains(name) else {
        throw RunError(
          .file(scenario.file), "data starts in `\(name)`; expected a different app after --to",
          rule: "app")
      }
    }
  }

  /// Checks that a search has data to follow, and that the flows to preserve are possible.
  ///
  /// - Throws: ``RunError`` if there is no data to follow, or a flow to preserve is not currently possible.
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
        "`\(flow.from)` cannot share data of a managed account with `\(flow.to)` even before the changes",
        rule: "keep")
    }
    guard !world.managedAccounts.isEmpty else {
      if case .tooMany(let sets) = world.signIns {
        throw RunError(
          .file(scenario.file),
          "no account under a policy is initially signed in, and the search cannot try all \(sets) sets of accounts; state `signedIn`",
          rule: "leaks")
      }
      throw RunError(
        .file(scenario.file),
        "no policy applies to an account in any of the apps, so there is no protected data to follow",
        rule: "leaks")
    }
  }

  /// The states and transitions of the search on the scenario's device, without reductions.
  package var model: LeakModel { LeakModel(search) }

  /// Returns the scenario with its cases replaced by one case for each leak on the scenario's device; nil if there is
  /// no leak.
  ///
  /// - Parameter file: The path of the new file. If its folder differs from the scenario's folder, paths become
  ///   absolute.
  /// - Throws: ``RunError`` if the file is the scenario itself, the scenario's cases do not form a separate block, or
  ///   its paths cannot be rewritten.
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

  /// Returns a file's path with its symbolic links resolved.
  private static func place(of file: String) -> URL {
    URL(fileURLWithPath: file).standardizedFileURL.resolvingSymlinksInPath()
  }

  private func cases(in variant: Variant, of world: WorldText) -> String {
    // In the search, users answer prompts correctly, so they do in the replay.
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
    /// - Parameter number: The number of the case, from 1.
    package func replay(by run: ScenarioRun, number: Int) throws(RunError) -> CaseRecording {
      try run.run(test, of: prepared, number: number)
    }
  }

  /// Returns a case for each leak. If a case fails, the leak does not exist on real processes.
  ///
  /// - Throws: ``RunError`` if the cases cannot be added to the scenario's text.
  package func witnesses(by run: ScenarioRun) throws(RunError) -> [Witness] {
    var witnesses: [Witness] = []
    for variant in variants
    where report.leaks.contains(where: { $0.condition == variant.device?.words }) {
      let replayed = try read(cases(in: variant, of: WorldText(text, of: scenario))).replayable
      let prepared = try run.prepare(
        variant.device?.applied(to: replayed) ?? replayed, for: tenants)
      witnesses += prepared.cases.map { Witness(prepared: prepared, test: $0) }
    }
    return witnesses
  }

  package var inputFiles: [String] { scenario.inputFiles }

  private func read(_ witnesses: String) throws(RunError) -> Scenario {
    do throws(ScenarioErrors) {
      return try Scenario.read(witnesses, file: scenario.file)
    } catch {
      throw RunError(
        .file(scenario.file),
        "cannot turn the scenario into one that replays the leaks: \(error.reason)",
        rule: "leaks")
    }
  }
}

extension Scenario {
  /// A copy of the scenario in which each app has a ready-made guest, so all apps perform steps. Prompts are answered
  /// correctly.
  var replayable: Scenario {
    var scenario = self
    // In one assignment, because each one indexes all apps.
    scenario.apps = apps.map { app in
      var app = app
      app.isReadyMade = true
      return app
    }
    scenario.device.prompts = .answered
    return scenario
  }
}

// MARK: Questions

/// The parameters of a leak search: the behaviour of apps, the sign-ins, the devices, and the flows to preserve.
package struct LeakQuestion {
  package var behaviour: LeakSearch.Behaviour
  package var signIns: SignInChoice
  package var device: DeviceChoice
  package var kept: [LeakSearch.Flow]
  /// The query about target apps; nil to search for all leaks.
  package var query: LeakQuery?

  package init(
    _ behaviour: LeakSearch.Behaviour, _ signIns: SignInChoice, _ device: DeviceChoice,
    keeping kept: [LeakSearch.Flow] = [], asking query: LeakQuery? = nil
  ) {
    self.query = query
    self.behaviour = behaviour
    self.signIns = signIns
    self.device = device
    self.kept = kept
  }

  /// Returns the parameters with apps renamed by `name`.
  fileprivate func naming(_ name: (String) -> String) -> Self {
    var question = self
    question.kept = kept.map { LeakSearch.Flow(from: name($0.from), to: name($0.to)) }
    question.query = query.map { LeakQuery(from: $0.from.map(name), to: $0.to.map(name)) }
    return question
  }
}

/// The accounts that a search assumes to be signed in.
package enum SignInChoice: String, Sendable, CaseIterable {
  /// All accounts that the apps' configurations and the policies allow.
  case any
  /// Only the accounts that the scenario signs in.
  case stated
}

/// The device states in which a search looks for leaks.
package enum DeviceChoice: String, Sendable, CaseIterable {
  /// The scenario's device state, and all states that differ from it in enrollment, network, or the apps' SDK release.
  case any
  /// Only the scenario's device state.
  case stated
}

// MARK: Device variations

/// A device that differs from the scenario's device.
private struct DeviceVariation {
  fileprivate var changes: [Change]

  fileprivate enum Change {
    case enrollment(isEnrolled: Bool)
    case offline
    /// All apps with the SDK use this release.
    case sdk(Version)

    fileprivate var words: String {
      switch self {
      case .enrollment(let isEnrolled):
        isEnrolled ? "the device is enrolled in MDM" : "the device is not enrolled in MDM"
      case .offline: "the device is offline"
      case .sdk(let version): "apps have release \(version) of the SDK"
      }
    }

    fileprivate func apply(to scenario: inout Scenario) {
      switch self {
      case .enrollment(let isEnrolled):
        scenario.device.isMDMEnrolled = isEnrolled
        if !isEnrolled { scenario.device.declarations = nil }
      case .offline: scenario.device.conditions.isOnline = false
      case .sdk(let version):
        scenario.apps = scenario.apps.map { app in
          var app = app
          if app.usesSDK { app.sdkVersion = version }
          return app
        }
      }
    }
  }

  var words: String { changes.map(\.words).joined(separator: ", ") }

  /// Returns all variations of a scenario's device, ordered by their number of differences.
  static func all(of scenario: Scenario) -> [DeviceVariation] {
    let enrollment = Change.enrollment(isEnrolled: !scenario.device.isMDMEnrolled)
    let network: [Change] = scenario.device.conditions.isOnline == false ? [] : [.offline]
    // Release N.0 of each major version N in which the SDK's behaviour changes, newest first.
    let changes = SDKFeature.allCases.flatMap(\.releases) + Setting.allCases.flatMap(\.releases)
    let releases = Set(changes.map { Version($0.major) }).sorted(by: >)
    let choices = [[enrollment], network, releases.map(Change.sdk)]
    let all = choices.reduce([[]]) { chosen, changes in
      chosen + chosen.flatMap { before in changes.map { before + [$0] } }
    }
    return all.filter { !$0.isEmpty }.sorted { $0.count < $1.count }
      .map(DeviceVariation.init)
  }

  static func otherEnrollment(of scenario: Scenario) -> DeviceVariation {
    DeviceVariation(changes: [.enrollment(isEnrolled: !scenario.device.isMDMEnrolled)])
  }

  func applied(to scenario: Scenario) -> Scenario {
    var scenario = scenario
    for change in changes { change.apply(to: &scenario) }
    return scenario
  }
}

// MARK: - JUnit

extension LeakReport {
  /// Returns the report as JUnit XML. It has a failing case for each leak, and a passing case for
  /// each target app that no data reaches. If there are neither, one case passes.
  ///
  /// - Parameter file: The path of the scenario or of the policies.
  package func junit(of file: String) -> String {
    var builder = ReportBuilder()
    if isClean, unreached.isEmpty {
      builder.add(Self.recording("no data of a managed account leaks", []), file: file)
    }
    for app in unreached {
      builder.add(Self.recording("managed data does not reach \(app)", []), file: file)
    }
    for leak in leaks {
      let device = leak.condition.map { ["where \($0)"] } ?? []
      let path = device + leak.hops.map { $0.text + ($0.why.map { ": \($0)" } ?? "") }
      let expectation = JournalEvent.Kind.expectation(
        step: 1, expected: "no path there", found: path.joined(separator: "; "), isMet: false)
      builder.add(
        Self.recording("data of \(leak.owner.upn) reaches \(leak.sink.text)", [expectation]),
        file: file)
    }
    return builder.report.junit()
  }

  /// Returns a recording of a case with a single step and these events.
  private static func recording(_ name: String, _ found: [JournalEvent.Kind]) -> CaseRecording {
    let kinds =
      [
        .caseBegan(suite: "leaks", name: name, criterion: nil),
        .stepBegan(step: 1, text: "search all paths"),
      ] + found + [JournalEvent.Kind.caseEnded]
    let events = kinds.enumerated().map {
      JournalEvent(sequence: $0.offset + 1, time: 0, kind: $0.element)
    }
    return CaseRecording(events: events, duration: .zero)
  }
}
