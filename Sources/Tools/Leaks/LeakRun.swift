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
  /// The app that kept the data in each keychain group first.
  private var keepers: [String: Int] = [:]
  /// The keychain groups that all apps have read.
  private var readGroups: Set<String> = []
  private(set) var leaks: [Leak] = []
  private(set) var transitions = 0
  private(set) var depth = 0
  private var classes: VerdictClasses
  /// How many senders of each class have moved the data.
  private var moved: [VerdictClasses.Sender: Int] = [:]
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
      for sender in moves.senders(of: state) {
        paste(state, sender)
        if moves.isUntaggedSender(sender, of: state) { keep(state, sender) }
        if isWorthMoving(sender) { move(state, sender) }
      }
    }
  }

  /// Keeps the data in the app's keychain groups: of what the first app keeps all others read, and the first of what the
  /// second does.
  private mutating func keep(_ state: Possession, _ sender: LeakMoves.Sender) {
    for group in sender.app.keychain?.groups ?? [] where !readGroups.contains(group) {
      let first = keepers[group]
      guard first != sender.index else { continue }
      keepers[group] = first ?? sender.index
      if first != nil { readGroups.insert(group) }
      for arrival in moves.readers(of: group, after: sender)
      where first == nil || arrival.app == first {
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
      note(.app(app.name, persona: persona.name), from: state, by: arrival.hop)
    }
  }

  /// Whether the sender may reach something new: the first of its class has reached all but itself, the second that one,
  /// and further ones reach what these have, in no fewer hops.
  private mutating func isWorthMoving(_ sender: LeakMoves.Sender) -> Bool {
    let key = classes.sender(
      sender.index, sender.number, sender.persona.party, sender.owner)
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
    leaks.append(Leak(owner: moves.owner, sink: sink, hops: chain(to: state) + [hop]))
  }

  private func chain(to state: Possession) -> [LeakHop] {
    guard let origin = origins[state] else { return [] }
    return (origin.from.map(chain) ?? []) + [origin.hop]
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
    for (index, app) in world.apps.enumerated() where index != state.app {
      for persona in app.personas.indices {
        for transfer in LeakMoves.transfers(to: app) {
          self.transfer(state, sender, transfer, to: index, persona)
        }
      }
    }
    if moves.isUntaggedSender(sender, of: state) {
      for link in moves.links.all {
        for arrival in moves.openings(of: link, by: sender) { land(arrival, from: state) }
      }
    }
    for (outside, party) in moves.places(for: sender) { handOff(state, sender, outside, party) }
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
      verdict: Explainer.explain(request, evaluate(request)), request: request)
    // What is out is followed no further.
    if isOut {
      note(sink, from: state, by: hop)
    } else {
      reach(target, from: state, by: hop)
    }
  }

  private mutating func handOff(
    _ state: Possession, _ sender: LeakMoves.Sender, _ outside: LeakHop.Outside, _ party: Party
  ) {
    transitions += 1
    let sink = Leak.Sink.outside(outside)
    guard !party.isManaged, !found.contains(sink) else { return }
    let request = moves.request(outside, of: party, from: sender)
    let verdict = evaluate(request)
    guard verdict.outcome == .allowed else { return }
    let hop = LeakHop(
      app: sender.app.name, persona: sender.persona.name, action: .handOff(outside),
      verdict: Explainer.explain(request, verdict), request: request)
    note(sink, from: state, by: hop)
  }
}
