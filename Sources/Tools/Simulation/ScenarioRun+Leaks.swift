internal import Host
package import Leaks
internal import Model
internal import Policy
internal import Scenario
internal import Wire

extension ScenarioRun {
  /// The world of a scenario as a search for leaks sees it: what is installed, and who is signed in, when a case begins.
  /// No guest starts.
  ///
  /// - Throws: ``RunError`` where the device cannot be brought up.
  package func leakWorld(of prepared: PreparedScenario) throws(RunError) -> LeakWorld {
    let blueprint = prepared.blueprint
    var settings = settings
    settings.journal = .off
    let device = try blueprint.device(settings, in: "\(settings.folder)/leaks")
    defer { device.close() }
    try device.install(blueprint, .fresh)
    let names = Dictionary(
      blueprint.scenario.accounts.map { ($0.upn.lowercased(), $0.name) },
      uniquingKeysWith: { first, _ in first })
    let apps = blueprint.apps.compactMap {
      LeakWorld.App($0, of: blueprint.scenario, on: device, names)
    }
    return LeakWorld(apps: apps, device: device.state)
  }
}

extension LeakWorld.App {
  /// An app or extension as it is installed; nil where no data can be moved to it or from it by a share.
  ///
  /// - Parameter names: the scenario's names of accounts, by UPN in lower case.
  fileprivate init?(
    _ installed: InstalledApp, of scenario: Scenario, on device: Device, _ names: [String: String]
  ) {
    let description = installed.description
    guard let guest = installed.specification.guests.first,
      device.management.ban(on: guest) == nil
    else { return nil }
    func persona(_ party: Party) -> LeakWorld.Persona {
      let name =
        switch party.identity {
        case .unset: "unset"
        case .unknown: "unknown"
        case .account(let account): names[account.upn.lowercased()] ?? account.upn
        }
      return LeakWorld.Persona(name: name, party: party)
    }
    guard description.kind == .app else {
      guard description.kind.extensionPoint?.isInShareSheet == true,
        let party = device.shareSheet.receivingParty(guest)
      else { return nil }
      self.init(name: guest, kind: .extension, personas: [persona(party)])
      return
    }
    let sharers = Self.tasks(of: installed, in: scenario).compactMap {
      device.shareSheet.sharer(guest, as: $0)
    }
    // An account that does not open moves nothing.
    let open = sharers.filter { sharer in
      guard sharer.party.isManaged, let account = sharer.party.identity.account else { return true }
      return device.access.opens(account, in: guest)
    }
    guard let first = open.first else { return nil }
    let missing = scenario.accounts.filter { device.misses($0.account, in: guest) }
    self.init(
      name: guest, personas: open.map { persona($0.party) }, appPolicy: first.appPolicy,
      missing: Set(missing.map { $0.upn.lowercased() }))
  }

  /// The tasks in which the app acts for each identity that it may act for; nil: the one that it has.
  private static func tasks(
    of installed: InstalledApp, in scenario: Scenario
  ) -> [TaskContext?] {
    guard installed.description.isMultiIdentity else { return [nil] }
    let accounts = installed.specification.signedIn.compactMap { scenario.account(named: $0) }
    return accounts.map { TaskContext(thread: $0.upn) } + [TaskContext(thread: "")]
  }
}
