import Model
import Policy

/// The search for leaks of one account's data.
struct LeakRun {
  private let moves: LeakTransitions
  private var world: LeakWorld { moves.world }
  /// For each reached state, the preceding state and the hop from which it was first reached, and the number of moves.
  /// An initial state has no preceding state.
  private var origins: [LeakState: (from: LeakState?, hop: LeakHop, depth: Int)] = [:]
  private var queue: [LeakState] = []
  private var found: Set<Finding> = []
  /// Whether an endpoint is recorded separately for each class of sending apps; otherwise, it is recorded only once.
  private let isThorough: Bool
  private var keychain = SharedPlaces<String>()
  private var storages = SharedPlaces<Storage.Key>()
  private var received = SharedPlaces<Reception>()
  /// For each storage location, the index of an app without a policy that has opened data of another app from the
  /// location.
  private var openers: [Storage.Key: Int] = [:]
  /// The apps that have opened URLs, keyed by the class of the persona that opened them. Only the first two apps of
  /// each class are recorded.
  private var opened: [Int: Set<String>] = [:]
  /// The apps that have opened their own URLs, each with the identity for which it acted. A pair contains the indices
  /// of the app and of its persona.
  private var openedWithin: Set<[Int]> = []
  private(set) var leaks: [Leak] = []
  private(set) var transitions = 0
  private(set) var depth = 0
  private var classes: VerdictClasses
  /// The apps that have moved the data, by class of senders. Each app's name has the indices of the app's variants.
  /// Only the first two apps of each class are recorded.
  private var moved: [VerdictClasses.Sender: [String: Set<Int>]] = [:]
  var states: Int { origins.count }

  private struct Finding: Hashable {
    var sink: Leak.Sink
    /// The class of the sending app in a thorough search; otherwise 0.
    var app: Int
  }

  /// Data in one form at a group of receivers.
  private struct Reception: Hashable {
    var group: Int
    var form: LeakState.Form
  }

  init(_ moves: LeakTransitions, isThorough: Bool = false) {
    self.moves = moves
    self.isThorough = isThorough
    classes = VerdictClasses(moves.world)
  }

  mutating func explore() {
    for (state, hop) in moves.initialStates { reach(state, from: nil, by: hop) }
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
        guard sender.app.kind == .app else {
          for arrival in moves.containers(of: sender) { land(arrival, from: state) }
          handBack(state, sender)
          continue
        }
        paste(state, sender)
        echo(state, sender)
        if moves.isUntaggedSender(sender, of: state) {
          store(state, sender)
          open(state, sender)
        }
        if isWorthMoving(sender) { move(state, sender) }
      }
    }
  }

  /// Saves the data to the app's keychain groups, and records its arrival at the groups' readers.
  private mutating func store(_ state: LeakState, _ sender: LeakTransitions.Sender) {
    for group in sender.app.keychain?.groups ?? [] {
      guard let readers = keychain.readers(of: group, after: sender.app.name) else { continue }
      for arrival in moves.readers(of: group, after: sender)
      where readers.includes(world.apps[arrival.app].name) {
        land(arrival, from: state)
      }
    }
  }

  /// Records the arrival of untagged data.
  private mutating func land(_ arrival: Arrival, from state: LeakState) {
    transitions += 1
    arrive(at: arrival.state, as: arrival.persona, from: state, by: arrival.hop)
  }

  /// Records the arrival of data at a persona: an app that acts for one of its identities. Data outside policies is
  /// followed only for a query.
  private mutating func arrive(
    at target: LeakState, as number: Int, from state: LeakState, by hop: LeakHop
  ) {
    let app = world.apps[target.app]
    let persona = app.personas[number]
    if !persona.party.isManaged || moves.isFollowing {
      record(.app(app.name, persona: persona.name), at: target.app, from: state, by: hop)
    }
    if persona.party.isManaged || moves.isFollowing { reach(target, from: state, by: hop) }
  }

  /// Returns whether the sender may reach something that senders of its class have not reached.
  ///
  /// The first app of a class reaches all apps except itself, and the second app reaches the first app. Further apps of
  /// the class reach nothing new, and their paths are not shorter.
  private mutating func isWorthMoving(_ sender: LeakTransitions.Sender) -> Bool {
    let key = classes.sender(
      sender.index, sender.number, sender.persona.party, sender.owner, sender.types)
    let apps = moved[key, default: [:]]
    guard apps.count < 2 || apps[sender.app.name] != nil else { return false }
    return moved[key, default: [:]][sender.app.name, default: []].insert(sender.index).inserted
  }

  private mutating func reach(_ state: LeakState, from before: LeakState?, by hop: LeakHop) {
    guard origins[state] == nil else { return }
    let depth = before.flatMap { origins[$0]?.depth }.map { $0 + 1 } ?? 0
    origins[state] = (before, hop, depth)
    queue.append(state)
  }

  /// Records a leak if its endpoint is new.
  ///
  /// - Parameter app: The index of the receiving app; nil if no other app receives the data.
  private mutating func record(
    _ sink: Leak.Sink, at app: Int? = nil, from state: LeakState, by hop: LeakHop
  ) {
    guard found.insert(finding(sink, from: state)).inserted else { return }
    let moves = (origins[state]?.depth ?? 0) + 1
    depth = max(depth, moves)
    let last = LeakPath.Step(hop: hop, app: app ?? state.app)
    leaks.append(
      Leak(
        owner: self.moves.owner, sink: sink,
        hops: LeakPath(path(to: state) + [last], in: world).hops, moves: moves))
  }

  private mutating func finding(_ sink: Leak.Sink, from state: LeakState) -> Finding {
    Finding(sink: sink, app: isThorough ? classes.number(ofApp: state.app) : 0)
  }

  private func path(to state: LeakState) -> [LeakPath.Step] {
    guard let origin = origins[state] else { return [] }
    return (origin.from.map(path) ?? []) + [LeakPath.Step(hop: origin.hop, app: state.app)]
  }

  private mutating func retype(_ state: LeakState, as target: LeakState) {
    guard case .own(let number) = target.form else { return }
    let app = world.apps[state.app]
    let hop = LeakHop(app: app.name, persona: app.personas[number].name, action: .retyped)
    land(Arrival(app: state.app, persona: number, hop: hop), from: state)
  }

  /// Copies the data while the app acts for one identity, and pastes it while the app acts for another identity.
  private mutating func paste(_ state: LeakState, _ sender: LeakTransitions.Sender) {
    for persona in sender.app.personas.indices where persona != sender.number {
      for paste in moves.pastes(of: sender) {
        transfer(state, sender, paste, to: state.app, persona)
      }
    }
  }

  /// Shares the data with extensions that immediately return it.
  private mutating func echo(_ state: LeakState, _ sender: LeakTransitions.Sender) {
    for (target, hop) in moves.echoes(of: sender, { classes.answer($0, from: $1, to: $2, $3) }) {
      transitions += 1
      arrive(at: target, as: sender.number, from: state, by: hop)
    }
  }

  /// Returns data from an earlier run of an extension to apps, in a later run. Only retyped data can be returned,
  /// because the tags of the earlier run are lost.
  private mutating func handBack(_ state: LeakState, _ plugIn: LeakTransitions.Sender) {
    guard case .own = state.form else { return }
    for (number, group) in classes.groups.enumerated() where group.kind == .app {
      for result in LeakTransitions.results { transfer(state, plugIn, result, to: group, number) }
    }
  }

  private mutating func move(_ state: LeakState, _ sender: LeakTransitions.Sender) {
    for (number, group) in classes.groups.enumerated() {
      guard let any = group.members.first else { continue }
      for transfer in moves.transfers(from: sender, to: world.apps[any.app]) {
        self.transfer(state, sender, transfer, to: group, number)
      }
    }
    for (outside, party) in moves.places(for: sender) {
      if party.isManaged {
        store(state, sender, outside, party)
      } else {
        use(state, sender, outside, party)
      }
    }
  }

  /// Moves the data to a group of receivers, for which one verdict is enough.
  ///
  /// Only the first two sending apps of a class matter: the first app reaches all receivers except itself, and the
  /// second app reaches the first app.
  private mutating func transfer(
    _ state: LeakState, _ sender: LeakTransitions.Sender, _ transfer: LeakHop.Transfer,
    to group: VerdictClasses.Group, _ number: Int
  ) {
    transitions += 1
    let others = group.members.lazy.filter { [world] in
      world.apps[$0.app].name != sender.app.name
    }
    guard let any = others.first,
      moves.receives(transfer, from: sender, as: any.persona, in: any.app)
    else { return }
    let receiver = world.apps[any.app].personas[any.persona]
    let request = moves.request(transfer, from: sender, to: receiver)
    let answer = classes.answer(
      transfer, from: (state.app, sender.number), to: (any.app, any.persona), request)
    guard answer.isAllowed, isStarted(sender, by: (any.app, any.persona), for: transfer) else {
      return
    }
    let form = moves.arrival(
      of: request, transfer.type, becomesReceivers: answer.becomesReceivers, at: any.app
    ).form
    if isThorough, !receiver.party.isManaged,
      let member = others.first(where: { [world] in
        world.apps[$0.app].isPresent(beside: sender.app)
      })
    {
      self.transfer(state, sender, transfer, to: member.app, member.persona)
    }
    guard
      let readers = received.readers(
        of: Reception(group: number, form: form), after: sender.app.family)
    else { return }
    for member in others {
      let app = world.apps[member.app]
      guard readers.includes(app.family), app.isPresent(beside: sender.app) else { continue }
      self.transfer(state, sender, transfer, to: member.app, member.persona)
    }
  }

  /// Saves the data to an account's storage, and opens it in the apps that have this account.
  private mutating func store(
    _ state: LeakState, _ sender: LeakTransitions.Sender, _ outside: LeakHop.Outside, _ party: Party
  ) {
    transitions += 1
    guard let storage = moves.storage(outside, of: party, from: sender) else { return }
    let readers = storages.readers(of: storage.key, after: sender.app.name)
    let known = isThorough ? openers[storage.key] : nil
    let few = known == sender.index ? [sender.index] : [sender.index, known].compactMap(\.self)
    for index in readers == nil ? few : moves.seekers(after: sender)
    where few.contains(index) || readers?.includes(world.apps[index].name) == true {
      for arrival in moves.openings(of: storage, in: index, after: sender) {
        let isOut = !world.apps[index].personas[arrival.persona].party.isManaged
        if isOut, index != sender.index { openers[storage.key] = index }
        land(arrival, from: state)
      }
    }
  }

  /// Opens URLs with the data. The results depend only on the acting persona.
  ///
  /// The first app of a class reaches all apps except itself, and the second app reaches the first app. Each app also
  /// opens its own URLs for its other personas, because URLs from another app reach only the persona of the sender's
  /// account.
  private mutating func open(_ state: LeakState, _ sender: LeakTransitions.Sender) {
    let number = classes.number(ofPersona: sender.number, in: sender.index)
    let apps = opened[number, default: []]
    if apps.count < 2, opened[number, default: []].insert(sender.app.name).inserted {
      for link in moves.links.all {
        transitions += 1
        for arrival in moves.openings(of: link, by: sender) { land(arrival, from: state) }
      }
    }
    guard sender.app.personas.count > 1,
      openedWithin.insert([sender.index, sender.number]).inserted
    else { return }
    for link in moves.links.links(to: moves.variants[sender.app.name]?.first ?? sender.index) {
      transitions += 1
      for arrival in moves.openings(of: link, by: sender) where arrival.app == sender.index {
        land(arrival, from: state)
      }
    }
  }

  /// Returns whether the receiver may start the extension whose result the transfer returns. True if the transfer does
  /// not return a result.
  private mutating func isStarted(
    _ plugIn: LeakTransitions.Sender, by caller: (app: Int, persona: Int),
    for result: LeakHop.Transfer
  ) -> Bool {
    guard result.channel == .extensionResult else { return true }
    let persona = world.apps[caller.app].personas[caller.persona]
    guard let start = moves.start(of: plugIn, by: persona, for: result) else { return false }
    return classes.answer(
      start.share, from: caller, to: (plugIn.index, plugIn.number), start.request
    ).isAllowed
  }

  private mutating func transfer(
    _ state: LeakState, _ sender: LeakTransitions.Sender, _ transfer: LeakHop.Transfer,
    to index: Int,
    _ number: Int
  ) {
    transitions += 1
    let app = world.apps[index]
    let receiver = app.personas[number]
    let sink = Leak.Sink.app(app.name, persona: receiver.name)
    let isOut = !receiver.party.isManaged
    let isFollowed = !isOut || moves.isFollowing
    let finding = finding(sink, from: state)
    guard isFollowed || !found.contains(finding) else { return }
    let request = moves.request(transfer, from: sender, to: receiver)
    let answer = classes.answer(
      transfer, from: (state.app, sender.number), to: (index, number), request)
    guard answer.isAllowed else { return }
    let target = moves.arrival(
      of: request, transfer.type, becomesReceivers: answer.becomesReceivers, at: index)
    let isNew = isFollowed && origins[target] == nil
    guard isNew || (isOut || moves.isFollowing) && !found.contains(finding) else { return }
    let hop = moves.hop(transfer, request, from: sender, to: app, receiver)
    arrive(at: target, as: number, from: state, by: hop)
  }

  private mutating func use(
    _ state: LeakState, _ sender: LeakTransitions.Sender, _ outside: LeakHop.Outside, _ party: Party
  ) {
    transitions += 1
    let sink = Leak.Sink.outside(outside)
    guard moves.isFollowing || !found.contains(finding(sink, from: state)) else { return }
    let request = moves.request(outside, of: party, from: sender)
    let verdict = evaluate(request)
    guard verdict.outcome == .allowed else { return }
    let hop = LeakHop(
      app: sender.app.name, persona: sender.persona.name, action: .use(outside),
      requests: [request])
    record(sink, from: state, by: hop)
    if moves.isFollowing { reopen(state, sender, outside, request) }
  }

  /// Opens the data in the apps that can read the unprotected location to which it was saved.
  private mutating func reopen(
    _ state: LeakState, _ sender: LeakTransitions.Sender, _ outside: LeakHop.Outside,
    _ saving: TransferRequest
  ) {
    guard let location = outside.location else { return }
    // The space distinguishes account names from UPNs.
    let place = Storage.Key(location: location, account: " \(outside.account ?? "")")
    let readers = storages.readers(of: place, after: sender.app.name)
    for index in readers == nil ? [sender.index] : moves.seekers(after: sender)
    where index == sender.index || readers?.includes(world.apps[index].name) == true {
      for arrival in moves.openings(of: outside, in: index, after: sender, saving) {
        land(arrival, from: state)
      }
    }
  }
}

// MARK: - Shared storage

/// For each shared place, such as a keychain group, the first two apps that have left data there.
///
/// All other apps read the first app's data. Only the first app reads the second app's data, because all other apps
/// already have the data.
private struct SharedPlaces<Place: Hashable> {
  private var first: [Place: String] = [:]
  private var isRead: Set<Place> = []

  enum Readers: Equatable {
    case all
    case only(String)

    func includes(_ app: String) -> Bool {
      switch self {
      case .all: true
      case .only(let name): name == app
      }
    }
  }

  /// Returns the apps that read the data that `app` leaves in `place`; nil if all apps already have the data.
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
