package import Model
package import Policy

/// The apps of a device, the identities that each may act for, and the device's restrictions.
package struct LeakWorld: Sendable {
  /// Apps as they are when the world begins, then as they may be when somebody has signed in or out.
  package var apps: [App]
  package var device: DeviceRestrictions
  /// Who URLs lead to, in the order of installation: the first that fits.
  package var openers: [Opener]
  /// The sets of accounts with which `apps` has each app, beside the stated one.
  package var signIns: LeakScope.SignIns

  /// A world of `apps` on a device.
  package init(
    apps: [App], device: DeviceRestrictions, openers: [Opener] = [],
    signIns: LeakScope.SignIns = .none
  ) {
    self.signIns = signIns
    self.apps = apps
    self.device = device
    self.openers = openers
  }

  /// An installed app, as far as URLs lead to it.
  package struct Opener: Sendable {
    package var bundleID: String
    /// The URL schemes that it registers, in lower case.
    package var schemes: Set<String>
    /// Its entitlement of associated domains, such as `applinks:example.org`.
    package var domains: [String]
    /// Whether it integrates the Intune App SDK.
    package var integratesSDK: Bool
    /// Whether the organisation lets nobody use it. It gets no URL, and no other app gets those that it claims.
    package var isBanned: Bool
    /// The app's index in the world; nil where the search does not follow it.
    package var app: Int?

    /// An installed app.
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

  /// An app, or an extension that share sheets offer, as it is with some accounts signed in. One app is in a world once
  /// for each set of accounts that may be.
  package struct App: Sendable {
    /// The name of the app's first guest.
    package var name: String
    package var kind: Kind
    /// Who is signed in; nil where nothing about the app depends on that.
    package var signIns: SignIns?
    /// The identities that the app may act for, at least one.
    package var personas: [Persona]
    /// The policy of the app's managed account, whoever the app acts for; nil where it has none.
    package var appPolicy: EffectivePolicy?
    /// Accounts, by UPN in lower case, that a policy is for in the app and that are not signed in there: the app may not
    /// hand on their data.
    package var missing: Set<String>
    /// The keychain groups that the app may use; nil for none.
    package var keychain: KeychainGroups?
    /// The types of items for which share sheets offer an extension.
    package var offered: OfferedTypes

    package enum Kind: Sendable {
      case app
      /// An extension, which is handed items, and hands items back to the apps that start it.
      case `extension`
    }

    /// Uniform types of items for which an extension is offered.
    package struct OfferedTypes: Sendable, Hashable {
      /// Of items under their types.
      package var plain: Set<String>
      /// Of items that the SDK registers under their types' aliases, because a policy restricts who gets them.
      package var aliased: Set<String>

      /// The types for which an extension is offered.
      package init(plain: Set<String>, aliased: Set<String>) {
        self.plain = plain
        self.aliased = aliased
      }

      /// Those of plain text.
      package static let text = OfferedTypes(plain: [Item.plainText], aliased: [Item.plainText])
    }

    /// An app with its identities.
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
  }

  /// The accounts that are signed in to an app.
  package struct SignIns: Sendable, Hashable {
    /// The app to which they are signed in: for an extension the one that contains it.
    package var app: String
    /// The accounts by their names in the scenario, in the order of their sign-in.
    package var accounts: [String]
    package var beginning: Beginning

    package enum Beginning: Sendable {
      /// The world begins with these accounts.
      case stated
      /// Somebody has to sign in or out before.
      case reachable
    }

    /// The accounts that are signed in to `app`.
    package init(app: String, accounts: [String], _ beginning: Beginning) {
      self.app = app
      self.accounts = accounts
      self.beginning = beginning
    }
  }

  /// An app that acts for one of its identities.
  package struct Persona: Sendable {
    /// The account's name, `unknown`, or `unset`, as scenarios name identities; empty in an app that has none.
    package var name: String
    package var party: Party

    /// An app, as `party`, that acts for the identity `name`.
    package init(name: String, party: Party) {
      self.name = name
      self.party = party
    }

    var account: Account? { party.identity.account }
    var owner: Owner { Owner(account: account, policy: party.policy) }
  }
}

extension LeakWorld.App {
  /// Whether the world begins with the accounts that are signed in.
  var isStated: Bool { signIns?.beginning != .reachable }

  /// The app to whose accounts it belongs: itself, or for an extension the one that contains it.
  var family: String { signIns?.app ?? name }

  /// Whether the extension is offered to `party` for an item of a type.
  func isOffered(_ type: String, to party: Party, via path: SharingPath) -> Bool {
    path == .sdk && party.restrictsSending
      ? offered.aliased.contains(type) : offered.plain.contains(type)
  }

  /// Whether both can be on a device at a time: an app and its extension have the same accounts.
  func isPresent(beside other: LeakWorld.App) -> Bool {
    guard let signIns, let others = other.signIns, signIns.app == others.app else { return true }
    return signIns.accounts == others.accounts
  }
}

extension LeakWorld {
  /// The apps as they are when the world begins.
  package var beginning: [App] { apps.filter(\.isStated) }

  /// The types of items between which extensions make a difference, and plain text.
  var types: [String] {
    let offered = apps.filter { $0.kind == .extension }.map(\.offered)
    return offered.reduce(into: Set([Item.plainText])) { $0.formUnion($1.plain.union($1.aliased)) }
      .sorted()
  }

  /// What a search of the world goes through.
  var scope: LeakScope {
    let followed = managedAccounts
    let unfollowed = Self.managedAccounts(in: apps)
      .filter { account in !followed.contains { $0.isSame(as: account) } }
    return LeakScope(
      apps: apps.count(where: \.isStated), signIns: signIns, unfollowed: unfollowed.map(\.upn))
  }

  /// The world while nobody signs in or out.
  var stated: LeakWorld {
    var world = self
    // They come first, so that openers name the same apps.
    world.apps = Array(apps.prefix(while: \.isStated))
    return world
  }

  /// The policies of all personas, each once.
  var policies: [EffectivePolicy] {
    var seen: Set<ObjectIdentifier> = []
    return apps.flatMap(\.personas).compactMap(\.party.policy)
      .filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// The UPNs of accounts by their names in the scenario.
  var accounts: [String: String] {
    let named = apps.flatMap(\.personas).compactMap { persona in
      persona.account.map { (persona.name, $0.upn) }
    }
    return Dictionary(named, uniquingKeysWith: { first, _ in first })
  }

  /// The accounts that a policy manages in some app when the world begins, each once, in the order of the apps; where
  /// there is none, those that may sign in.
  package var managedAccounts: [Account] {
    let accounts = Self.managedAccounts(in: apps.filter(\.isStated))
    return accounts.isEmpty ? Self.managedAccounts(in: apps) : accounts
  }

  private static func managedAccounts(in apps: [App]) -> [Account] {
    var accounts: [Account] = []
    for persona in apps.flatMap(\.personas) where persona.party.isManaged {
      guard let account = persona.account, !accounts.contains(where: { $0.isSame(as: account) })
      else { continue }
      accounts.append(account)
    }
    return accounts
  }
}

// MARK: - Scope

/// How much of a world a search has gone through.
package struct LeakScope: Sendable {
  /// The number of apps and extensions.
  package var apps: Int
  package var signIns: SignIns
  /// The accounts, by UPN, that may sign in and be managed then, and whose data are not followed.
  package var unfollowed: [String] = []
  /// The number of devices: the world's, and those that differ from it.
  package var devices = 1

  package enum SignIns: Sendable, Equatable {
    /// Nobody signs in or out.
    case none
    /// Every set of accounts that differs from the stated one by one account, and no account or one.
    case single
    /// Those, and every set of two accounts.
    case pairs
    /// Nobody signs in or out: there are so many sets of accounts, more than are worth searching.
    case tooMany(Int)
  }

  /// The sign-ins in words; nil: none.
  var signInWords: String? {
    switch signIns {
    case .none, .tooMany: nil
    case .single: "sign-ins and sign-outs of one account, or to one or none"
    case .pairs: "sign-ins and sign-outs of one account, or to two accounts or fewer"
    }
  }

  /// The sign-ins that are left out, in words.
  var otherSignInWords: String {
    switch signIns {
    case .none: "sign-ins"
    case .tooMany(let sets): "sign-ins (\(sets) sets of accounts in all, more than are searched)"
    case .single, .pairs: "other sign-ins, also to apps without the SDK"
    }
  }
}
