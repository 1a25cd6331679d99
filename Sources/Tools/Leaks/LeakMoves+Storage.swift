import Model
import Policy

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
