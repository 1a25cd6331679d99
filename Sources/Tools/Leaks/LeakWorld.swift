public import Model
public import Policy

/// The apps of a device, the identities that each may act for, and the device's restrictions.
public struct LeakWorld: Sendable {
  /// Apps as they are when the world begins, then as they may be when somebody has signed in or out.
  public var apps: [App]
  public var device: DeviceRestrictions
  /// Who URLs lead to, in the order of installation: the first that fits.
  public var openers: [Opener]
  /// The sets of accounts with which `apps` has each app, beside the stated one.
  public var signIns: LeakScope.SignIns

  /// A world of `apps` on a device.
  public init(
    apps: [App], device: DeviceRestrictions, openers: [Opener] = [],
    signIns: LeakScope.SignIns = .none
  ) {
    self.signIns = signIns
    self.apps = apps
    self.device = device
    self.openers = openers
  }

  /// An installed app, as far as URLs lead to it.
  public struct Opener: Sendable {
    public var bundleID: String
    /// The URL schemes that it registers, in lower case.
    public var schemes: Set<String>
    /// Its entitlement of associated domains, such as `applinks:example.org`.
    public var domains: [String]
    /// Whether it integrates the Intune App SDK.
    public var integratesSDK: Bool
    /// Whether the organisation lets nobody use it. It gets no URL, and no other app gets those that it claims.
    public var isBanned: Bool
    /// The app's index in the world; nil where the search does not follow it.
    public var app: Int?

    /// An installed app.
    public init(
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
  public struct App: Sendable {
    /// The name of the app's first guest.
    public var name: String
    public var kind: Kind
    /// Who is signed in; nil where nothing about the app depends on that.
    public var signIns: SignIns?
    /// The identities that the app may act for, at least one.
    public var personas: [Persona]
    /// The policy of the app's managed account, whoever the app acts for; nil where it has none.
    public var appPolicy: EffectivePolicy?
    /// Accounts, by UPN in lower case, that a policy is for in the app and that are not signed in there: the app may not
    /// hand on their data.
    public var missing: Set<String>
    /// The keychain groups that the app may use; nil for none.
    public var keychain: KeychainGroups?
    /// The types of items for which share sheets offer an extension.
    public var offered: OfferedTypes

    public enum Kind: Sendable {
      case app
      /// An extension, which is handed items, and hands items back to the apps that start it.
      case `extension`
    }

    /// Uniform types of items for which an extension is offered.
    public struct OfferedTypes: Sendable, Hashable {
      /// Of items under their types.
      public var plain: Set<String>
      /// Of items that the SDK registers under their types' aliases, because a policy restricts who gets them.
      public var aliased: Set<String>

      /// The types for which an extension is offered.
      public init(plain: Set<String>, aliased: Set<String>) {
        self.plain = plain
        self.aliased = aliased
      }

      /// Those of plain text.
      public static let text = OfferedTypes(plain: [Item.plainText], aliased: [Item.plainText])
    }

    /// An app with its identities.
    public init(
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
  public struct SignIns: Sendable, Hashable {
    /// The app to which they are signed in: for an extension the one that contains it.
    public var app: String
    /// The accounts by their names in the scenario, in the order of their sign-in.
    public var accounts: [String]
    public var beginning: Beginning

    public enum Beginning: Sendable {
      /// The world begins with these accounts.
      case stated
      /// Somebody has to sign in or out before.
      case reachable
    }

    /// The accounts that are signed in to `app`.
    public init(app: String, accounts: [String], _ beginning: Beginning) {
      self.app = app
      self.accounts = accounts
      self.beginning = beginning
    }
  }

  /// An app that acts for one of its identities.
  public struct Persona: Sendable {
    /// The account's name, `unknown`, or `unset`, as scenarios name identities; empty in an app that has none.
    public var name: String
    public var party: Party

    /// An app, as `party`, that acts for the identity `name`.
    public init(name: String, party: Party) {
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

  /// The UPNs of accounts by their names in the scenario.
  var accounts: [String: String] {
    let named = apps.flatMap(\.personas).compactMap { persona in
      persona.account.map { (persona.name, $0.upn) }
    }
    return Dictionary(named, uniquingKeysWith: { first, _ in first })
  }

  /// The accounts that a policy manages in some app when the world begins, each once, in the order of the apps; where
  /// there is none, those that may sign in.
  public var managedAccounts: [Account] {
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
