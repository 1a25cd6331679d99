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
  /// Where URLs lead.
  let links: LeakLinks
  /// The accounts of the world, by UPN in lower case.
  private let accounts: [String: Account]

  init(of owner: Account, in search: LeakSearch) {
    world = search.world
    behaviour = search.behaviour
    links = search.links
    var members: [String: [Int]] = [:]
    for (index, app) in world.apps.enumerated() where app.kind == .app {
      for group in app.keychain?.groups ?? [] { members[group, default: []].append(index) }
    }
    self.members = members
    self.owner = owner
    accounts = Dictionary(
      world.apps.flatMap(\.personas).compactMap(\.account).map { ($0.upn.lowercased(), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The owners that tags may state, by UPN in lower case.
  var tags: [String] { [""] + accounts.keys.sorted() }

  /// Where the data may begin: in each app, as the account's own content.
  var beginnings: [(state: Possession, hop: LeakHop)] {
    world.apps.indices.filter { world.apps[$0].kind == .app }.flatMap { index in
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
    var persona: LeakWorld.Persona { app.personas[number] }
  }

  func senders(of state: Possession) -> [Sender] {
    let app = world.apps[state.app]
    switch state.form {
    case .own(let number):
      return [Sender(index: state.app, number: number, app: app, owner: app.personas[number].owner)]
    case .tagged(let upn):
      guard let owner = self.owner(upn, in: app) else { return [] }
      return app.personas.indices.map {
        Sender(index: state.app, number: $0, app: app, owner: owner)
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
    guard behaviour == .careless else { return [] }
    return world.apps[state.app].personas.indices
      .map { Possession(app: state.app, form: .own(persona: $0)) }.filter { $0 != state }
  }

  static let paste = LeakHop.Transfer(channel: .clipboard, via: .sdk)

  /// The ways from one app to another.
  private static let transfers: [LeakHop.Transfer] = [
    .init(channel: .share, via: .sdk), .init(channel: .share, via: .os),
    .init(channel: .openIn, via: .sdk), .init(channel: .openIn, via: .os),
    .init(channel: .dragAndDrop, via: .sdk), paste,
  ]

  /// The ways to an app, or to an extension, which is shared with.
  static func transfers(to app: LeakWorld.App) -> ArraySlice<LeakHop.Transfer> {
    app.kind == .app ? transfers[...] : transfers.prefix { $0.channel == .share }
  }

  /// The request of a transfer to a persona of an app.
  func request(
    _ transfer: LeakHop.Transfer, from sender: Sender, to receiver: LeakWorld.Persona
  ) -> TransferRequest {
    TransferRequest(
      channel: transfer.channel, via: transfer.via, sender: sender.persona.party,
      owner: sender.owner, receiver: receiver.party,
      content: Content(characters: transfer.channel == .clipboard ? LeakSearch.characters : nil),
      device: world.device)
  }

  /// The data as they are at the receiver of a transfer that is allowed.
  func arrival(
    of request: TransferRequest, becomesReceivers: Bool, at index: Int
  ) -> Possession {
    let account = becomesReceivers ? request.receiver.identity.account : request.owner.account
    return Possession(app: index, form: .tagged(owner: account?.upn.lowercased() ?? ""))
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
