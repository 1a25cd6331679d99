import Model
import Policy

/// The search for ways out of the organisation: all states of data that can be reached, breadth first, so that each way
/// that is found is a shortest one.
///
/// What an app has, it keeps, and what it may do with it does not depend on what others have. So the states that one
/// piece of data can reach are all that there is, and a place that is not among them is out of reach.
public struct LeakSearch: Sendable {
  package let world: LeakWorld
  let behaviour: Behaviour
  package let kept: [Flow]
  /// Where URLs lead, whatever the policies say.
  let links: LeakLinks

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
    /// They also remember what they had of an account that has signed out.
    case hostile
  }

  /// A search in `world`.
  ///
  /// - Parameter kept: the flows that what closes leaks must not close.
  public init(_ world: LeakWorld, _ behaviour: Behaviour, keeping kept: [Flow] = []) {
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
  public var closedFlows: [Flow] { kept.filter { !isOpen($0) } }

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
  public func run() -> LeakReport {
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
}

extension LeakSearch {
  /// The length of the text that is pasted, in Unicode scalars: the shortest, because policies let short ones through.
  static let characters = 1
}
