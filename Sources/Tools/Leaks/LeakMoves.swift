import Model
import Policy

/// What apps, and their users, can do with one account's data: the moves of a search.
struct LeakMoves {
  let world: LeakWorld
  let behaviour: LeakSearch.Behaviour
  /// The account whose data are followed.
  let owner: Account
  /// The apps that may use each keychain group.
  let members: [String: [Int]]
  /// One app with each set of accounts, by its name.
  let variants: [String: [Int]]
  /// The extensions that act for managed accounts; of others, nothing is followed on.
  let plugIns: [Int]
  /// Whether data are followed through apps and locations that no policy protects.
  let isFollowing: Bool
  /// The apps and extensions in which data may begin, by name; nil: in all.
  private let origins: Set<String>?
  /// Where URLs lead.
  let links: LeakLinks
  /// The types of items that are told apart.
  let types: [String]
  /// The accounts of the world, by UPN in lower case.
  private let accounts: [String: Account]

  /// - Parameter origins: the apps and extensions in which data begin that are followed also once they are out; nil:
  ///   data begin in all, and are followed no further than out.
  init(of owner: Account, in search: LeakSearch, followingFrom origins: Set<String>? = nil) {
    self.origins = origins
    let follows = origins != nil
    isFollowing = follows
    world = search.world
    behaviour = search.behaviour
    links = search.links
    var members: [String: [Int]] = [:]
    for (index, app) in world.apps.enumerated() where app.kind == .app {
      for group in app.keychain?.groups ?? [] { members[group, default: []].append(index) }
    }
    self.members = members
    plugIns = world.apps.indices.filter { [apps = world.apps] index in
      apps[index].kind == .extension
        && (follows || apps[index].personas.contains(where: \.party.isManaged))
    }
    variants = Dictionary(grouping: world.apps.indices) { [apps = world.apps] in apps[$0].name }
    self.owner = owner
    types = world.types
    accounts = Dictionary(
      world.apps.flatMap(\.personas).compactMap(\.account).map { ($0.upn.lowercased(), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The forms that data may have under a tag.
  var tagged: [Possession.Form] {
    ([""] + accounts.keys.sorted()).flatMap { owner in
      types.map { .tagged(owner: owner, type: $0) }
    }
  }

  /// Where the data may begin: in each app and extension, as the account's own content.
  var beginnings: [(state: Possession, hop: LeakHop)] {
    world.apps.indices.filter { origins?.contains(world.apps[$0].name) ?? true }.flatMap { index in
      let app = world.apps[index]
      return app.personas.indices.filter {
        app.personas[$0].party.isManaged
          && app.personas[$0].account?.isSame(as: owner) == true
      }.map { number in
        (
          Possession(app: index, form: .own(persona: number)),
          LeakHop(app: app.name, persona: app.personas[number].name, action: .made)
        )
      }
    }
  }

  // MARK: who moves the data

  /// Somebody who hands the data on, and whose they are by then.
  struct Sender {
    /// The app's index, and the persona's.
    var index: Int
    var number: Int
    var app: LeakWorld.App
    var owner: Owner
    /// The types that the item may have.
    var types: [String]
    var persona: LeakWorld.Persona { app.personas[number] }
  }

  func senders(of state: Possession) -> [Sender] {
    let app = world.apps[state.app]
    switch state.form {
    case .own(let number):
      return [
        Sender(
          index: state.app, number: number, app: app, owner: app.personas[number].owner,
          types: types)
      ]
    case .tagged(let upn, let type):
      guard let owner = self.owner(upn, in: app) else { return [] }
      return app.personas.indices.map {
        Sender(index: state.app, number: $0, app: app, owner: owner, types: [type])
      }
    }
  }

  /// The owner that a tag states, under the policy in the app that hands the item on; nil where the app may not, because
  /// the owner, for whom it has a policy, is not signed in there.
  private func owner(_ upn: String, in app: LeakWorld.App) -> Owner? {
    guard !upn.isEmpty else { return Owner() }
    if let own = app.personas.first(where: { $0.account?.upn.lowercased() == upn }) {
      return own.owner
    }
    guard !app.missing.contains(upn) else { return nil }
    return Owner(account: accounts[upn])
  }

  // MARK: moves

  /// The other forms that the data take when they are entered anew.
  func retypings(of state: Possession) -> [Possession] {
    // An app without the SDK knows no tags.
    let ignoresTags =
      isFollowing && world.apps[state.app].personas.allSatisfy { !$0.party.app.linksSDK }
    guard behaviour != .honest || ignoresTags else { return [] }
    return world.apps[state.app].personas.indices
      .map { Possession(app: state.app, form: .own(persona: $0)) }.filter { $0 != state }
  }

  /// The data as they are after somebody has signed in to their app, or out of it: what is an account's goes with it.
  func signInChanges(of state: Possession) -> [(state: Possession, hop: LeakHop)] {
    let app = world.apps[state.app]
    // The run of an extension is over, and with it the tag.
    if case (.extension, .tagged) = (app.kind, state.form) { return [] }
    return variants(besides: state.app).compactMap { index in
      guard let before = app.signIns, let after = world.apps[index].signIns,
        let form = state.form.kept(from: app, to: world.apps[index])
      else { return nil }
      return (Possession(app: index, form: form), before.change(to: after))
    }
  }

  /// What hostile apps remember of data after their account has gone, and enter anew.
  func memories(of state: Possession) -> [Arrival] {
    let app = world.apps[state.app]
    // No wipe removes what belongs to no managed account.
    let isOutside =
      if case .own(let number) = state.form { !app.personas[number].party.isManaged } else { false }
    guard behaviour == .hostile || behaviour == .careless && isOutside, app.kind == .app else {
      return []
    }
    return variants(besides: state.app)
      .filter { state.form.kept(from: app, to: world.apps[$0]) == nil }
      .flatMap { index in
        world.apps[index].personas.enumerated().map { number, persona in
          Arrival(
            app: index, persona: number,
            hop: LeakHop(app: app.name, persona: persona.name, action: .retyped))
        }
      }
  }

  /// The same app with other accounts.
  private func variants(besides index: Int) -> [Int] {
    (variants[world.apps[index].name] ?? []).filter { $0 != index }
  }

  /// The ways to another persona of the sender's app.
  func pastes(of sender: Sender) -> [LeakHop.Transfer] {
    sender.types.map { LeakHop.Transfer(channel: .clipboard, via: .sdk, type: $0) }
  }

  /// The ways from one app to another.
  private static let transfers: [LeakHop.Transfer] = [
    .init(channel: .share, via: .sdk), .init(channel: .share, via: .os),
    .init(channel: .openIn, via: .sdk), .init(channel: .openIn, via: .os),
    .init(channel: .dragAndDrop, via: .sdk), .init(channel: .clipboard, via: .sdk),
  ]

  /// The ways from a sender to an app, or to an extension that it is offered.
  func transfers(from sender: Sender, to app: LeakWorld.App) -> [LeakHop.Transfer] {
    switch (sender.app.kind, app.kind) {
    case (.app, .app):
      Self.transfers.flatMap { transfer in sender.types.map { transfer.moving($0) } }
    case (.app, .extension): shares(of: sender.types, from: sender.persona, with: app)
    // With which an app has started it.
    case (.extension, .app): Self.results
    case (.extension, .extension): []
    }
  }

  /// The request of a transfer to a persona of an app.
  func request(
    _ transfer: LeakHop.Transfer, from sender: Sender, to receiver: LeakWorld.Persona
  ) -> TransferRequest {
    TransferRequest(
      channel: transfer.channel, via: transfer.channel == .extensionResult ? .sdk : transfer.via,
      sender: sender.persona.party, owner: sender.owner, receiver: receiver.party,
      content: Content(characters: transfer.channel == .clipboard ? LeakSearch.characters : nil),
      device: world.device)
  }

  /// The data as they are at the receiver of a transfer that is allowed.
  func arrival(
    of request: TransferRequest, _ type: String, becomesReceivers: Bool, at index: Int
  ) -> Possession {
    let account = becomesReceivers ? request.receiver.identity.account : request.owner.account
    return Possession(app: index, form: .tagged(owner: account?.upn.lowercased() ?? "", type: type))
  }

  /// What data may be moved to, as far as it can be on a device beside the sender: other apps, and extensions.
  func receivers(of sender: Sender) -> [(index: Int, app: LeakWorld.App)] {
    world.apps.enumerated().filter {
      $1.name != sender.app.name && $1.isPresent(beside: sender.app)
    }
    .map { ($0, $1) }
  }

  /// The places outside of all apps to which a sender may hand data, with the party at a storage location.
  func places(for sender: Sender) -> [(outside: LeakHop.Outside, party: Party)] {
    let features = Channel.allCases.filter {
      $0.counterpart == .system && !$0.isIncoming && $0 != .fileEncryption
    }
    let system = features.map { (LeakHop.Outside(channel: $0), Party.system) }
    let locations = StorageLocation.saveLocations.flatMap { location in
      holders(of: location, in: sender.app).map {
        (LeakHop.Outside(channel: .saveTo, location: location, account: $0.name), $0.party)
      }
    }
    return system + locations
  }

  /// The accounts that a storage location may belong to: each of the app's own, an unknown one, and none.
  private func holders(
    of location: StorageLocation, in app: LeakWorld.App
  ) -> [(name: String, party: Party)] {
    guard let any = app.personas.first else { return [] }
    func stranger(_ identity: Identity) -> Party { Party(app: any.party.app, identity: identity) }
    let none = ("unset", stranger(.unset))
    guard location.hasAccount else { return [none] }
    return app.personas.filter { $0.account != nil }.map { ($0.name, $0.party) }
      + [("unknown", stranger(.unknown)), none]
  }

  /// The request of a hand-off to a place outside.
  func request(
    _ outside: LeakHop.Outside, of party: Party, from sender: Sender
  ) -> TransferRequest {
    TransferRequest(
      channel: outside.channel, sender: sender.persona.party, owner: sender.owner,
      receiver: party, appPolicy: sender.app.appPolicy,
      content: Content(
        characters: LeakSearch.characters, location: outside.location,
        isExternalPage: outside.channel == .webView),
      device: world.device)
  }
}

extension Possession.Form {
  /// The same data in an app after its accounts have changed; nil where they have gone with their account.
  fileprivate func kept(from app: LeakWorld.App, to other: LeakWorld.App) -> Self? {
    switch self {
    case .own(let number):
      let name = app.personas[number].name
      let isManaged = app.personas[number].party.isManaged
      return other.personas.firstIndex {
        $0.name == name && ($0.party.isManaged || !isManaged)
      }.map(Self.own)
    case .tagged(let upn, _):
      func has(_ app: LeakWorld.App) -> Bool {
        app.personas.contains { $0.account?.upn.lowercased() == upn }
      }
      return has(app) && !has(other) ? nil : self
    }
  }
}

extension LeakWorld.SignIns {
  /// The hop by which other accounts are signed in.
  func change(to other: LeakWorld.SignIns) -> LeakHop {
    let change = LeakHop.SignInChange(
      out: accounts.filter { !other.accounts.contains($0) },
      in: other.accounts.filter { !accounts.contains($0) })
    return LeakHop(app: app, persona: "", action: .signIns(change))
  }
}
