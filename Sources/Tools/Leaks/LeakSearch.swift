internal import JSON
import Model
import Policy

/// The search for ways out of the organisation: all states of data that can be reached, breadth first, so that each way
/// that is found is a shortest one.
///
/// What an app has, it keeps, and what it may do with it does not depend on what others have. So the states that one
/// piece of data can reach are all that there is, and a place that is not among them is out of reach.
package struct LeakSearch: Sendable {
  package let world: LeakWorld
  let behaviour: Behaviour
  package let kept: [Flow]
  /// Where URLs lead, whatever the policies say.
  let links: LeakLinks

  /// A share that must stay possible, whatever is changed.
  package struct Flow: Sendable, Hashable {
    /// The names of the apps.
    package var from: String
    package var to: String

    /// A share of a managed account's data from one app to another.
    package init(from: String, to: String) {
      self.from = from
      self.to = to
    }
  }

  /// What apps and their users do with data that they were handed.
  package enum Behaviour: String, Sendable, CaseIterable {
    /// They hand it on under its tag, or not at all.
    case honest
    /// They also enter it anew for whoever the app acts for then, so that nothing tells where it came from.
    case careless
    /// They also remember what they had of an account that has signed out.
    case hostile
  }

  /// A search in `world`.
  ///
  /// - Parameter kept: the flows that what closes leaks must not close.
  package init(_ world: LeakWorld, _ behaviour: Behaviour, keeping kept: [Flow] = []) {
    self.world = world
    self.behaviour = behaviour
    self.kept = kept
    links = LeakLinks(world)
  }

  /// The same search in the same world under other policies.
  func under(policiesOf world: LeakWorld) -> LeakSearch { LeakSearch(world, self) }

  private init(_ world: LeakWorld, _ other: LeakSearch) {
    self.world = world
    behaviour = other.behaviour
    kept = other.kept
    links = other.links
  }

  /// The flows to be kept that the policies do not let through.
  package var closedFlows: [Flow] { kept.filter { !isOpen($0) } }

  private func isOpen(_ flow: Flow) -> Bool {
    let apps = world.apps.filter(\.isStated)
    let senders = apps.filter { $0.name == flow.from }.flatMap(\.personas)
    let receivers = apps.filter { $0.name == flow.to }.flatMap(\.personas)
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
  package func run() -> LeakReport {
    var report = explore()
    if !report.isClean {
      report.closing = LeakClosing(self)
      report.onward = onward
    }
    return report
  }

  /// All that was found: what is reached while nobody signs in or out by such a way, whatever is shorter.
  package func explore() -> LeakReport {
    var report = LeakReport(world, behaviour: behaviour, keeping: kept)
    let stated = under(policiesOf: world.stated)
    for account in world.managedAccounts {
      let run = run(for: account)
      let first = world.apps.allSatisfy(\.isStated) ? run : stated.run(for: account)
      report.add(run, first)
    }
    return report
  }

  /// The searches for the data of all accounts, each leak by a shortest way.
  var runs: [LeakRun] { world.managedAccounts.map(run) }

  /// The search for one account's data, in the world as it is and as sign-ins may make it.
  func run(for account: Account) -> LeakRun {
    var run = LeakRun(LeakMoves(of: account, in: self))
    run.explore()
    return run
  }

  /// The length of the text that is pasted, in Unicode scalars: the shortest, because policies let short ones through.
  static let characters = 1
}

// MARK: - Questions about single apps

/// A question about single apps: whether data that start in some of them reach others.
package struct LeakQuery: Sendable {
  /// The names of the apps in which data start; empty: all apps except the target.
  package var from: [String]
  /// The names of the target apps.
  package var to: [String]

  /// Creates the question whether data from any app of `from` reach each app of `to`.
  package init(from: [String], to: [String]) {
    self.from = from
    self.to = to
  }
}

/// The answer to a ``LeakQuery``: a verdict for each target app.
///
/// The ways are the leaks of the report. An app counts as reached if one of its extensions is, or one of its identities,
/// also one under a policy.
package struct LeakAnswer: Sendable {
  private let from: [String]
  fileprivate let targets: [Target]
  /// The features of the system that got the data; their use of the data is not followed.
  var notFollowed: Set<String> = []

  /// An app, with its extensions.
  struct Target: Sendable {
    var app: String
    /// The names of the app and its extensions.
    var members: Set<String>

    func contains(_ sink: Leak.Sink) -> Bool {
      switch sink {
      case .app(let name, _): members.contains(name)
      case .outside: false
      }
    }
  }

  fileprivate init(_ query: LeakQuery, in world: LeakWorld) {
    from = query.from
    targets = query.to.unique.map { Target(app: $0, members: world.family(of: $0)) }
  }

  /// The verdict on each app, in words, with the ways to it.
  func verdicts(_ leaks: [Leak]) -> [(app: String, ways: [Leak])] {
    targets.map { target in (target.app, leaks.filter { target.contains($0.sink) }) }
  }

  func write(to writer: inout JSONWriter, _ leaks: [Leak]) {
    writer.object("query") { writer in
      writer.array("from") { writer in for name in from { writer.string(name) } }
      writer.array("verdicts") { writer in
        for (app, ways) in verdicts(leaks) {
          writer.object { writer in
            writer.member("app", app)
            writer.member("reached", !ways.isEmpty)
            writer.array("places") { writer in
              for place in ways.map(\.sink.text).unique { writer.string(place) }
            }
          }
        }
      }
      writer.array("notFollowed") { writer in
        for name in notFollowed.sorted() { writer.string(name) }
      }
    }
  }
}

extension LeakReport {
  /// The target apps that are not reached.
  package var unreached: [String] {
    answer?.verdicts(leaks).filter(\.ways.isEmpty).map(\.app) ?? []
  }
}

extension LeakSearch {
  /// Searches paths between apps, also through apps and locations that no policy protects.
  package func answer(_ query: LeakQuery) -> LeakReport {
    let answer = LeakAnswer(query, in: world)
    var report = LeakReport(world, behaviour: behaviour, keeping: [])
    report.answer = answer
    let names = Set(world.apps.map(\.name))
    // With --from, data begin in the same apps for each target.
    let shared =
      query.from.isEmpty
      ? nil : follow(from: query.from.reduce(into: Set()) { $0.formUnion(world.family(of: $1)) })
    for target in answer.targets {
      for (run, first) in shared ?? follow(from: names.subtracting(target.members)) {
        report.add(run, first, reaching: target)
      }
    }
    return report
  }

  /// The searches for each account's data that begin in some apps, each with that while nobody signs in or out.
  private func follow(from origins: Set<String>) -> [(run: LeakRun, stated: LeakRun)] {
    let stated = under(policiesOf: world.stated)
    return world.managedAccounts.map { account in
      let run = follow(account, from: origins)
      let first = world.apps.allSatisfy(\.isStated) ? run : stated.follow(account, from: origins)
      return (run, first)
    }
  }

  /// The apps and identities without a policy that data reach, also once they are out.
  private var onward: [String] {
    let names = Set(world.apps.map(\.name))
    let unmanaged = Set(
      world.apps.flatMap { app in
        app.personas.filter { !$0.party.isManaged }
          .map { Leak.Sink.app(app.name, persona: $0.name) }
      })
    return world.managedAccounts.flatMap { follow($0, from: names).leaks }.map(\.sink)
      .filter(unmanaged.contains).map(\.text).unique
  }

  private func follow(_ account: Account, from origins: Set<String>) -> LeakRun {
    var run = LeakRun(LeakMoves(of: account, in: self, followingFrom: origins))
    run.explore()
    return run
  }
}

extension LeakWorld {
  /// An app, with the extensions that it contains, by name.
  fileprivate func family(of name: String) -> Set<String> {
    let bundleIDs = Set(
      apps.filter { $0.name == name && $0.kind == .app }
        .compactMap { $0.personas.first?.party.app.bundleID.lowercased() })
    let extensions = apps.filter { app in
      app.kind == .extension
        && (app.personas.first?.party.app.containingApp.map { bundleIDs.contains($0.lowercased()) }
          ?? false)
    }
    return Set([name] + extensions.map(\.name))
  }

  /// Whether a managed account has data of its own in an app or its extensions.
  package func hasManagedAccount(in name: String) -> Bool {
    let members = family(of: name)
    return apps.contains { app in
      members.contains(app.name) && app.personas.contains(where: \.party.isManaged)
    }
  }
}
