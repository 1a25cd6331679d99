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
    var world = LeakWorld(apps: [], device: device.state)
    for installed in blueprint.apps {
      let app = LeakWorld.App(
        installed, of: blueprint.scenario, on: device, names)
      let index = app?.kind == .app ? world.apps.count : nil
      world.openers.append(LeakWorld.Opener(installed, on: device, app: index))
      if let app { world.apps.append(app) }
    }
    return world
  }
}

extension LeakWorld.App {
  /// An app or extension as it is installed; nil where no data can be moved to it or from it by a share.
  ///
  /// - Parameter names: the scenario's names of accounts, by UPN in lower case.
  fileprivate init?(
    _ installed: InstalledApp, of scenario: Scenario, on device: Device, _ names: [String: String]
  ) {
    let kind = installed.description.kind
    guard let guest = installed.specification.guests.first,
      device.management.ban(on: guest) == nil
    else { return nil }
    guard kind == .app else {
      guard kind.extensionPoint?.isInShareSheet == true,
        let party = device.shareSheet.receivingParty(guest)
      else { return nil }
      self.init(
        name: guest, kind: .extension, personas: Self.personas([party], names))
      return
    }
    let accounts = installed.specification.signedIn.compactMap { scenario.account(named: $0) }
    let sharers = Self.sharers(installed, guest, accounts, on: device)
    guard let first = sharers.first else { return nil }
    let missing = scenario.accounts.filter { device.misses($0.account, in: guest) }
    self.init(
      name: guest, personas: Self.personas(sharers.map(\.party), names),
      appPolicy: first.appPolicy, missing: Set(missing.map { $0.upn.lowercased() }),
      keychain: try? installed.description.keychainGroups())
  }

  private static func personas(
    _ parties: [Party], _ names: [String: String]
  ) -> [LeakWorld.Persona] {
    parties.map { party in
      // Of one that never has an identity there is nothing to tell.
      if parties.count == 1, case .unset = party.identity {
        return LeakWorld.Persona(name: "", party: party)
      }
      return LeakWorld.Persona(party, among: names)
    }
  }

  /// The app as it acts for each identity that it may act for; an account that does not open moves nothing.
  private static func sharers(
    _ installed: InstalledApp, _ guest: String, _ accounts: [AccountSpecification],
    on device: Device
  ) -> [ShareSheetView.Sharer] {
    let tasks =
      installed.description.isMultiIdentity
      ? accounts.map { TaskContext(thread: $0.upn) } + [TaskContext(thread: ""), nil] : [nil]
    return tasks.compactMap { device.shareSheet.sharer(guest, as: $0) }.filter { sharer in
      guard sharer.party.isManaged, let account = sharer.party.identity.account else { return true }
      return device.access.opens(account, in: guest)
    }
  }
}

extension LeakWorld.Opener {
  fileprivate init(_ installed: InstalledApp, on device: Device, app: Int?) {
    let description = installed.description
    let guest = installed.specification.guests.first ?? description.name
    self.init(
      bundleID: description.bundleID, schemes: Set(description.schemes),
      domains: description.associatedDomains, integratesSDK: description.integratesSDK,
      isBanned: device.management.ban(on: guest) != nil, app: app)
  }
}

extension LeakWorld.Persona {
  /// A party under the name by which the scenario calls its identity.
  fileprivate init(_ party: Party, among names: [String: String]) {
    let name =
      switch party.identity {
      case .unset: "unset"
      case .unknown: "unknown"
      case .account(let account): names[account.upn.lowercased()] ?? account.upn
      }
    self.init(name: name, party: party)
  }
}
