import Model
import Policy

/// What an app has of somebody's data: a state of the search.
struct Possession: Hashable {
  /// The app's index in the world.
  var app: Int
  var form: Form

  /// The form in which an app has data, by which rules tell whose they are when the app hands them on.
  enum Form: Hashable {
    /// As an item of a type under a tag that states this owner, by UPN in lower case; `""` for nobody.
    case tagged(owner: String, type: String)
    /// As content of the app's own, for the persona of that index, which makes an item of any type of it.
    case own(persona: Int)
  }
}

/// Data that come somewhere by a move, as one of an app's personas has them then.
struct Arrival {
  var app: Int
  var persona: Int
  var hop: LeakHop

  /// The data, as what the persona has of its own: nothing tells where they came from.
  var state: Possession { Possession(app: app, form: .own(persona: persona)) }
}

/// What apps, and their users, can do with one account's data: the moves of a search.
struct LeakMoves {
  let world: LeakWorld
  private let behaviour: LeakSearch.Behaviour
  /// The account whose data are followed.
  let owner: Account
  /// The apps that may use each keychain group.
  private let members: [String: [Int]]
  /// One app with each set of accounts, by its name.
  let variants: [String: [Int]]
  /// The extensions that act for managed accounts; of others, nothing is followed on.
  private let plugIns: [Int]
  /// Whether data are followed through apps and locations that no policy protects.
  let isFollowing: Bool
  /// The apps and extensions in which data may begin, by name; nil: in all.
  private let origins: Set<String>?
  /// Where URLs lead.
  let links: LeakLinks
  /// The types of items that are told apart.
  private let types: [String]
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

// MARK: - Extensions

/// What extensions were handed, and hand back: an extension runs for one share, and its results go to the app that shares.
/// An app starts it with content of its own, or with the data themselves.
extension LeakMoves {
  /// The ways back from an extension, by those in which it may be started.
  static let results = [
    LeakHop.Transfer(channel: .extensionResult, via: .sdk),
    LeakHop.Transfer(channel: .extensionResult, via: .os),
  ]

  /// The shares by which items of some types start an extension.
  private func shares(
    of types: [String], from sender: LeakWorld.Persona, with plugIn: LeakWorld.App
  ) -> [LeakHop.Transfer] {
    [SharingPath.sdk, .os].flatMap { path in
      types.filter { plugIn.isOffered($0, to: sender.party, via: path) }
        .map { LeakHop.Transfer(channel: .share, via: path, type: $0) }
    }
  }

  /// The share of its own content by which an app starts the extension, so that it may hand something back; nil where it
  /// is not offered.
  func start(
    of plugIn: Sender, by caller: LeakWorld.Persona, for result: LeakHop.Transfer
  ) -> (share: LeakHop.Transfer, request: TransferRequest)? {
    let share = shares(of: types, from: caller, with: plugIn.app).first { $0.via == result.via }
    return share.map { share in
      let request = TransferRequest(
        channel: .share, via: share.via, sender: caller.party, owner: caller.owner,
        receiver: plugIn.persona.party, device: world.device)
      return (share, request)
    }
  }

  /// The answers of the rules to a transfer from one persona to another, each by its app and number.
  typealias Answers = (
    LeakHop.Transfer, _ from: (app: Int, persona: Int), _ to: (app: Int, persona: Int),
    TransferRequest
  ) -> VerdictClasses.Answer

  /// The data as they are once a sender has shared them with an extension, and that has handed them back at once.
  func echoes(of sender: Sender, _ answers: Answers) -> [(state: Possession, hop: LeakHop)] {
    plugIns.filter { world.apps[$0].isPresent(beside: sender.app) }.flatMap { index in
      world.apps[index].personas.indices.flatMap { number in
        shares(of: sender.types, from: sender.persona, with: world.apps[index]).flatMap { share in
          echoes(of: sender, by: share, through: (index, number), answers)
        }
      }
    }
  }

  private func echoes(
    of sender: Sender, by share: LeakHop.Transfer, through place: (app: Int, persona: Int),
    _ answers: Answers
  ) -> [(state: Possession, hop: LeakHop)] {
    let plugIn = world.apps[place.app]
    let persona = plugIn.personas[place.persona]
    let here = (app: sender.index, persona: sender.number)
    let handing = request(share, from: sender, to: persona)
    let answer = answers(share, here, place, handing)
    guard answer.isAllowed else { return [] }
    let handed = arrival(
      of: handing, share.type, becomesReceivers: answer.becomesReceivers, at: place.app)
    let typed = Possession(app: place.app, form: .own(persona: place.persona))
    let states =
      [(handed, LeakHop.Echo.Content.received)]
      + (behaviour == .honest ? [] : [(typed, .retyped)])
    return states.flatMap { state, content in
      senders(of: state).filter { $0.number == place.persona }.compactMap { plugIn in
        let returning = request(Self.results[0], from: plugIn, to: sender.persona)
        let answer = answers(Self.results[0], place, here, returning)
        guard answer.isAllowed else { return nil }
        let echo = LeakHop.Echo(
          name: plugIn.app.name, persona: persona.name, share: share, content: content)
        return (
          arrival(
            of: returning, share.type, becomesReceivers: answer.becomesReceivers, at: sender.index),
          LeakHop(
            app: sender.app.name, persona: sender.persona.name,
            action: .echo(echo, as: sender.persona.name), plugIn: place.app,
            requests: [handing, returning])
        )
      }
    }
  }

  /// The hop of a transfer that is allowed; of a result with the share that has started its extension.
  func hop(
    _ transfer: LeakHop.Transfer, _ request: TransferRequest, from sender: Sender,
    to app: LeakWorld.App, _ receiver: LeakWorld.Persona
  ) -> LeakHop {
    var (start, requests) = (transfer, [request])
    if transfer.channel == .extensionResult,
      let (share, request) = self.start(of: sender, by: receiver, for: transfer)
    {
      start.type = share.type
      requests.insert(request, at: 0)
    }
    return LeakHop(
      app: sender.app.name, persona: sender.persona.name,
      action: .transfer(start, to: app.name, as: receiver.name), requests: requests)
  }

  /// The app that contains an extension without a policy, and gets what the extension stores in their shared container.
  func containers(of plugIn: Sender) -> [Arrival] {
    guard isFollowing, !plugIn.persona.party.isManaged,
      let bundleID = plugIn.persona.party.app.containingApp?.lowercased()
    else { return [] }
    return world.apps.indices.flatMap { index -> [Arrival] in
      let app = world.apps[index]
      guard app.kind == .app, app.isPresent(beside: plugIn.app),
        app.personas.first?.party.app.bundleID.lowercased() == bundleID
      else { return [] }
      return app.personas.indices.filter { !app.personas[$0].party.isManaged }.map { number in
        Arrival(
          app: index, persona: number,
          hop: LeakHop(
            app: plugIn.app.name, persona: plugIn.persona.name,
            action: .container(to: app.name, as: app.personas[number].name)))
      }
    }
  }
}

// MARK: - The keychain

extension LeakMoves {
  /// Whether a sender hands data on by ways on which no tag comes along: an app does with what is its persona's.
  func isUntaggedSender(_ sender: Sender, of state: Possession) -> Bool {
    guard case .tagged(let upn, _) = state.form else { return true }
    return sender.persona.account?.upn.lowercased() == upn
  }

  /// The other apps that read what a sender keeps in a keychain group, each for all of its personas.
  func readers(of group: String, after sender: Sender) -> [Arrival] {
    (members[group] ?? []).filter { world.apps[$0].name != sender.app.name }
      .flatMap { index -> [Arrival] in
        let reader = world.apps[index]
        guard let decision = reader.keychain?.decide(group: group, operation: .keychainQuery),
          decision.verdict.outcome == .allowed
        else { return [] }
        return reader.personas.indices.map { number in
          Arrival(
            app: index, persona: number,
            hop: LeakHop(
              app: sender.app.name, persona: sender.persona.name,
              action: .keep(group: group, to: reader.name, as: reader.personas[number].name),
              ruling: decision.verdict))
        }
      }
  }
}

// MARK: - Storage

/// A storage location of a managed account, to which data have been saved.
struct Storage {
  var place: Place
  var outside: LeakHop.Outside
  var account: Account
  /// What the rules were asked before the data were saved.
  var saving: TransferRequest

  struct Place: Hashable {
    var location: StorageLocation
    /// UPN of the account, in lower case.
    var account: String
  }
}

extension LeakMoves {
  /// The locations at which one app finds what another has saved.
  private static let shared = Set(StorageLocation.saveLocations)
    .intersection(StorageLocation.openLocations).subtracting([.accountDocument])

  /// The location, as a sender saves data to it; nil where it may not, or nobody opens anything from there.
  func storage(
    _ outside: LeakHop.Outside, of party: Party, from sender: Sender
  ) -> Storage? {
    guard party.isManaged, let account = party.identity.account, let location = outside.location,
      Self.shared.contains(location)
    else { return nil }
    let saving = request(outside, of: party, from: sender)
    guard evaluate(saving).outcome == .allowed else { return nil }
    return Storage(
      place: Storage.Place(location: location, account: account.upn.lowercased()),
      outside: outside, account: account, saving: saving)
  }

  /// The apps that may look for what a sender has saved.
  func seekers(after sender: Sender) -> [Int] {
    world.apps.indices.filter { index in
      index == sender.index
        || world.apps[index].kind == .app && world.apps[index].name != sender.app.name
    }
  }

  /// An app that opens what a sender has saved for an account that it has, too, for all of its personas that may. What
  /// they have then has no tag.
  func openings(of storage: Storage, in index: Int, after sender: Sender) -> [Arrival] {
    let app = world.apps[index]
    guard
      let holder = app.personas.first(where: { $0.account?.isSame(as: storage.account) == true })
    else { return [] }
    return app.personas.indices.filter { index != sender.index || $0 != sender.number }
      .compactMap { number in
        let opening = opening(
          from: storage.place.location, of: holder, in: app, as: app.personas[number])
        guard evaluate(opening).outcome == .allowed else { return nil }
        return Arrival(
          app: index, persona: number,
          hop: LeakHop(
            app: sender.app.name, persona: sender.persona.name,
            action: .store(storage.outside, to: app.name, as: app.personas[number].name),
            requests: [storage.saving, opening]))
      }
  }

  /// An app that opens data saved to a location that no policy protects, for all of its allowed personas.
  ///
  /// - Parameter saving: what the rules were asked before the data were saved.
  func openings(
    of outside: LeakHop.Outside, in index: Int, after sender: Sender, _ saving: TransferRequest
  ) -> [Arrival] {
    let app = world.apps[index]
    guard let location = outside.location?.opened,
      index == sender.index || outside.location?.isInContainer == false
    else { return [] }
    return app.personas.indices.filter { index != sender.index || $0 != sender.number }
      .compactMap { number in
        let requests = strangers(at: outside, opening: location, in: app).map {
          opening(from: location, of: $0, in: app, as: app.personas[number])
        }
        guard let opening = requests.first(where: { evaluate($0).outcome == .allowed }) else {
          return nil
        }
        return Arrival(
          app: index, persona: number,
          hop: LeakHop(
            app: sender.app.name, persona: sender.persona.name,
            action: .store(outside, to: app.name, as: app.personas[number].name),
            requests: [saving, opening]))
      }
  }

  /// The unmanaged accounts for which an app may have a location: the location's account, if the app has it. An account
  /// that the sender did not know may be any other.
  private func strangers(
    at outside: LeakHop.Outside, opening location: StorageLocation, in app: LeakWorld.App
  ) -> [LeakWorld.Persona] {
    let known = app.personas.filter { persona in
      persona.account != nil && !persona.party.isManaged
        && (persona.name == outside.account || outside.account == "unknown")
    }
    guard location.hasAccount, outside.account != "unset" else {
      return strangers(app, [("unset", .unset)])
    }
    let isKnown = known.contains { $0.name == outside.account }
    return known + (isKnown ? [] : strangers(app, [("unknown", .unknown), ("unset", .unset)]))
  }

  private func strangers(
    _ app: LeakWorld.App, _ identities: [(name: String, identity: Identity)]
  ) -> [LeakWorld.Persona] {
    guard let any = app.personas.first else { return [] }
    return identities.map { name, identity in
      LeakWorld.Persona(name: name, party: Party(app: any.party.app, identity: identity))
    }
  }

  private func opening(
    from location: StorageLocation, of holder: LeakWorld.Persona, in app: LeakWorld.App,
    as persona: LeakWorld.Persona
  ) -> TransferRequest {
    TransferRequest(
      channel: .openFrom, sender: holder.party, owner: holder.owner, receiver: persona.party,
      appPolicy: app.appPolicy, content: Content(location: location),
      device: world.device)
  }
}

extension StorageLocation {
  /// The location from which documents saved to this one are opened; nil: no app saves there.
  var opened: StorageLocation? {
    switch self {
    case .localDrive: .localStorage
    case .cameraRoll: .photos
    // Document pickers show them without a separate name.
    case .dropbox, .googleDrive: .other
    case .other, .oneDriveForBusiness, .sharePoint, .box, .accountDocument, .iManage, .egnyte: self
    case .camera, .localStorage, .photos: nil
    }
  }

  /// Whether only the saving app can open data there.
  fileprivate var isInContainer: Bool {
    switch self {
    case .localDrive, .accountDocument: true
    case .other, .oneDriveForBusiness, .sharePoint, .box, .dropbox, .googleDrive, .cameraRoll,
      .iManage, .egnyte, .camera, .localStorage, .photos:
      false
    }
  }
}
