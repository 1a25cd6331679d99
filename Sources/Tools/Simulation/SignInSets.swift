internal import Host
internal import Leaks
internal import Model
internal import Scenario

/// The sets of accounts that may be signed in to the apps of a scenario, beside the stated ones.
struct SignInSets {
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
  func contains(_ other: InstalledApp) -> Bool {
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
