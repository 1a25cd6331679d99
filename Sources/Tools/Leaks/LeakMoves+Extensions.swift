import Model
import Policy

/// What extensions were handed, and hand back: an extension runs for one share, and its results go to the app that shares.
/// An app starts it with content of its own, or with the data themselves.
extension LeakMoves {
  /// The ways back from an extension, by those in which it may be started.
  static let results = [
    LeakHop.Transfer(channel: .extensionResult, via: .sdk),
    LeakHop.Transfer(channel: .extensionResult, via: .os),
  ]

  /// The shares by which items of some types start an extension.
  func shares(
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
}

extension LeakMoves {
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
}

extension LeakMoves {
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
