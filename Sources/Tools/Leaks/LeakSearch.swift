import Model
import Policy

/// The search for ways out of the organisation: all states of data that can be reached, breadth first, so that each way
/// that is found is a shortest one.
///
/// What an app has, it keeps, and what it may do with it does not depend on what others have. So the states that one
/// piece of data can reach are all that there is, and a place that is not among them is out of reach.
public struct LeakSearch: Sendable {
  let world: LeakWorld
  let behaviour: Behaviour
  let kept: [Flow]

  /// A share that must stay possible, whatever is changed.
  public struct Flow: Sendable, Hashable {
    /// The names of the apps.
    public var from: String
    public var to: String

    /// A share of a managed account's data from one app to another.
    public init(from: String, to: String) {
      self.from = from
      self.to = to
    }
  }

  /// What apps and their users do with data that they were handed.
  public enum Behaviour: String, Sendable, CaseIterable {
    /// They hand it on under its tag, or not at all.
    case honest
    /// They also enter it anew for whoever the app acts for then, so that nothing tells where it came from.
    case careless
  }

  /// A search in `world`.
  ///
  /// - Parameter kept: the flows that what closes leaks must not close.
  public init(_ world: LeakWorld, _ behaviour: Behaviour, keeping kept: [Flow] = []) {
    self.world = world
    self.behaviour = behaviour
    self.kept = kept
  }

  /// The flows to be kept that the policies do not let through.
  public var closedFlows: [Flow] { kept.filter { !isOpen($0) } }

  private func isOpen(_ flow: Flow) -> Bool {
    let senders = world.apps.filter { $0.name == flow.from }.flatMap(\.personas)
    let receivers = world.apps.filter { $0.name == flow.to }.flatMap(\.personas)
    return senders.contains { sender in
      sender.party.isManaged
        && receivers.contains { receiver in
          evaluate(
            TransferRequest(
              channel: .share, sender: sender.party, owner: sender.owner,
              receiver: receiver.party, device: world.device)
          ).outcome == .allowed
        }
    }
  }

  /// All that was found, for each account that is managed in some app, and what closes it.
  public func run() -> LeakReport {
    var report = explore()
    if !report.isClean { report.closing = LeakClosing(self) }
    return report
  }

  /// All that was found.
  func explore() -> LeakReport {
    var report = LeakReport(behaviour: behaviour, apps: world.apps.count, keeping: kept)
    for account in world.managedAccounts {
      var run = LeakRun(self, owner: account)
      run.explore()
      report.add(run.leaks, states: run.states, transitions: run.transitions, depth: run.depth)
    }
    return report
  }
}

/// The search for one account's data.
private struct LeakRun {
  private let search: LeakSearch
  private let owner: Account
  private var world: LeakWorld { search.world }
  /// How each state was reached first: the state before it, and the hop.
  private var origins: [Possession: (from: Possession?, hop: LeakHop, depth: Int)] = [:]
  private var queue: [Possession] = []
  private var found: Set<Leak.Sink> = []
  private(set) var leaks: [Leak] = []
  private(set) var transitions = 0
  private(set) var depth = 0
  private var classes: VerdictClasses
  /// The accounts of the world, by UPN in lower case.
  private let accounts: [String: Account]
  var states: Int { origins.count }

  init(_ search: LeakSearch, owner: Account) {
    self.search = search
    self.owner = owner
    classes = VerdictClasses(search.world)
    accounts = Dictionary(
      search.world.apps.flatMap(\.personas).compactMap(\.account).map { ($0.upn.lowercased(), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  mutating func explore() {
    for (index, app) in world.apps.enumerated() where app.kind == .app {
      for (number, persona) in app.personas.enumerated() where persona.party.isManaged {
        guard persona.account?.isSame(as: owner) == true else { continue }
        let hop = LeakHop(app: app.name, persona: persona.name, action: .made)
        reach(Possession(app: index, form: .own(persona: number)), from: nil, by: hop)
      }
    }
    var next = 0
    while next < queue.count {
      let state = queue[next]
      next += 1
      depth = max(depth, origins[state]?.depth ?? 0)
      retype(state)
      for sender in senders(of: state) {
        paste(state, sender)
        if isWorthMoving(state, sender) { move(state, sender) }
      }
    }
  }

  /// How many senders of each class have moved the data.
  private var moved: [VerdictClasses.Sender: Int] = [:]

  /// Whether the sender may reach something new: the first of its class has reached all but itself, the second that one,
  /// and further ones reach what these have, in no fewer hops.
  private mutating func isWorthMoving(_ state: Possession, _ sender: Sender) -> Bool {
    let key = classes.sender(state.app, sender.number, sender.persona.party, sender.owner)
    moved[key, default: 0] += 1
    return moved[key, default: 0] <= 2
  }

  private mutating func reach(_ state: Possession, from before: Possession?, by hop: LeakHop) {
    guard origins[state] == nil else { return }
    let depth = before.flatMap { origins[$0]?.depth }.map { $0 + 1 } ?? 0
    origins[state] = (before, hop, depth)
    queue.append(state)
  }

  private mutating func note(_ sink: Leak.Sink, from state: Possession, by hop: LeakHop) {
    guard found.insert(sink).inserted else { return }
    leaks.append(Leak(owner: owner, sink: sink, hops: chain(to: state) + [hop]))
  }

  private func chain(to state: Possession) -> [LeakHop] {
    guard let origin = origins[state] else { return [] }
    return (origin.from.map(chain) ?? []) + [origin.hop]
  }

  // MARK: moves

  /// Somebody who hands the data on, and whose they are by then.
  private struct Sender {
    var app: LeakWorld.App
    /// The persona's index.
    var number: Int
    var owner: Owner
    var persona: LeakWorld.Persona { app.personas[number] }
  }

  private func senders(of state: Possession) -> [Sender] {
    let app = world.apps[state.app]
    switch state.form {
    case .own(let number):
      return [Sender(app: app, number: number, owner: app.personas[number].owner)]
    case .tagged(let upn):
      guard let owner = self.owner(upn, in: app) else { return [] }
      return app.personas.indices.map { Sender(app: app, number: $0, owner: owner) }
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

  private mutating func retype(_ state: Possession) {
    guard search.behaviour == .careless else { return }
    let app = world.apps[state.app]
    for (number, persona) in app.personas.enumerated() {
      let target = Possession(app: state.app, form: .own(persona: number))
      guard target != state else { continue }
      let hop = LeakHop(app: app.name, persona: persona.name, action: .retyped)
      transitions += 1
      if persona.party.isManaged {
        reach(target, from: state, by: hop)
      } else {
        note(.app(app.name, persona: persona.name), from: state, by: hop)
      }
    }
  }

  /// Copies the data for one persona of an app, and pastes them for another.
  private mutating func paste(_ state: Possession, _ sender: Sender) {
    let clipboard = LeakHop.Transfer(channel: .clipboard, via: .sdk)
    for persona in sender.app.personas.indices where persona != sender.number {
      transfer(state, sender, clipboard, to: state.app, persona)
    }
  }

  private static let transfers: [LeakHop.Transfer] = [
    .init(channel: .share, via: .sdk), .init(channel: .share, via: .os),
    .init(channel: .openIn, via: .sdk), .init(channel: .openIn, via: .os),
    .init(channel: .dragAndDrop, via: .sdk), .init(channel: .clipboard, via: .sdk),
  ]

  private mutating func move(_ state: Possession, _ sender: Sender) {
    for (index, app) in world.apps.enumerated() where index != state.app {
      for persona in app.personas.indices {
        for transfer in Self.transfers
        where app.kind == .app || transfer == Self.transfers[0] {
          self.transfer(state, sender, transfer, to: index, persona)
        }
      }
    }
    for outside in places(for: sender) { handOff(state, sender, outside) }
  }

  private mutating func transfer(
    _ state: Possession, _ sender: Sender, _ transfer: LeakHop.Transfer, to index: Int,
    _ number: Int
  ) {
    transitions += 1
    let app = world.apps[index]
    let receiver = app.personas[number]
    let sink = Leak.Sink.app(app.name, persona: receiver.name)
    let isOut = !receiver.party.isManaged
    guard isOut ? !found.contains(sink) : app.kind == .app else { return }
    let request = TransferRequest(
      channel: transfer.channel, via: transfer.via, sender: sender.persona.party,
      owner: sender.owner, receiver: receiver.party,
      content: Content(characters: transfer.channel == .clipboard ? LeakSearch.characters : nil),
      device: world.device)
    let answer = classes.answer(
      transfer, from: (state.app, sender.number), to: (index, number), request)
    guard answer.isAllowed else { return }
    let owner = answer.becomesReceivers ? receiver.account : sender.owner.account
    let target = Possession(app: index, form: .tagged(owner: owner?.upn.lowercased() ?? ""))
    guard isOut || origins[target] == nil else { return }
    let hop = LeakHop(
      app: sender.app.name, persona: sender.persona.name,
      action: .transfer(transfer, to: app.name, as: receiver.name),
      verdict: Explainer.explain(request, evaluate(request)), request: request)
    // What is out is followed no further.
    if isOut {
      note(sink, from: state, by: hop)
    } else {
      reach(target, from: state, by: hop)
    }
  }

  // MARK: outside

  /// The places outside of all apps, with the party at a storage location.
  private func places(for sender: Sender) -> [(LeakHop.Outside, Party)] {
    let features = Channel.allCases.filter {
      $0.counterpart == .system && !$0.isIncoming && $0 != .fileEncryption
    }
    let system = features.map { (LeakHop.Outside(channel: $0), Party.system) }
    let locations = StorageLocation.saveLocations.flatMap { location in
      accounts(at: location, of: sender.app).map {
        (LeakHop.Outside(channel: .saveTo, location: location, account: $0.name), $0.party)
      }
    }
    return system + locations
  }

  /// The accounts that a storage location may belong to: each of the app's own, an unknown one, and none.
  private func accounts(
    at location: StorageLocation, of app: LeakWorld.App
  ) -> [(name: String, party: Party)] {
    guard let any = app.personas.first else { return [] }
    func stranger(_ identity: Identity) -> Party { Party(app: any.party.app, identity: identity) }
    let none = ("unset", stranger(.unset))
    guard location.hasAccount else { return [none] }
    return app.personas.filter { $0.account != nil }.map { ($0.name, $0.party) }
      + [("unknown", stranger(.unknown)), none]
  }

  private mutating func handOff(
    _ state: Possession, _ sender: Sender, _ place: (outside: LeakHop.Outside, party: Party)
  ) {
    transitions += 1
    let sink = Leak.Sink.outside(place.outside)
    guard !place.party.isManaged, !found.contains(sink) else { return }
    let request = TransferRequest(
      channel: place.outside.channel, sender: sender.persona.party, owner: sender.owner,
      receiver: place.party, appPolicy: sender.app.appPolicy,
      content: Content(
        characters: LeakSearch.characters, location: place.outside.location,
        isExternalPage: place.outside.channel == .webView),
      device: world.device)
    let verdict = evaluate(request)
    guard verdict.outcome == .allowed else { return }
    let hop = LeakHop(
      app: sender.app.name, persona: sender.persona.name, action: .handOff(place.outside),
      verdict: Explainer.explain(request, verdict), request: request)
    note(sink, from: state, by: hop)
  }
}

extension LeakSearch {
  /// The length of the text that is pasted, in Unicode scalars: the shortest, because policies let short ones through.
  static let characters = 1
}
