import Model
import Policy

/// A state of the search: an app that has the data, and the data's form there.
struct LeakState: Hashable {
  /// The app's index in the world.
  var app: Int
  var form: Form

  /// The form of data in an app. It determines the data's owner when the app sends the data.
  enum Form: Hashable {
    /// An item with a type and a tag. The owner is a UPN in lower case, or `""` for no owner.
    case tagged(owner: String, type: String)
    /// Untagged content of one of the app's identities, by the index of its persona. The app can make items of any type
    /// from it.
    case own(persona: Int)
  }
}

/// The result of a move: data that an app now has. The index `persona` identifies the identity to which the data
/// belongs in the app.
struct Arrival {
  var app: Int
  var persona: Int
  var hop: LeakHop

  /// The state after the move: the app has the data as untagged content of ``persona``.
  var state: LeakState { LeakState(app: app, form: .own(persona: persona)) }
}

/// The moves of a search: the actions of apps and users that spread one account's data.
struct LeakTransitions {
  let world: LeakWorld
  private let behaviour: LeakSearch.Behaviour
  let owner: Account
  /// The indices of the apps that may use each keychain group.
  private let members: [String: [Int]]
  /// The indices of an app's variants, one for each set of signed-in accounts, by the app's name.
  let variants: [String: [Int]]
  /// The indices of the apps in which the enrolled user receives data without an owner.
  private let takers: Set<Int>
  /// The indices of the extensions whose results are followed: all if ``isFollowing``, and otherwise those that can act
  /// for a managed account.
  private let plugIns: [Int]
  /// Whether data is also followed through apps and locations that no policy protects.
  let isFollowing: Bool
  /// The names of the apps and extensions in which data may originate; nil means all.
  private let origins: Set<String>?
  let links: LeakLinks
  /// The item types that the search distinguishes.
  private let types: [String]
  /// The accounts of the world, by UPN in lower case.
  private let accounts: [String: Account]

  /// Creates the moves of one account's data.
  ///
  /// - Parameter origins: The apps and extensions in which data originates; data is then also followed outside
  ///   policies. If nil, data originates everywhere and is followed only until it leaves the policies.
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
    takers = Set(
      world.apps.indices.filter { [world] in world.apps[$0].takesUnownedData(on: world.device) })
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

  var tagged: [LeakState.Form] {
    ([""] + accounts.keys.sorted()).flatMap { owner in
      types.map { .tagged(owner: owner, type: $0) }
    }
  }

  /// The initial states: the account's own content in each app and extension.
  var initialStates: [(state: LeakState, hop: LeakHop)] {
    world.apps.indices.filter { origins?.contains(world.apps[$0].name) ?? true }.flatMap { index in
      let app = world.apps[index]
      return app.personas.indices.filter {
        app.personas[$0].party.isManaged
          && app.personas[$0].account?.isSameUser(as: owner) == true
      }.map { number in
        (
          LeakState(app: index, form: .own(persona: number)),
          LeakHop(app: app.name, persona: app.personas[number].name, action: .made)
        )
      }
    }
  }

  // MARK: Senders

  /// An app that sends the data for one of its identities (`persona`), with the data's owner as the rules see it.
  struct Sender {
    /// The app's index in the world. ``number`` is the persona's index in the app.
    var index: Int
    var number: Int
    var app: LeakWorld.App
    var owner: Owner
    /// The types that the item may have.
    var types: [String]
    var persona: LeakWorld.Persona { app.personas[number] }
  }

  func senders(of state: LeakState) -> [Sender] {
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

  /// Returns the owner that a tag names, with the owner's policy in the sending app.
  ///
  /// Returns nil if the app must not send the item, because it has a policy for the owner but the owner is
  /// not signed in.
  private func owner(_ upn: String, in app: LeakWorld.App) -> Owner? {
    guard !upn.isEmpty else { return Owner() }
    if let own = app.personas.first(where: { $0.account?.upn.lowercased() == upn }) {
      return own.owner
    }
    guard !app.missing.contains(upn) else { return nil }
    return Owner(account: accounts[upn])
  }

  // MARK: Moves

  func retypings(of state: LeakState) -> [LeakState] {
    // An app without the SDK ignores tags.
    let ignoresTags =
      isFollowing && world.apps[state.app].personas.allSatisfy { !$0.party.app.linksSDK }
    guard behaviour != .honest || ignoresTags else { return [] }
    return world.apps[state.app].personas.indices
      .map { LeakState(app: state.app, form: .own(persona: $0)) }.filter { $0 != state }
  }

  /// Returns the states after accounts have signed in to or out of the app that has the data. If an account signs out,
  /// its data is removed.
  func signInChanges(of state: LeakState) -> [(state: LeakState, hop: LeakHop)] {
    let app = world.apps[state.app]
    // The extension's run has ended, and its tagged items are gone.
    if case (.extension, .tagged) = (app.kind, state.form) { return [] }
    return variants(besides: state.app).compactMap { index in
      guard let before = app.signIns, let after = world.apps[index].signIns,
        let form = state.form.kept(from: app, to: world.apps[index])
      else { return nil }
      return (LeakState(app: index, form: form), before.change(to: after))
    }
  }

  /// Returns the arrivals of remembered data: an app retypes the data of a signed-out account for another account.
  /// Hostile apps do this with any data, careless apps only with unmanaged data.
  func memories(of state: LeakState) -> [Arrival] {
    let app = world.apps[state.app]
    // A wipe removes only data of managed accounts.
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

  /// Returns the indices of the app's variants with other signed-in accounts.
  private func variants(besides index: Int) -> [Int] {
    (variants[world.apps[index].name] ?? []).filter { $0 != index }
  }

  /// Returns the transfers by which the sender's app pastes the data for another of its identities, one for each item
  /// type.
  func pastes(of sender: Sender) -> [LeakHop.Transfer] {
    sender.types.map { LeakHop.Transfer(channel: .clipboard, via: .sdk, type: $0) }
  }

  /// The transfers of plain text from one app to another. Transfers of other types differ only in the type.
  private static let transfers: [LeakHop.Transfer] = [
    .init(channel: .share, via: .sdk), .init(channel: .share, via: .os),
    .init(channel: .openIn, via: .sdk), .init(channel: .openIn, via: .os),
    .init(channel: .dragAndDrop, via: .sdk), .init(channel: .clipboard, via: .sdk),
  ]

  /// Returns the transfers from a sender to an app, or to an extension that share sheets offer to the sender.
  func transfers(from sender: Sender, to app: LeakWorld.App) -> [LeakHop.Transfer] {
    switch (sender.app.kind, app.kind) {
    case (.app, .app):
      Self.transfers.flatMap { transfer in sender.types.map { transfer.moving($0) } }
    case (.app, .extension): shares(of: sender.types, from: sender.persona, with: app)
    // The app must have started the extension.
    case (.extension, .app): Self.results
    case (.extension, .extension): []
    }
  }

  /// Returns whether an app receives a transfer while it acts for the identity `persona`. If the app's enrolled user
  /// receives data without an owner, the app's unmanaged identities do not receive such data.
  func receives(
    _ transfer: LeakHop.Transfer, from sender: Sender, as persona: Int, in app: Int
  ) -> Bool {
    ![.share, .openIn, .dragAndDrop].contains(transfer.channel) || sender.owner.account != nil
      || !takers.contains(app) || world.apps[app].personas[persona].party.isManaged
  }

  func request(
    _ transfer: LeakHop.Transfer, from sender: Sender, to receiver: LeakWorld.Persona
  ) -> TransferRequest {
    var receiver = receiver.party
    // An extension hands results back to the app that has asked for them.
    if transfer.channel == .extensionResult { receiver.app.lacksRequiredAccount = false }
    return TransferRequest(
      channel: transfer.channel, via: transfer.channel == .extensionResult ? .sdk : transfer.via,
      sender: sender.persona.party, owner: sender.owner, receiver: receiver,
      content: Content(characters: transfer.channel == .clipboard ? LeakSearch.characters : nil),
      device: world.device)
  }

  /// Returns the state of the data after an allowed transfer.
  func arrival(
    of request: TransferRequest, _ type: String, becomesReceivers: Bool, at index: Int
  ) -> LeakState {
    let account = becomesReceivers ? request.receiver.identity.account : request.owner.account
    return LeakState(app: index, form: .tagged(owner: account?.upn.lowercased() ?? "", type: type))
  }

  /// Returns the other apps and extensions that can be on the same device as the sender.
  func receivers(of sender: Sender) -> [(index: Int, app: LeakWorld.App)] {
    world.apps.enumerated().filter {
      $1.name != sender.app.name && $1.isPresent(beside: sender.app)
    }
    .map { ($0, $1) }
  }

  /// Returns the endpoints outside all apps to which a sender may move data. The party of an endpoint is the system or
  /// a storage location's account.
  func places(for sender: Sender) -> [(outside: LeakHop.Outside, party: Party)] {
    let features = Channel.allCases.filter {
      $0.counterpart == .system && !$0.isIncoming
        && !Operation($0).staysWithAccount(decidedBy: nil)
    }
    let system = features.map { (LeakHop.Outside(channel: $0), Party.system) }
    let locations = StorageLocation.saveLocations.flatMap { location in
      holders(of: location, in: sender.app).map {
        (LeakHop.Outside(channel: .saveTo, location: location, account: $0.name), $0.party)
      }
    }
    return system + locations
  }

  /// Returns the possible accounts of a storage location: the app's own accounts, an unknown account, and no account.
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

  func request(
    _ outside: LeakHop.Outside, of party: Party, from sender: Sender
  ) -> TransferRequest {
    var persona = sender.persona.party
    // The device reads the configurations of both accounts.
    persona.app.alwaysRestrictsSaving =
      persona.app.alwaysRestrictsSaving
      || sender.app.personas.contains { other in
        other.party.app.alwaysRestrictsSaving
          && other.account.map { sender.owner.account?.isSameUser(as: $0) == true } == true
      }
    return TransferRequest(
      channel: outside.channel, sender: persona, owner: sender.owner,
      receiver: party, appPolicy: sender.app.appPolicy,
      content: Content(
        characters: LeakSearch.characters, location: outside.location,
        isExternalPage: outside.channel == .webView),
      device: world.device)
  }
}

extension LeakState.Form {
  /// Returns the form of the data after the app's accounts have changed; nil if the data was removed with its account.
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
  /// Returns the hop that replaces the signed-in accounts.
  func change(to other: LeakWorld.SignIns) -> LeakHop {
    let change = LeakHop.SignInChange(
      out: accounts.filter { !other.accounts.contains($0) },
      in: other.accounts.filter { !accounts.contains($0) })
    return LeakHop(app: app, persona: "", action: .signIns(change))
  }
}

// MARK: - Extensions

/// Moves through extensions. An extension runs for one share, and its results go to the sharing app.
///
/// An app starts an extension with content of its own or with the followed data.
extension LeakTransitions {
  /// The transfers back from an extension, one for each sharing path that may have started it.
  static let results = [
    LeakHop.Transfer(channel: .extensionResult, via: .sdk),
    LeakHop.Transfer(channel: .extensionResult, via: .os),
  ]

  private func shares(
    of types: [String], from sender: LeakWorld.Persona, with plugIn: LeakWorld.App
  ) -> [LeakHop.Transfer] {
    [SharingPath.sdk, .os].flatMap { path in
      types.filter { plugIn.isOffered($0, to: sender.party, via: path) }
        .map { LeakHop.Transfer(channel: .share, via: path, type: $0) }
    }
  }

  /// Returns the share by which an app starts the extension with content of its own; nil if the app is not
  /// offered the extension.
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

  /// A function that returns the verdict on a transfer between two personas (apps that act for one of their
  /// identities). A persona is given by the index of its app, and by its own index in the app.
  typealias Answers = (
    LeakHop.Transfer, _ from: (app: Int, persona: Int), _ to: (app: Int, persona: Int),
    TransferRequest
  ) -> VerdictClasses.Answer

  /// Returns the states after a sender has shared the data with an extension that immediately returns it.
  func echoes(of sender: Sender, _ answers: Answers) -> [(state: LeakState, hop: LeakHop)] {
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
  ) -> [(state: LeakState, hop: LeakHop)] {
    let plugIn = world.apps[place.app]
    let persona = plugIn.personas[place.persona]
    let here = (app: sender.index, persona: sender.number)
    let handing = request(share, from: sender, to: persona)
    let answer = answers(share, here, place, handing)
    guard answer.isAllowed else { return [] }
    let handed = arrival(
      of: handing, share.type, becomesReceivers: answer.becomesReceivers, at: place.app)
    let typed = LeakState(app: place.app, form: .own(persona: place.persona))
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

  /// Returns the hop of an allowed transfer. If an extension returns its result, the hop includes the share that
  /// started the extension.
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

  /// Returns the arrivals of data that an extension without a policy stores in the container that it shares with its
  /// containing app.
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

  // MARK: The keychain

  /// Returns whether the sender can send the data through channels without tags (keychain groups and URLs). For this,
  /// the data must belong to the account of the sender's persona.
  func isUntaggedSender(_ sender: Sender, of state: LeakState) -> Bool {
    guard case .tagged(let upn, _) = state.form else { return true }
    return sender.persona.account?.upn.lowercased() == upn
  }

  /// Returns the arrivals of a sender's keychain items in the other apps that can read the group, one for each identity
  /// of such an app.
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
              otherVerdict: decision.verdict))
        }
      }
  }
}

// MARK: - Storage

/// A managed account's storage location to which data was saved.
struct Storage {
  var key: Key
  var outside: LeakHop.Outside
  var account: Account
  /// The evaluated request to save the data.
  var saving: TransferRequest

  struct Key: Hashable {
    var location: StorageLocation
    /// The account's UPN, in lower case.
    var account: String
  }
}

extension LeakTransitions {
  /// The locations at which apps find the saved data of other apps.
  private static let shared = Set(StorageLocation.saveLocations)
    .intersection(StorageLocation.openLocations).subtracting([.accountDocument])

  /// Returns the location with the data that a sender saves to it; nil if saving is not allowed or other apps cannot
  /// open data from there.
  func storage(
    _ outside: LeakHop.Outside, of party: Party, from sender: Sender
  ) -> Storage? {
    guard party.isManaged, let account = party.identity.account, let location = outside.location,
      Self.shared.contains(location)
    else { return nil }
    let saving = request(outside, of: party, from: sender)
    guard evaluate(saving).outcome == .allowed else { return nil }
    return Storage(
      key: Storage.Key(location: location, account: account.upn.lowercased()),
      outside: outside, account: account, saving: saving)
  }

  /// Returns the apps that may open data saved by a sender.
  func seekers(after sender: Sender) -> [Int] {
    world.apps.indices.filter { index in
      index == sender.index
        || world.apps[index].kind == .app && world.apps[index].name != sender.app.name
    }
  }

  /// Returns the arrivals of saved data in an app that has the storage account, one for each of the app's identities
  /// that may open the data. The opened data has no tag.
  func openings(of storage: Storage, in index: Int, after sender: Sender) -> [Arrival] {
    let app = world.apps[index]
    guard
      let holder = app.personas.first(where: { $0.account?.isSameUser(as: storage.account) == true }
      )
    else { return [] }
    return app.personas.indices.filter { index != sender.index || $0 != sender.number }
      .compactMap { number in
        let opening = opening(
          from: storage.key.location, of: holder, in: app, as: app.personas[number])
        guard evaluate(opening).outcome == .allowed else { return nil }
        return Arrival(
          app: index, persona: number,
          hop: LeakHop(
            app: sender.app.name, persona: sender.persona.name,
            action: .store(storage.outside, to: app.name, as: app.personas[number].name),
            requests: [storage.saving, opening]))
      }
  }

  /// Returns the arrivals of data that an app opens from an unprotected location, one for each persona that may open
  /// it.
  ///
  /// - Parameter saving: The evaluated request to save the data.
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

  /// Returns the unmanaged identities to which a location may belong when an app opens data from it:
  ///
  /// - For a location without an account, the unset identity.
  /// - If the app has the location's account, this account.
  /// - Otherwise, the unknown and the unset identity. If the sender did not know the location's account, also all
  ///   unmanaged accounts of the app.
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
  /// The location from which apps open documents that were saved to this location; nil if apps cannot save to it.
  var opened: StorageLocation? {
    switch self {
    case .localDrive: .localStorage
    case .cameraRoll: .photos
    // Document pickers do not list these by name.
    case .dropbox, .googleDrive: .other
    case .other, .oneDriveForBusiness, .sharePoint, .box, .accountDocument, .iManage, .egnyte: self
    case .camera, .localStorage, .photos: nil
    }
  }

  /// Whether data at this location can be opened only by the app that saved it.
  fileprivate var isInContainer: Bool {
    switch self {
    case .localDrive, .accountDocument: true
    case .other, .oneDriveForBusiness, .sharePoint, .box, .dropbox, .googleDrive, .cameraRoll,
      .iManage, .egnyte, .camera, .localStorage, .photos:
      false
    }
  }
}
