internal import Host
internal import Leaks
internal import Model
internal import Policy
internal import Scenario
internal import Simulation
internal import Wire

extension ScenarioRun {
  /// Returns the model of a scenario's initial state for a leak search: the installed apps and the signed-in accounts.
  /// If `signIns` is ``SignInChoice/any``, the model also contains each app with other accounts that may sign in. No
  /// guest starts.
  ///
  /// - Throws: ``RunError`` if the scenario has several devices, or a device cannot start.
  func leakWorld(
    of prepared: PreparedScenario, _ signIns: SignInChoice
  ) throws(RunError) -> LeakWorld {
    let resolved = try prepared.onlyDevice
    let device = try leakDevice(of: resolved, in: "stated")
    defer { device.close() }
    var world = LeakWorld(apps: [], device: device.state)
    let names = resolved.scenario.namesOfAccounts
    let stated = InstalledApps(resolved, names, on: device)
    for installed in resolved.apps {
      let app = LeakWorld.App(installed, .stated, among: stated)
      let index = app?.kind == .app ? world.apps.count : nil
      world.openers.append(LeakWorld.Opener(installed, on: device, app: index))
      if let app { world.apps.append(app) }
    }
    guard signIns == .any else { return world }
    let sets = SignInSets(of: resolved, on: device)
    world.signIns = sets.scope
    for (number, apps) in sets.rounds.enumerated() {
      let resolved = resolved.installing(apps)
      let device = try leakDevice(of: resolved, in: "\(number)")
      defer { device.close() }
      let installed = InstalledApps(resolved, names, on: device)
      world.apps += apps.compactMap { LeakWorld.App($0, .reachable, among: installed) }
    }
    return world
  }

  private func leakDevice(
    of resolved: ResolvedScenario, in folder: String
  ) throws(RunError) -> Device {
    var settings = settings
    settings.journal = .off
    let device = try resolved.device(settings, in: "\(settings.folder)/leaks/\(folder)")
    do throws(RunError) {
      try device.install(resolved, .fresh)
    } catch {
      device.close()
      throw error
    }
    return device
  }
}

/// A device's apps, with the facts that are needed to model each of them.
private struct InstalledApps {
  let scenario: Scenario
  let device: Device
  /// The scenario's names of the accounts, keyed by UPN in lower case.
  let names: [String: String]
  /// The apps without extensions, keyed by bundle id in lower case. If several apps have the same bundle id, only the
  /// first one is included.
  let containing: [String: ResolvedApp]
  /// The item types for which share sheets offer extensions.
  let offeredTypes: Set<String>

  init(_ resolved: ResolvedScenario, _ names: [String: String], on device: Device) {
    scenario = resolved.scenario
    self.device = device
    self.names = names
    containing = Dictionary(
      resolved.apps.filter { $0.description.kind == .app }
        .map { ($0.description.bundleID.lowercased(), $0) },
      uniquingKeysWith: { first, _ in first })
    offeredTypes = resolved.offeredTypes(on: device)
  }
}

extension LeakWorld.App {
  /// Creates the model of an installed app or extension. Returns nil if no share can transfer data to it or from it.
  fileprivate init?(
    _ installed: ResolvedApp, _ beginning: LeakWorld.SignIns.Beginning, among all: InstalledApps
  ) {
    let kind = installed.description.kind
    let (names, device, scenario) = (all.names, all.device, all.scenario)
    guard let guest = installed.specification.guests.first,
      device.management.ban(on: guest) == nil,
      beginning == .reachable || installed.starts(on: device)
    else { return nil }
    let signIns = installed.signIns(among: all.containing, beginning)
    guard kind == .app else {
      guard kind.extensionPoint?.isInShareSheet == true,
        let party = device.shareSheet.receivingParty(guest, of: Owner())
      else { return nil }
      let own = Set(signIns?.accounts ?? [])
      let missing = scenario.accounts
        .filter { !own.contains($0.name) && device.misses($0.account, in: guest) }
      self.init(
        name: guest, kind: .extension, personas: Self.personas([party], names), signIns: signIns,
        missing: Set(missing.map { $0.upn.lowercased() }),
        offered: OfferedTypes(of: guest, among: all.offeredTypes, on: device))
      return
    }
    let accounts = installed.specification.signedIn
      .compactMap { scenario.account(named: $0) }
    let sharers = Self.sharers(installed, guest, accounts, on: device)
    let closed = installed.closedAccounts(of: scenario, on: device)
    guard let first = sharers.first, beginning == .stated || closed.isEmpty else { return nil }
    let missing = scenario.accounts.filter { device.misses($0.account, in: guest) } + closed
    let lacksRequiredAccount = device.shareSheet.lacksRequiredAccount(guest)
    let parties = sharers.map { sharer in
      var party = sharer.party
      party.app.lacksRequiredAccount = lacksRequiredAccount
      return party
    }
    self.init(
      name: guest, personas: Self.personas(parties, names), signIns: signIns,
      appPolicy: first.appPolicy, missing: Set(missing.map { $0.upn.lowercased() }),
      keychain: try? installed.description.keychainGroups())
  }

  private static func personas(
    _ parties: [Party], _ names: [String: String]
  ) -> [LeakWorld.Persona] {
    parties.map { party in
      // An app that never has an identity needs no name for one.
      if parties.count == 1, case .unset = party.identity {
        return LeakWorld.Persona(name: "", party: party)
      }
      return LeakWorld.Persona(party, among: names)
    }
  }

  /// Returns the app as a sender, once for each identity that it may act for. Accounts that cannot be opened are
  /// omitted, because they transfer no data.
  private static func sharers(
    _ installed: ResolvedApp, _ guest: String, _ accounts: [AccountDefinition],
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
  /// The scenario's names of the accounts, keyed by UPN in lower case.
  fileprivate var namesOfAccounts: [String: String] {
    Dictionary(
      accounts.map { ($0.upn.lowercased(), $0.name) }, uniquingKeysWith: { first, _ in first })
  }
}

extension ResolvedApp {
  /// Returns whether the app starts with its signed-in accounts. An app that requires a policy does not start if no
  /// policy applies.
  fileprivate func starts(on device: Device) -> Bool {
    guard description.requiresPolicy, let guest = specification.guests.first else { return true }
    return device.shareSheet.sharer(guest)?.appPolicy != nil
  }

  /// Returns the signed-in accounts that cannot be opened and therefore transfer no data.
  fileprivate func closedAccounts(of scenario: Scenario, on device: Device)
    -> [AccountDefinition]
  {
    guard let guest = specification.guests.first else { return [] }
    return specification.signedIn.compactMap { scenario.account(named: $0) }
      .filter { !device.access.opens($0.account, in: guest) }
  }

  /// Returns the accounts that are signed in to the app or, for an extension, to its containing app. Returns nil if
  /// sign-ins do not affect what the app may do.
  fileprivate func signIns(
    among containing: [String: ResolvedApp], _ beginning: LeakWorld.SignIns.Beginning
  ) -> LeakWorld.SignIns? {
    let app =
      description.kind == .app
      ? self : description.kind.containingApp.flatMap { containing[$0.lowercased()] }
    guard description.integratesSDK, let app, app.description.integratesSDK else { return nil }
    return app.specification.guests.first.map {
      LeakWorld.SignIns(app: $0, accounts: app.specification.signedIn, beginning)
    }
  }
}

extension ResolvedScenario {
  /// Returns the item types for which share sheets offer the extensions. For each extension, the
  /// set contains types that are sufficient to start it.
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
  fileprivate init(_ installed: ResolvedApp, on device: Device, app: Int?) {
    let description = installed.description
    let guest = installed.specification.guests.first ?? description.name
    self.init(
      bundleID: description.bundleID, schemes: Set(description.schemes),
      domains: description.associatedDomains, integratesSDK: description.integratesSDK,
      isBanned: device.management.ban(on: guest) != nil, app: app)
  }
}

extension LeakWorld.Persona {
  /// Creates a persona for the party's identity, with the identity's name in the scenario.
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

// MARK: Account sets

/// The sets of accounts that may be signed in to a scenario's apps. Sets that the scenario itself signs in are not
/// included.
private struct SignInSets {
  /// The apps with their extensions, in rounds. In each round, an app has another one of its sets of signed-in
  /// accounts, so it occurs in as many rounds as it has sets.
  let rounds: [[ResolvedApp]]
  let scope: LeakScope.SignIns

  /// The maximum product of the number of sets and the number of accounts.
  private static let most = 5_000

  /// Collects the sets of accounts that may sign in according to the apps' configurations and the policies.
  ///
  /// - Parameter device: A device with the scenario's apps.
  init(of resolved: ResolvedScenario, on device: Device) {
    var count = 0
    for scope in [LeakScope.SignIns.pairs, .single] {
      let sets = resolved.apps.map { $0.sets(of: resolved.scenario, scope, on: device) }
      count = sets.reduce(0) { $0 + $1.count }
      guard count * resolved.scenario.accounts.count <= Self.most else { continue }
      rounds = Self.rounds(resolved.apps, sets)
      self.scope = scope
      return
    }
    rounds = []
    scope = .tooMany(count)
  }

  private static func rounds(
    _ apps: [ResolvedApp], _ sets: [[[String]]]
  ) -> [[ResolvedApp]] {
    (0..<(sets.map(\.count).max() ?? 0)).map { round in
      let signedIn = zip(apps, sets).filter { $1.count > round }.map { $0.signedIn($1[round]) }
      let bundles = Set(
        signedIn.map(\.description).filter { $0.kind == .app }.map { $0.bundleID.lowercased() })
      let extensions = apps.filter { plugIn in
        plugIn.description.integratesSDK
          && plugIn.description.kind.containingApp.map { bundles.contains($0.lowercased()) } == true
      }
      return signedIn + extensions
    }
  }
}

extension ResolvedApp {
  /// Returns the sets of account names that may be signed in instead of the stated accounts; empty if sign-ins do not
  /// affect what the app may do.
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

  /// Returns candidate sets of accounts. A set may occur twice, or contain an account twice.
  private func candidates(_ names: [String], _ scope: LeakScope.SignIns) -> [[String]] {
    let few = [[]] + names.map { [$0] }
    // A single-identity app acts for only one of its accounts, so larger sets add nothing.
    guard description.isMultiIdentity else { return few }
    let stated = specification.signedIn
    let fewer = stated.map { name in stated.filter { $0 != name } }
    let more = names.filter { !stated.contains($0) }.map { stated + [$0] }
    let pairs = scope == .pairs ? names.flatMap { first in names.map { [first, $0] } } : []
    return few + fewer + more + pairs
  }

  /// Returns a copy of the app with only its first guest, and with `accounts` signed in.
  fileprivate func signedIn(_ accounts: [String]) -> ResolvedApp {
    var app = self
    app.specification.name = specification.guests.first ?? specification.name
    app.specification.count = 1
    app.specification.signedIn = accounts
    return app
  }
}
