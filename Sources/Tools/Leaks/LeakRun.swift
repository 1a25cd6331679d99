import Model
import Policy

/// The search for one account's data.
struct LeakRun {
  private let moves: LeakMoves
  private var world: LeakWorld { moves.world }
  /// How each state was reached first: the state before it, and the hop.
  private var origins: [Possession: (from: Possession?, hop: LeakHop, depth: Int)] = [:]
  private var queue: [Possession] = []
  private var found: Set<Leak.Sink> = []
  private var keychain = SharedPlaces<String>()
  private var storages = SharedPlaces<Storage.Place>()
  private(set) var leaks: [Leak] = []
  private(set) var transitions = 0
  private(set) var depth = 0
  private var classes: VerdictClasses
  /// The first two apps of each class of senders that have moved the data, by name, with the sets of accounts that they
  /// had.
  private var moved: [VerdictClasses.Sender: [String: Set<Int>]] = [:]
  var states: Int { origins.count }

  init(_ moves: LeakMoves) {
    self.moves = moves
    classes = VerdictClasses(moves.world)
  }

  mutating func explore() {
    for (state, hop) in moves.beginnings { reach(state, from: nil, by: hop) }
    var next = 0
    while next < queue.count {
      let state = queue[next]
      next += 1
      depth = max(depth, origins[state]?.depth ?? 0)
      for target in moves.retypings(of: state) { retype(state, as: target) }
      for (target, hop) in moves.signInChanges(of: state) {
        transitions += 1
        reach(target, from: state, by: hop)
      }
      for arrival in moves.memories(of: state) { land(arrival, from: state) }
      for sender in moves.senders(of: state) {
        paste(state, sender)
        if moves.isUntaggedSender(sender, of: state) { keep(state, sender) }
        if isWorthMoving(sender) { move(state, sender) } else { openWithin(state, sender) }
      }
    }
  }

  /// Keeps the data in the app's keychain groups.
  private mutating func keep(_ state: Possession, _ sender: LeakMoves.Sender) {
    for group in sender.app.keychain?.groups ?? [] {
      guard let readers = keychain.readers(of: group, after: sender.app.name) else { continue }
      for arrival in moves.readers(of: group, after: sender)
      where readers.includes(world.apps[arrival.app].name) {
        land(arrival, from: state)
      }
    }
  }

  /// Has data that carry no tag come to where a move leads.
  private mutating func land(_ arrival: Arrival, from state: Possession) {
    transitions += 1
    let app = world.apps[arrival.app]
    let persona = app.personas[arrival.persona]
    if persona.party.isManaged {
      reach(arrival.state, from: state, by: arrival.hop)
    } else {
      note(
        .app(app.name, persona: persona.name), at: arrival.app, from: state, by: arrival.hop)
    }
  }

  /// Whether the sender may reach something new: the first app of its class has reached all but itself, the second that
  /// one, and further ones reach what these have, in no fewer hops.
  private mutating func isWorthMoving(_ sender: LeakMoves.Sender) -> Bool {
    let key = classes.sender(
      sender.index, sender.number, sender.persona.party, sender.owner)
    let apps = moved[key, default: [:]]
    guard apps.count < 2 || apps[sender.app.name] != nil else { return false }
    return moved[key, default: [:]][sender.app.name, default: []].insert(sender.index).inserted
  }

  private mutating func reach(_ state: Possession, from before: Possession?, by hop: LeakHop) {
    guard origins[state] == nil else { return }
    let depth = before.flatMap { origins[$0]?.depth }.map { $0 + 1 } ?? 0
    origins[state] = (before, hop, depth)
    queue.append(state)
  }

  /// - Parameter app: the app that has the data then; nil: none but those that had them.
  private mutating func note(
    _ sink: Leak.Sink, at app: Int? = nil, from state: Possession, by hop: LeakHop
  ) {
    guard found.insert(sink).inserted else { return }
    let moves = (origins[state]?.depth ?? 0) + 1
    depth = max(depth, moves)
    let last = LeakWay.Step(hop: hop, app: app ?? state.app)
    leaks.append(
      Leak(
        owner: self.moves.owner, sink: sink,
        hops: LeakWay(way(to: state) + [last], in: world).hops, moves: moves))
  }

  private func way(to state: Possession) -> [LeakWay.Step] {
    guard let origin = origins[state] else { return [] }
    return (origin.from.map(way) ?? []) + [LeakWay.Step(hop: origin.hop, app: state.app)]
  }

  private mutating func retype(_ state: Possession, as target: Possession) {
    guard case .own(let number) = target.form else { return }
    let app = world.apps[state.app]
    let hop = LeakHop(app: app.name, persona: app.personas[number].name, action: .retyped)
    land(Arrival(app: state.app, persona: number, hop: hop), from: state)
  }

  /// Copies the data for one persona of an app, and pastes them for another.
  private mutating func paste(_ state: Possession, _ sender: LeakMoves.Sender) {
    for persona in sender.app.personas.indices where persona != sender.number {
      transfer(state, sender, LeakMoves.paste, to: state.app, persona)
    }
  }

  private mutating func move(_ state: Possession, _ sender: LeakMoves.Sender) {
    for (index, app) in moves.receivers(of: sender) {
      for persona in app.personas.indices {
        for transfer in LeakMoves.transfers(to: app) {
          self.transfer(state, sender, transfer, to: index, persona)
        }
      }
    }
    if moves.isUntaggedSender(sender, of: state) {
      for link in moves.links.all {
        transitions += 1
        for arrival in moves.openings(of: link, by: sender) { land(arrival, from: state) }
      }
    }
    for (outside, party) in moves.places(for: sender) {
      if party.isManaged {
        store(state, sender, outside, party)
      } else {
        handOff(state, sender, outside, party)
      }
    }
  }

  /// Saves the data where apps of the location's account open them.
  private mutating func store(
    _ state: Possession, _ sender: LeakMoves.Sender, _ outside: LeakHop.Outside, _ party: Party
  ) {
    transitions += 1
    guard let storage = moves.storage(outside, of: party, from: sender) else { return }
    let readers = storages.readers(of: storage.place, after: sender.app.name)
    for index in moves.seekers(after: sender)
    where index == sender.index || readers?.includes(world.apps[index].name) == true {
      for arrival in moves.openings(of: storage, in: index, after: sender) {
        land(arrival, from: state)
      }
    }
  }

  /// Opens the app's own URLs for other personas of it, which no other app of its class reaches so: they are asked to act
  /// for their account.
  private mutating func openWithin(_ state: Possession, _ sender: LeakMoves.Sender) {
    guard sender.app.personas.count > 1, moves.isUntaggedSender(sender, of: state) else { return }
    for link in moves.links.all {
      for arrival in moves.openings(of: link, by: sender) where arrival.app == sender.index {
        land(arrival, from: state)
      }
    }
  }

  private mutating func transfer(
    _ state: Possession, _ sender: LeakMoves.Sender, _ transfer: LeakHop.Transfer, to index: Int,
    _ number: Int
  ) {
    transitions += 1
    let app = world.apps[index]
    let receiver = app.personas[number]
    let sink = Leak.Sink.app(app.name, persona: receiver.name)
    let isOut = !receiver.party.isManaged
    guard isOut ? !found.contains(sink) : app.kind == .app else { return }
    let request = moves.request(transfer, from: sender, to: receiver)
    let answer = classes.answer(
      transfer, from: (state.app, sender.number), to: (index, number), request)
    guard answer.isAllowed else { return }
    let target = moves.arrival(
      of: request, becomesReceivers: answer.becomesReceivers, at: index)
    guard isOut || origins[target] == nil else { return }
    let hop = LeakHop(
      app: sender.app.name, persona: sender.persona.name,
      action: .transfer(transfer, to: app.name, as: receiver.name),
      requests: [request])
    // What is out is followed no further.
    if isOut {
      note(sink, at: index, from: state, by: hop)
    } else {
      reach(target, from: state, by: hop)
    }
  }

  private mutating func handOff(
    _ state: Possession, _ sender: LeakMoves.Sender, _ outside: LeakHop.Outside, _ party: Party
  ) {
    transitions += 1
    let sink = Leak.Sink.outside(outside)
    guard !found.contains(sink) else { return }
    let request = moves.request(outside, of: party, from: sender)
    let verdict = evaluate(request)
    guard verdict.outcome == .allowed else { return }
    let hop = LeakHop(
      app: sender.app.name, persona: sender.persona.name, action: .handOff(outside),
      requests: [request])
    note(sink, from: state, by: hop)
  }
}

/// Places that several apps share, as far as data have been left there: of what the first app leaves, all others get
/// it, of what the second does, the first.
private struct SharedPlaces<Place: Hashable> {
  private var first: [Place: String] = [:]
  private var isRead: Set<Place> = []

  enum Readers {
    case all
    case only(String)

    func includes(_ app: String) -> Bool {
      switch self {
      case .all: true
      case .only(let name): name == app
      }
    }
  }

  /// Who gets what an app leaves in a place; nil where all have it.
  mutating func readers(of place: Place, after app: String) -> Readers? {
    guard !isRead.contains(place) else { return nil }
    guard let name = first[place] else {
      first[place] = app
      return .all
    }
    guard name != app else { return nil }
    isRead.insert(place)
    return .only(name)
  }
}
