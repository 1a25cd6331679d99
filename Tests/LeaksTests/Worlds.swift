import Model
import Policy

@testable import Leaks

/// Creates worlds with few apps.
enum Worlds {
  static let anna = Account(upn: "anna@contoso.com")
  static let ben = Account(upn: "ben@contoso.com")
  static let own = Account(upn: "anna@example.org")

  /// A policy that keeps data in managed apps and blocks all other channels.
  static var strict: Settings {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .managedApps
    settings.allowedOutboundClipboardSharingLevel = .managedAppsWithPasteIn
    settings.saveAsBlocked = true
    settings.printBlocked = true
    return settings
  }

  /// Returns a strict policy with changes.
  static func policy(_ change: (inout Settings) -> Void = { _ in }) -> EffectivePolicy {
    var settings = strict
    change(&settings)
    return EffectivePolicy(settings: settings)
  }

  /// A strict policy that allows sending to all apps.
  static let open = policy { $0.allowedOutboundDataTransferDestinations = .allApps }

  static func persona(
    _ account: Account?, in app: String, _ policy: EffectivePolicy? = nil, isMulti: Bool = false
  ) -> LeakWorld.Persona {
    let name =
      account.map { String($0.upn.prefix { $0 != "@" }) } ?? (isMulti ? "unknown" : "")
    let suffix = account?.isSameUser(as: own) == true ? "-own" : ""
    return LeakWorld.Persona(
      name: name + suffix,
      party: Party(
        app: AppState(
          bundleID: "com.example.\(app)", isMultiIdentity: isMulti, linksSDK: policy != nil),
        identity: account.map(Identity.account) ?? (isMulti ? .unknown : .unset), policy: policy))
  }

  /// Returns a single-identity app.
  static func app(
    _ name: String, _ account: Account? = nil, _ policy: EffectivePolicy? = nil
  ) -> LeakWorld.App {
    LeakWorld.App(name: name, personas: [persona(account, in: name, policy)], appPolicy: policy)
  }

  /// Returns a single-identity extension.
  static func plugIn(
    _ name: String, _ account: Account? = nil, _ policy: EffectivePolicy? = nil,
    offered: LeakWorld.App.OfferedTypes = .text
  ) -> LeakWorld.App {
    var app = app(name, account, policy)
    app.kind = .extension
    app.offered = offered
    return app
  }

  /// Returns an app with a managed and a personal account.
  static func multi(
    _ name: String, _ account: Account, _ policy: EffectivePolicy
  ) -> LeakWorld.App {
    LeakWorld.App(
      name: name,
      personas: [
        persona(account, in: name, policy, isMulti: true), persona(own, in: name, isMulti: true),
      ], appPolicy: policy)
  }

  /// Returns an app with the SDK that is signed out.
  static func signedOut(_ app: LeakWorld.App) -> LeakWorld.App {
    let isMulti = app.personas[0].party.app.isMultiIdentity
    var out = LeakWorld.App(
      name: app.name, personas: [persona(nil, in: app.name, isMulti: isMulti)],
      keychain: app.keychain)
    out.personas[0].party.app.linksSDK = true
    return out
  }

  /// Returns the app with all its accounts signed in.
  static func signedIn(
    _ app: LeakWorld.App, _ beginning: LeakWorld.SignIns.Beginning
  ) -> LeakWorld.App {
    var app = app
    let names = app.personas.filter { $0.account != nil }.map(\.name)
    app.signIns = LeakWorld.SignIns(app: app.name, accounts: names, beginning)
    return app
  }

  /// Returns the keychain groups of an app: its own group, and a group of its team.
  static func keychain(_ app: String, _ group: String) -> KeychainGroups? {
    try? KeychainGroups(
      team: "TEAM", accessGroups: ["TEAM.\(group)"],
      applicationIdentifier: "TEAM.com.example.\(app)")
  }

  static func world(_ apps: LeakWorld.App...) -> LeakWorld {
    LeakWorld(apps: apps, device: DeviceRestrictions(), openers: openers(apps))
  }

  /// Returns all apps as URL openers.
  ///
  /// - Parameter domains: The associated domains of apps, by name.
  static func openers(
    _ apps: [LeakWorld.App], domains: [String: [String]] = [:]
  ) -> [LeakWorld.Opener] {
    apps.enumerated().map { index, app in
      let state = app.personas[0].party.app
      return LeakWorld.Opener(
        bundleID: state.bundleID, schemes: state.schemes, domains: domains[app.name] ?? [],
        integratesSDK: state.linksSDK, app: app.kind == .app ? index : nil)
    }
  }
}

extension LeakReport {
  /// The apps that the data reaches, with the number of hops to each app.
  var apps: [String: Int] {
    var found: [String: Int] = [:]
    for leak in leaks {
      if case .app = leak.sink { found[leak.sink.name] = leak.hops.count - 1 }
    }
    return found
  }
}
