internal import JSON
internal import Model
internal import Policy

/// A question about single apps: whether data that start in some of them reach others.
public struct LeakQuery: Sendable {
  /// The names of the apps in which data start; empty: all apps except the target.
  public var from: [String]
  /// The names of the target apps.
  public var to: [String]

  /// Creates the question whether data from any app of `from` reach each app of `to`.
  public init(from: [String], to: [String]) {
    self.from = from
    self.to = to
  }
}

/// The answer to a ``LeakQuery``: a verdict for each target app.
///
/// The ways are the leaks of the report. An app counts as reached if one of its extensions is, or one of its identities,
/// also one under a policy.
public struct LeakAnswer: Sendable {
  let from: [String]
  let targets: [Target]
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

  init(_ query: LeakQuery, in world: LeakWorld) {
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
  public func answer(_ query: LeakQuery) -> LeakReport {
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
  var onward: [String] {
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
  func family(of name: String) -> Set<String> {
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
