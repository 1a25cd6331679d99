internal import Model
internal import Policy

/// The complete, unreduced states and transitions of a search, for an external model checker.
///
/// Each place is a possible state of one account's data, or a sink. Moves are generated from every place, because the
/// model checker determines reachability.
package struct LeakModel {
  private(set) var places: [Place] = []
  private(set) var moves: [Move] = []
  /// The places in which data originates.
  private(set) var initialStates: [(place: Int, words: String)] = []
  private var numbers: [Place: Int] = [:]
  private var known: Set<[Int]> = []

  enum Place: Hashable {
    case state(LeakState, owner: Int)
    case sink(Leak.Sink, owner: Int)
  }

  struct Move {
    var from: Int
    var to: Int
    var words: String
  }

  package init(_ search: LeakSearch) {
    for (number, owner) in search.world.managedAccounts.enumerated() {
      add(LeakTransitions(of: owner, in: search), number)
    }
  }

  private mutating func add(_ moves: LeakTransitions, _ owner: Int) {
    for (state, hop) in moves.initialStates {
      initialStates.append((number(of: .state(state, owner: owner)), hop.text))
    }
    for (index, app) in moves.world.apps.enumerated() {
      let managed = app.personas.indices.filter { app.personas[$0].party.isManaged }
      let forms =
        managed.map(LeakState.Form.own(persona:)) + moves.tagged
      for form in forms { add(moves, from: LeakState(app: index, form: form), owner) }
    }
  }

  private mutating func add(_ moves: LeakTransitions, from state: LeakState, _ owner: Int) {
    let app = moves.world.apps[state.app]
    for target in moves.retypings(of: state) {
      guard case .own(let number) = target.form else { continue }
      let persona = app.personas[number]
      add(
        from: state, owner, to: Self.place(of: target, in: app, persona, owner),
        LeakHop(app: app.name, persona: persona.name, action: .retyped))
    }
    for (target, hop) in moves.signInChanges(of: state) {
      add(from: state, owner, to: .state(target, owner: owner), hop)
    }
    for arrival in moves.memories(of: state) { add(moves, from: state, arrival, owner) }
    for sender in moves.senders(of: state) {
      guard app.kind == .app else {
        addResults(moves, from: state, sender, owner)
        continue
      }
      addTransfers(moves, from: state, sender, owner)
      for (target, hop) in moves.echoes(of: sender, { .init(evaluate($3)) }) {
        add(
          from: state, owner, to: Self.place(of: target, in: app, sender.persona, owner), hop)
      }
      if moves.isUntaggedSender(sender, of: state) {
        addUntagged(moves, from: state, sender, owner)
      }
      for (outside, party) in moves.places(for: sender) {
        addPlace(moves, from: state, sender, outside, party, owner)
      }
    }
  }

  private mutating func addPlace(
    _ moves: LeakTransitions, from state: LeakState, _ sender: LeakTransitions.Sender,
    _ outside: LeakHop.Outside, _ party: Party, _ owner: Int
  ) {
    if let storage = moves.storage(outside, of: party, from: sender) {
      for index in moves.seekers(after: sender) {
        for arrival in moves.openings(of: storage, in: index, after: sender) {
          add(moves, from: state, arrival, owner)
        }
      }
    }
    guard !party.isManaged else { return }
    let verdict = evaluate(moves.request(outside, of: party, from: sender))
    guard verdict.outcome == .allowed else { return }
    add(
      from: state, owner, to: .sink(.outside(outside), owner: owner),
      LeakHop(app: sender.app.name, persona: sender.persona.name, action: .use(outside)))
  }

  private mutating func addUntagged(
    _ moves: LeakTransitions, from state: LeakState, _ sender: LeakTransitions.Sender, _ owner: Int
  ) {
    let kept = (sender.app.keychain?.groups ?? []).flatMap { moves.readers(of: $0, after: sender) }
    let opened = moves.links.all.flatMap { moves.openings(of: $0, by: sender) }
    for arrival in kept + opened { add(moves, from: state, arrival, owner) }
  }

  private mutating func add(
    _ moves: LeakTransitions, from state: LeakState, _ arrival: Arrival, _ owner: Int
  ) {
    let app = moves.world.apps[arrival.app]
    let place = Self.place(of: arrival.state, in: app, app.personas[arrival.persona], owner)
    add(from: state, owner, to: place, arrival.hop)
  }

  private mutating func addTransfers(
    _ moves: LeakTransitions, from state: LeakState, _ sender: LeakTransitions.Sender, _ owner: Int
  ) {
    let others = moves.receivers(of: sender)
    for (index, app) in [(state.app, sender.app)] + others {
      for (number, receiver) in app.personas.enumerated() {
        // Within an app, another of its personas pastes the data.
        let isOwn = index == state.app
        guard !isOwn || number != sender.number else { continue }
        for transfer in isOwn ? moves.pastes(of: sender) : moves.transfers(from: sender, to: app)
        where moves.receives(transfer, from: sender, as: number, in: index) {
          add(moves, transfer, from: state, sender, to: (index, receiver), owner)
        }
      }
    }
  }

  private mutating func add(
    _ moves: LeakTransitions, _ transfer: LeakHop.Transfer, from state: LeakState,
    _ sender: LeakTransitions.Sender, to place: (app: Int, persona: LeakWorld.Persona), _ owner: Int
  ) {
    let app = moves.world.apps[place.app]
    let request = moves.request(transfer, from: sender, to: place.persona)
    let answer = VerdictClasses.Answer(evaluate(request))
    guard answer.isAllowed else { return }
    let arrival = moves.arrival(
      of: request, transfer.type, becomesReceivers: answer.becomesReceivers, at: place.app)
    add(
      from: state, owner, to: Self.place(of: arrival, in: app, place.persona, owner),
      moves.hop(transfer, request, from: sender, to: app, place.persona))
  }

  private mutating func addResults(
    _ moves: LeakTransitions, from state: LeakState, _ plugIn: LeakTransitions.Sender, _ owner: Int
  ) {
    guard case .own = state.form else { return }
    for (index, app) in moves.receivers(of: plugIn) {
      for persona in app.personas {
        for result in moves.transfers(from: plugIn, to: app) {
          guard let start = moves.start(of: plugIn, by: persona, for: result),
            evaluate(start.request).outcome == .allowed
          else { continue }
          add(moves, result, from: state, plugIn, to: (index, persona), owner)
        }
      }
    }
  }

  /// Returns the place of data that an identity of an app has. If the identity is unmanaged, the place is a sink.
  private static func place(
    of state: LeakState, in app: LeakWorld.App, _ persona: LeakWorld.Persona, _ owner: Int
  ) -> Place {
    persona.party.isManaged
      ? .state(state, owner: owner) : .sink(.app(app.name, persona: persona.name), owner: owner)
  }

  private mutating func add(
    from state: LeakState, _ owner: Int, to place: Place, _ hop: LeakHop
  ) {
    let move = Move(
      from: number(of: .state(state, owner: owner)), to: number(of: place), words: hop.text)
    // One move between two places is enough.
    guard move.from != move.to, known.insert([move.from, move.to]).inserted else { return }
    moves.append(move)
  }

  private mutating func number(of place: Place) -> Int {
    if let number = numbers[place] { return number }
    places.append(place)
    numbers[place] = places.count
    return places.count
  }

  // MARK: Modelling languages

  /// The model in Promela, for SPIN. If a sink is reached, the model prints `leak` and the sink's number.
  package var promela: String {
    """
    /* The \(places.count) places that data of managed accounts might reach. SPIN finds those that it can reach.
       spin -a FILE && cc -w -DSAFETY -DBFS -DPRINTF -o pan pan.c && ./pan -n */
    short at = 0;
    active proctype data() {
    end:
      do
    \(initialStates.map { "  :: d_step { at == 0 -> at = \($0.place) } /* \($0.words.inComment) */" }.lines)
    \(moves.map { "  :: d_step { at == \($0.from) -> at = \($0.to) } /* \($0.words.inComment) */" }.lines)
    \(sinks.map { "  :: d_step { at == \($0.number) -> printf(\"leak \($0.number)\\n\") } /* \($0.words.inComment) */" }.lines)
      od
    }

    """
  }

  /// The model in Murphi, for Rumur. A reached sink is a covered property.
  package var murphi: String {
    """
    -- The \(places.count) places that data of managed accounts might reach. Rumur finds those that it can reach.
    -- rumur --deadlock-detection off --output model.c FILE && cc -w -march=native -o model model.c -lpthread -latomic
    type place: 0..\(places.count);
    var at: place;
    startstate "nowhere" begin at := 0; end;
    function leads(here: place; there: place): boolean;
    begin
      switch here
      case 0: return \(initialStates.map { "there = \($0.place)" }.joined(separator: " | "));
    \(targets.map { "  case \($0.from): return \($0.to.joined(separator: " |\n    "));" }.lines)
      end;
      return false;
    end;
    ruleset next: place do rule "move" leads(at, next) ==> begin at := next; end; end;
    \(sinks.map { "cover \"leak \($0.number)\" at = \($0.number); -- \($0.words.inComment)" }.lines)

    """
  }

  /// For each place with moves, its moves as text. The text of a move contains the next place and a comment that
  /// describes the move.
  private var targets: [(from: Int, to: [String])] {
    Dictionary(grouping: moves, by: \.from).sorted { $0.key < $1.key }.map { from, moves in
      (from, moves.map { "there = \($0.to) /* \($0.words.inComment) */" })
    }
  }

  private var sinks: [(number: Int, words: String)] {
    places.enumerated().compactMap { index, place in
      guard case .sink(let sink, _) = place else { return nil }
      return (index + 1, sink.name)
    }
  }
}

extension [String] {
  fileprivate var lines: String { joined(separator: "\n") }
}

extension String {
  /// The text for use inside a comment, without comment terminators and line breaks.
  fileprivate var inComment: String {
    replacing("*/", with: "* /").split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
