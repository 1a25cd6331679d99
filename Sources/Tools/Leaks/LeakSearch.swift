internal import Analysis
internal import Encodings
internal import Model
internal import Output
import Policy

/// A breadth-first search of all reachable states of data, so each path found is a shortest one.
///
/// An app keeps the data it has, and its moves do not depend on other apps' data. The states that the followed data can
/// reach are therefore the whole state space, and an endpoint outside them is unreachable.
package struct LeakSearch: Sendable {
  package let world: LeakWorld
  let behaviour: Behaviour
  package let kept: [Flow]
  /// The URLs that can carry data. Changes of policies do not affect them.
  let links: LeakLinks
  private let similar: SimilarAccounts

  /// A share of a managed account's data that suggested changes must not block.
  package struct Flow: Sendable, Hashable {
    package var from: String
    package var to: String

    package init(from: String, to: String) {
      self.from = from
      self.to = to
    }
  }

  /// The behaviour of apps and their users with received data.
  package enum Behaviour: String, Sendable, CaseIterable {
    /// Received data is sent only with its tag.
    case honest
    /// An app may also retype received data under any of its identities, which hides the data's origin.
    case careless
    /// Apps may also remember the data of an account that has signed out.
    case hostile
  }

  /// Creates a search of a world.
  ///
  /// - Parameter kept: The flows that the suggested changes must not close.
  package init(_ world: LeakWorld, _ behaviour: Behaviour, keeping kept: [Flow] = []) {
    self.world = world
    self.behaviour = behaviour
    self.kept = kept
    links = LeakLinks(world)
    similar = SimilarAccounts(world)
  }

  /// Returns a copy of the search that contains only the accounts that can affect one account's data.
  private func narrowed(to account: Account) -> LeakSearch {
    under(policiesOf: similar.part(of: world, for: account))
  }

  func under(policiesOf world: LeakWorld) -> LeakSearch { LeakSearch(world, self) }

  private init(_ world: LeakWorld, _ other: LeakSearch) {
    self.world = world
    behaviour = other.behaviour
    kept = other.kept
    links = other.links
    similar = SimilarAccounts(world)
  }

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

  /// Searches for leaks of each managed account and for the changes that close them.
  package func run() -> LeakReport {
    var report = explore()
    report.waysOut = waysOut
    if !report.isClean {
      report.closing = LeakClosing(self)
      report.onward = onward
    }
    return report
  }

  /// The ways out of the apps in which a managed account's data originates. Apps that no rule distinguishes count as
  /// one app.
  private var waysOut: WaysOut {
    let accounts = world.managedAccounts
    let stated = world.beginning
    let isStated = stated.contains { $0.personas.contains(where: \.party.isManaged) }
    var senders: [WayOut.Sender] = []
    for app in isStated ? stated : world.apps where app.kind == .app {
      for persona in app.personas where persona.party.isManaged {
        guard let account = persona.account,
          accounts.contains(where: { $0.isSameUser(as: account) })
        else {
          continue
        }
        let sender = WayOut.Sender(
          names: [app.name], party: persona.party, appPolicy: app.appPolicy, device: world.device)
        if let index = senders.firstIndex(where: sender.isLike) {
          if !senders[index].names.contains(app.name) { senders[index].names.append(app.name) }
        } else {
          senders.append(sender)
        }
      }
    }
    let policies = senders.compactMap(\.party.policy?.settings)
    return WaysOut(WayOut.all(among: policies), for: senders, .apps)
  }

  /// Searches for leaks of each managed account. A path without sign-ins and sign-outs is preferred even if
  /// it is longer.
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

  var thoroughRuns: [LeakRun] { world.managedAccounts.map { run(for: $0, isThorough: true) } }

  /// Runs the search for one account's data, including the states that sign-ins can produce. Each leak has a shortest
  /// path.
  ///
  /// - Parameter isThorough: Whether the search records an endpoint once for each class of sending apps.
  func run(for account: Account, isThorough: Bool = false) -> LeakRun {
    var run = LeakRun(
      LeakTransitions(of: account, in: narrowed(to: account)), isThorough: isThorough)
    run.explore()
    return run
  }

  /// The length of the text that a search pastes, in Unicode scalars. It is the minimum, because policies may allow
  /// only short texts.
  static let characters = 1
}

// MARK: - Queries about single apps

/// A search for the paths of data from some apps to others.
package struct LeakQuery: Sendable {
  /// The names of the apps in which data originates. If empty, data originates in all apps except the target.
  package var from: [String]
  package var to: [String]

  /// Creates a search for paths from any app in `from` to each app in `to`.
  package init(from: [String], to: [String]) {
    self.from = from
    self.to = to
  }
}

/// The answer to a ``LeakQuery``: a verdict for each target app.
///
/// The paths are the report's leaks. Data reaches an app if it reaches any of the app's identities or extensions, with
/// or without a policy.
package struct LeakAnswer: Sendable {
  private let from: [String]
  fileprivate let targets: [Target]
  /// The system features that received the data. The search does not follow data beyond them.
  var notFollowed: Set<Channel> = []

  /// A target app with its extensions.
  struct Target: Sendable {
    var app: String
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

  func verdicts(_ leaks: [Leak]) -> [(app: String, paths: [Leak])] {
    targets.map { target in (target.app, leaks.filter { target.contains($0.sink) }) }
  }

  var notFollowedText: String {
    notFollowed.map(\.row.counterpartWords).sorted().joined(separator: ", ")
  }

  func write(to writer: inout JSONWriter, _ leaks: [Leak]) {
    writer.object("query") { writer in
      writer.strings("from", from)
      writer.objects("verdicts", of: verdicts(leaks)) { writer, element in
        let (app, paths) = element
        writer.member("app", app)
        writer.member("reached", !paths.isEmpty)
        writer.strings("places", paths.map(\.sink.name).unique)
      }
      writer.strings("notFollowed", notFollowed.map(\.rawValue).sorted())
    }
  }
}

extension LeakReport {
  package var unreached: [String] {
    answer?.verdicts(leaks).filter(\.paths.isEmpty).map(\.app) ?? []
  }
}

extension LeakSearch {
  /// Searches for paths between apps, including paths through apps and locations that no policy protects.
  package func answer(_ query: LeakQuery) -> LeakReport {
    let answer = LeakAnswer(query, in: world)
    var report = LeakReport(world, behaviour: behaviour, keeping: [])
    report.answer = answer
    let names = Set(world.apps.map(\.name))
    // With `--from`, data originates in the same apps for each target.
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

  /// Searches for each account's data from the given origins. `run` includes the states that sign-ins and sign-outs
  /// produce; `stated` does not.
  private func follow(from origins: Set<String>) -> [(run: LeakRun, stated: LeakRun)] {
    let stated = under(policiesOf: world.stated)
    return world.managedAccounts.map { account in
      let run = follow(account, from: origins)
      let first = world.apps.allSatisfy(\.isStated) ? run : stated.follow(account, from: origins)
      return (run, first)
    }
  }

  /// The unmanaged app identities that data can reach, directly or through unprotected apps and locations.
  private var onward: [String] {
    let names = Set(world.apps.map(\.name))
    let unmanaged = Set(
      world.apps.flatMap { app in
        app.personas.filter { !$0.party.isManaged }
          .map { Leak.Sink.app(app.name, persona: $0.name) }
      })
    let sinks = world.managedAccounts.flatMap {
      narrowed(to: $0).follow($0, from: names).leaks.map(\.sink)
    }
    return sinks.filter(unmanaged.contains).map(\.text).unique
  }

  private func follow(_ account: Account, from origins: Set<String>) -> LeakRun {
    var run = LeakRun(LeakTransitions(of: account, in: self, followingFrom: origins))
    run.explore()
    return run
  }
}

extension LeakWorld {
  /// Returns the names of an app and its extensions.
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

  /// Returns whether a managed account can have data in an app or its extensions.
  package func hasManagedAccount(in name: String) -> Bool {
    let members = family(of: name)
    return apps.contains { app in
      members.contains(app.name) && app.personas.contains(where: \.party.isManaged)
    }
  }
}
