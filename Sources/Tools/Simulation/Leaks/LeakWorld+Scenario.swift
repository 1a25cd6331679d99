internal import Host
internal import Leaks
internal import Model
internal import Policy
internal import Scenario
internal import Wire

extension ScenarioRun {
  /// The world of a scenario as a search for leaks sees it: what is installed, and who is signed in, when a case begins,
  /// and each app with the other accounts that may sign in to it. No guest starts.
  ///
  /// - Throws: ``RunError`` where a device cannot be brought up.
  func leakWorld(
    of prepared: PreparedScenario, _ signIns: SignInChoice
  ) throws(RunError) -> LeakWorld {
    let blueprint = try prepared.onlyDevice
    let device = try leakDevice(of: blueprint, in: "stated")
    defer { device.close() }
    var world = LeakWorld(apps: [], device: device.state)
    for installed in blueprint.apps {
      let app = LeakWorld.App(installed, .stated, of: blueprint, on: device)
      let index = app?.kind == .app ? world.apps.count : nil
      world.openers.append(LeakWorld.Opener(installed, on: device, app: index))
      if let app { world.apps.append(app) }
    }
    guard signIns == .any else { return world }
    let sets = SignInSets(of: blueprint, on: device)
    world.signIns = sets.scope
    for (number, apps) in sets.rounds.enumerated() {
      let blueprint = blueprint.installing(apps)
      let device = try leakDevice(of: blueprint, in: "\(number)")
      defer { device.close() }
      world.apps += apps.compactMap { LeakWorld.App($0, .reachable, of: blueprint, on: device) }
    }
    return world
  }

  private func leakDevice(
    of blueprint: Blueprint, in folder: String
  ) throws(RunError) -> Device {
    var settings = settings
    settings.journal = .off
    let device = try blueprint.device(settings, in: "\(settings.folder)/leaks/\(folder)")
    do throws(RunError) {
      try device.install(blueprint, .fresh)
    } catch {
      device.close()
      throw error
    }
    return device
  }
}

extension LeakWorld.App {
  /// An app or extension as it is installed; nil where no data can be moved to it or from it by a share.
  fileprivate init?(
    _ installed: InstalledApp, _ beginning: LeakWorld.SignIns.Beginning, of blueprint: Blueprint,
    on device: Device
  ) {
    let kind = installed.description.kind
    let names = blueprint.scenario.namesOfAccounts
    guard let guest = installed.specification.guests.first,
      device.management.ban(on: guest) == nil,
      beginning == .reachable || installed.starts(on: device)
    else { return nil }
    let signIns = installed.signIns(among: blueprint.apps, beginning)
    guard kind == .app else {
      guard kind.extensionPoint?.isInShareSheet == true,
        let party = device.shareSheet.receivingParty(guest)
      else { return nil }
      let own = signIns?.accounts ?? []
      let missing = blueprint.scenario.accounts
        .filter { !own.contains($0.name) && device.misses($0.account, in: guest) }
      self.init(
        name: guest, kind: .extension, personas: Self.personas([party], names), signIns: signIns,
        missing: Set(missing.map { $0.upn.lowercased() }),
        offered: OfferedTypes(of: guest, among: blueprint.offeredTypes(on: device), on: device))
      return
    }
    let accounts = installed.specification.signedIn
      .compactMap { blueprint.scenario.account(named: $0) }
    let sharers = Self.sharers(installed, guest, accounts, on: device)
    let closed = installed.closedAccounts(of: blueprint.scenario, on: device)
    guard let first = sharers.first, beginning == .stated || closed.isEmpty else { return nil }
    let missing =
      blueprint.scenario.accounts.filter { device.misses($0.account, in: guest) } + closed
    self.init(
      name: guest, personas: Self.personas(sharers.map(\.party), names), signIns: signIns,
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

extension Scenario {
  /// The names of accounts, by UPN in lower case.
  fileprivate var namesOfAccounts: [String: String] {
    Dictionary(
      accounts.map { ($0.upn.lowercased(), $0.name) }, uniquingKeysWith: { first, _ in first })
  }
}

extension InstalledApp {
  /// Whether the app starts with the accounts that are signed in: one that requires a policy does not without.
  fileprivate func starts(on device: Device) -> Bool {
    guard description.requiresPolicy, let guest = specification.guests.first else { return true }
    return device.shareSheet.sharer(guest)?.appPolicy != nil
  }

  /// The accounts that are signed in and do not open: they move nothing.
  fileprivate func closedAccounts(of scenario: Scenario, on device: Device)
    -> [AccountSpecification]
  {
    guard let guest = specification.guests.first else { return [] }
    return specification.signedIn.compactMap { scenario.account(named: $0) }
      .filter { !device.access.opens($0.account, in: guest) }
  }

  /// Who is signed in to the app or, for an extension, to that which contains it; nil where nothing depends on it.
  fileprivate func signIns(
    among apps: [InstalledApp], _ beginning: LeakWorld.SignIns.Beginning
  ) -> LeakWorld.SignIns? {
    let app = description.kind == .app ? self : apps.first { $0.contains(self) }
    guard description.integratesSDK, let app, app.description.integratesSDK else { return nil }
    return app.specification.guests.first.map {
      LeakWorld.SignIns(app: $0, accounts: app.specification.signedIn, beginning)
    }
  }
}

extension Blueprint {
  /// The types of items for which share sheets offer the extensions, of each what is enough to start it.
  fileprivate func offeredTypes(on device: Device) -> Set<String> {
    let guests = apps.filter { $0.description.kind != .app }
      .compactMap(\.specification.guests.first)
    return Set(guests.flatMap(device.shareSheet.offeredTypes))
  }
}

extension LeakWorld.App.OfferedTypes {
  fileprivate init(of guest: String, among types: Set<String>, on device: Device) {
    let sheet = device.shareSheet
    self.init(
      plain: types.filter { sheet.isOffered(guest, for: $0) },
      aliased: types.filter { sheet.isOffered(guest, forAliasOf: $0) })
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

// MARK: - Sets of accounts

/// The sets of accounts that may be signed in to the apps of a scenario, beside the stated ones.
private struct SignInSets {
  /// Apps with a set of accounts each, and the extensions in them. An app is in as many rounds as it has sets.
  let rounds: [[InstalledApp]]
  let scope: LeakScope.SignIns

  /// The most sets of accounts that are searched: those of all apps together, times the number of accounts.
  private static let most = 5_000

  /// The sets that the apps' configurations, and the policies, let sign in.
  ///
  /// - Parameter device: a device with the scenario's apps.
  init(of blueprint: Blueprint, on device: Device) {
    var count = 0
    for scope in [LeakScope.SignIns.pairs, .single] {
      let sets = blueprint.apps.map { $0.sets(of: blueprint.scenario, scope, on: device) }
      count = sets.reduce(0) { $0 + $1.count }
      guard count * blueprint.scenario.accounts.count <= Self.most else { continue }
      rounds = Self.rounds(blueprint.apps, sets)
      self.scope = scope
      return
    }
    rounds = []
    scope = .tooMany(count)
  }

  private static func rounds(
    _ apps: [InstalledApp], _ sets: [[[String]]]
  ) -> [[InstalledApp]] {
    (0..<(sets.map(\.count).max() ?? 0)).map { round in
      let signedIn = zip(apps, sets).filter { $1.count > round }.map { $0.signedIn($1[round]) }
      let extensions = apps.filter { plugIn in
        plugIn.description.integratesSDK && signedIn.contains { $0.contains(plugIn) }
      }
      return signedIn + extensions
    }
  }
}

extension InstalledApp {
  /// Whether the app contains an extension.
  fileprivate func contains(_ other: InstalledApp) -> Bool {
    description.kind == .app
      && other.description.kind.containingApp?.lowercased() == description.bundleID.lowercased()
  }

  /// The sets of accounts, by name, that may be signed in and differ from the stated one; none where nothing depends on
  /// them.
  fileprivate func sets(
    of scenario: Scenario, _ scope: LeakScope.SignIns, on device: Device
  ) -> [[String]] {
    guard description.kind == .app, description.integratesSDK, starts(on: device),
      closedAccounts(of: scenario, on: device).isEmpty,
      let guest = specification.guests.first
    else { return [] }
    var seen: Set<Set<String>> = [Set(specification.signedIn)]
    return candidates(scenario.accounts.map(\.name), scope)
      .filter { Set($0).count == $0.count && seen.insert(Set($0)).inserted }
      .filter { names in
        let accounts = names.compactMap { scenario.account(named: $0)?.account }
        return device.accounts.accepts(accounts, in: guest)
      }
  }

  /// Sets of accounts, some of them twice, or with an account twice.
  private func candidates(_ names: [String], _ scope: LeakScope.SignIns) -> [[String]] {
    let few = [[]] + names.map { [$0] }
    // An app of one identity acts for one of its accounts, whoever else is signed in.
    guard description.isMultiIdentity else { return few }
    let stated = specification.signedIn
    let fewer = stated.map { name in stated.filter { $0 != name } }
    let more = names.filter { !stated.contains($0) }.map { stated + [$0] }
    let pairs = scope == .pairs ? names.flatMap { first in names.map { [first, $0] } } : []
    return few + fewer + more + pairs
  }

  /// The app's first guest, with other accounts.
  fileprivate func signedIn(_ accounts: [String]) -> InstalledApp {
    var app = self
    app.specification.name = specification.guests.first ?? specification.name
    app.specification.count = 1
    app.specification.signedIn = accounts
    return app
  }
}
