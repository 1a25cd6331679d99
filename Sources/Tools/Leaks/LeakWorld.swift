package import Model
package import Policy

/// A device's apps, their possible identities, and the device's restrictions.
package struct LeakWorld: Sendable {
  /// The apps in their initial state, followed by their variants after sign-ins and sign-outs.
  package var apps: [App]
  package var device: DeviceRestrictions
  /// The apps that can open URLs, in the order of installation. The first app that matches a URL opens it.
  package var openers: [Opener]
  /// The sets of signed-in accounts that `apps` covers in addition to the initial set.
  package var signIns: LeakScope.SignIns

  package init(
    apps: [App], device: DeviceRestrictions, openers: [Opener] = [],
    signIns: LeakScope.SignIns = .none
  ) {
    self.signIns = signIns
    self.apps = apps
    self.device = device
    self.openers = openers
  }

  /// An installed app as a receiver of URLs.
  package struct Opener: Sendable {
    package var bundleID: String
    /// The registered URL schemes, in lower case.
    package var schemes: Set<String>
    /// The associated-domains entitlement, with entries such as `applinks:example.org`.
    package var domains: [String]
    package var integratesSDK: Bool
    /// Whether the organisation bans the app. No app gets the URLs that a banned app claims.
    package var isBanned: Bool
    /// The app's index in the world; nil if the search does not follow the app.
    package var app: Int?

    package init(
      bundleID: String, schemes: Set<String>, domains: [String], integratesSDK: Bool,
      isBanned: Bool = false, app: Int?
    ) {
      self.bundleID = bundleID
      self.schemes = schemes
      self.domains = domains
      self.integratesSDK = integratesSDK
      self.isBanned = isBanned
      self.app = app
    }
  }

  /// An app, or an extension that share sheets offer, with a particular set of signed-in accounts. A world
  /// contains an app once for each possible set.
  package struct App: Sendable {
    /// The name of the app's first guest.
    package var name: String
    package var kind: Kind
    /// The signed-in accounts; nil if the app does not depend on them.
    package var signIns: SignIns?
    /// The identities that the app may act for; at least one.
    package var personas: [Persona]
    /// The policy of the app's managed account, regardless of the acting identity; nil if there is none.
    package var appPolicy: EffectivePolicy?
    /// The UPNs, in lower case, of accounts that have a policy in the app but are not signed in to it. The app must not
    /// send their data.
    package var missing: Set<String>
    /// The keychain groups that the app may use; nil if none.
    package var keychain: KeychainGroups?
    package var offered: OfferedTypes

    package enum Kind: Sendable {
      case app
      /// An extension, which receives items and returns items to the app that started it.
      case `extension`
    }

    /// The uniform types of items for which an extension is offered.
    package struct OfferedTypes: Sendable, Hashable {
      /// The item types for which the extension is offered if items are registered under their own types.
      package var plain: Set<String>
      /// The item types for which the extension is offered if the SDK registers items under alias types, because a
      /// policy restricts their receivers.
      package var aliased: Set<String>

      package init(plain: Set<String>, aliased: Set<String>) {
        self.plain = plain
        self.aliased = aliased
      }

      package static let text = OfferedTypes(plain: [Item.plainText], aliased: [Item.plainText])
    }

    package init(
      name: String, kind: Kind = .app, personas: [Persona], signIns: SignIns? = nil,
      appPolicy: EffectivePolicy? = nil, missing: Set<String> = [],
      keychain: KeychainGroups? = nil, offered: OfferedTypes = .text
    ) {
      self.offered = offered
      self.signIns = signIns
      self.missing = missing
      self.keychain = keychain
      self.name = name
      self.kind = kind
      self.personas = personas
      self.appPolicy = appPolicy
    }

    /// Whether the accounts are the initial ones. This is also true if the app does not depend on accounts.
    var isStated: Bool { signIns?.beginning != .reachable }

    /// The name of the app that has the accounts: the app itself or, for an extension, its containing app.
    var family: String { signIns?.app ?? name }

    /// Returns whether one of the app's identities receives data without an owner. The app's unmanaged identities then
    /// do not receive such data.
    func takesUnownedData(on device: DeviceRestrictions) -> Bool {
      kind == .app && personas.contains { $0.party.takesUnownedData(on: device) }
    }

    /// Returns whether the extension is offered to `party` for an item of a type.
    func isOffered(_ type: String, to party: Party, via path: SharingPath) -> Bool {
      path == .sdk && party.restrictsSending
        ? offered.aliased.contains(type) : offered.plain.contains(type)
    }

    /// Returns whether this app and `other` can be on a device at the same time. An app and its extensions
    /// have the same accounts.
    func isPresent(beside other: LeakWorld.App) -> Bool {
      guard let signIns, let others = other.signIns, signIns.app == others.app else { return true }
      return signIns.accounts == others.accounts
    }
  }

  package struct SignIns: Sendable, Hashable {
    /// The app to which the accounts are signed in. For an extension, this is its containing app.
    package var app: String
    /// The accounts by their names in the scenario, in the order of their sign-ins.
    package var accounts: [String]
    package var beginning: Beginning

    package enum Beginning: Sendable {
      /// The accounts that are signed in initially.
      case stated
      /// Accounts that can result from sign-ins and sign-outs.
      case reachable
    }

    package init(app: String, accounts: [String], _ beginning: Beginning) {
      self.app = app
      self.accounts = accounts
      self.beginning = beginning
    }
  }

  /// An app that acts for one of its identities.
  package struct Persona: Sendable {
    /// The account's name, `unknown` or `unset`, as in scenarios; empty in an app without identities.
    package var name: String
    /// The persona as a sender or receiver. Whether the party restricts saving depends on no property of the persona
    /// other than its account.
    package var party: Party

    package init(name: String, party: Party) {
      self.name = name
      self.party = party
    }

    var account: Account? { party.identity.account }
    var owner: Owner { Owner(account: account, policy: party.policy) }
  }

  package var beginning: [App] { apps.filter(\.isStated) }

  /// Plain text and the item types that affect whether an extension is offered.
  var types: [String] {
    let offered = apps.filter { $0.kind == .extension }.map(\.offered)
    return offered.reduce(into: Set([Item.plainText])) { $0.formUnion($1.plain.union($1.aliased)) }
      .sorted()
  }

  var scope: LeakScope {
    let followed = managedAccounts
    let unfollowed = Self.managedAccounts(in: apps)
      .filter { account in !followed.contains { $0.isSameUser(as: account) } }
    return LeakScope(
      apps: apps.count(where: \.isStated), signIns: signIns, unfollowed: unfollowed.map(\.upn))
  }

  /// The world without sign-ins and sign-outs.
  var stated: LeakWorld {
    var world = self
    // Initial apps come first, so the openers' indices stay valid.
    world.apps = Array(apps.prefix(while: \.isStated))
    return world
  }

  /// The policies of all personas, without duplicates.
  var policies: [EffectivePolicy] {
    var seen: Set<ObjectIdentifier> = []
    return apps.flatMap(\.personas).compactMap(\.party.policy)
      .filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// The UPNs of accounts, by their names in the scenario.
  var accounts: [String: String] {
    let named = apps.flatMap(\.personas).compactMap { persona in
      persona.account.map { (persona.name, $0.upn) }
    }
    return Dictionary(named, uniquingKeysWith: { first, _ in first })
  }

  /// The accounts that a policy initially manages in some app, in the order of the apps, without duplicates.
  /// If there are none, the accounts that may sign in.
  package var managedAccounts: [Account] {
    let accounts = Self.managedAccounts(in: apps.filter(\.isStated))
    return accounts.isEmpty ? Self.managedAccounts(in: apps) : accounts
  }

  private static func managedAccounts(in apps: [App]) -> [Account] {
    var accounts: [Account] = []
    for persona in apps.flatMap(\.personas) where persona.party.isManaged {
      guard let account = persona.account, !accounts.contains(where: { $0.isSameUser(as: account) })
      else { continue }
      accounts.append(account)
    }
    return accounts
  }
}

// MARK: - Scope

/// The extent of a search.
package struct LeakScope: Sendable {
  /// The number of apps and extensions.
  package var apps: Int
  package var signIns: SignIns
  /// The UPNs of accounts that may sign in and then be managed. The search does not follow their data.
  package var unfollowed: [String] = []
  /// The number of searched devices: the scenario's device and its variants.
  package var devices = 1

  package enum SignIns: Sendable, Equatable {
    case none
    /// Sets of signed-in accounts that differ from the initial set by one account, and all sets with at most one
    /// account.
    case single
    /// As `single`, plus all sets of two signed-in accounts.
    case pairs
    /// No sign-ins or sign-outs, because there are too many sets of accounts to search. The value is the number of
    /// sets.
    case tooMany(Int)
  }

  /// The sign-ins that the search covers, as text; nil if there are none.
  var signInWords: String? {
    switch signIns {
    case .none, .tooMany: nil
    case .single:
      "sign-ins and sign-outs that add or remove one account, or result in at most one account"
    case .pairs:
      "sign-ins and sign-outs that add or remove one account, or result in at most two accounts"
    }
  }

  /// The sign-ins that the search omits, as text.
  var otherSignInWords: String {
    switch signIns {
    case .none: "sign-ins"
    case .tooMany(let sets): "sign-ins (\(sets) sets of accounts exceed the search limit)"
    case .single, .pairs: "other sign-ins, including those to apps without the SDK"
    }
  }
}
