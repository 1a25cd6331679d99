internal import Leaks
internal import Lineage
internal import Model
internal import Policy

/// The judge of a walk over a world: data of a managed account may come only where the search for leaks finds a way, and
/// to no app that a query finds out of reach.
struct WorldJudge {
  /// The places that the search finds, by account.
  let known: Set<Arrival>
  private let managed: Set<String>
  /// The apps and extensions to which it is all one who is signed in, as those without the SDK.
  private let bare: Set<String>

  /// The deliveries that queries from each app to all others find.
  private let reached: Set<Delivery>

  /// Data of an account that begin in one app and come to another, also once they are out.
  struct Delivery: Hashable {
    /// UPN of the account, in lower case.
    var owner: String
    /// The apps or extensions, by their first guests.
    var from: String
    var to: String
  }

  /// Data of an account that come where no policy holds.
  struct Arrival: Hashable {
    /// UPN of the account, in lower case.
    var owner: String
    var place: Place

    enum Place: Hashable {
      /// An app, by its first guest, and for whom it acts: a UPN in lower case, `""` for the unknown account, nil for nobody.
      case app(String, identity: String?)
      /// A feature of the system, or a storage location and whose it is.
      case outside(String, account: String?)
    }
  }

  /// - Parameter report: what `search` finds, or is said to find.
  init(_ report: LeakReport, of search: LeakSearch) {
    let world = search.world
    reached = Self.deliveries(search)
    bare = Set(world.apps.filter { $0.signIns == nil }.map(\.name))
    managed = Set(world.managedAccounts.map { $0.upn.lowercased() })
    known = Set(
      report.leaks.map { [bare] leak in
        Arrival(
          owner: leak.owner.upn.lowercased(),
          place: Arrival.Place(leak.sink, in: world).withoutIdentity(in: bare))
      })
  }

  /// The deliveries that queries from each app to all others find.
  private static func deliveries(_ search: LeakSearch) -> Set<Delivery> {
    let names = Set(search.world.apps.map(\.name))
    let queries = names.sorted().filter(search.world.hasManagedAccount).map { name in
      (
        from: name,
        report: search.answer(LeakQuery(from: [name], to: names.subtracting([name]).sorted()))
      )
    }
    return Set(
      queries.flatMap { from, report in
        report.leaks.compactMap { leak in
          guard case .app(let name, _) = leak.sink else { return nil }
          return Delivery(owner: leak.owner.upn.lowercased(), from: from, to: name)
        }
      })
  }

  /// The apps to which data came on a device, as its journal has it, from the app in which they began, by any number of
  /// hops, and through whatever no policy protects. Ciphertext counts for nothing.
  func deliveries(_ events: [JournalEvent]) -> Set<Delivery> {
    struct Origin: Hashable { var owner, app: String }
    var origins: [Int: Set<Origin>] = [:]
    var deliveries: Set<Delivery> = []
    for hop in Lineage(events).hops {
      var known = Set(hop.sources.flatMap { origins[$0.item] ?? [] })
      if let sender = hop.sender {
        known.formUnion(own(hop).map { Origin(owner: $0, app: sender.name) })
      }
      origins[hop.number] = known
      guard !hop.isEncrypted, case .app(let receiver) = hop.holder else { continue }
      for origin in known where origin.app != receiver.name {
        deliveries.insert(Delivery(owner: origin.owner, from: origin.app, to: receiver.name))
      }
    }
    return deliveries
  }

  /// Whether a query finds the delivery.
  func expects(_ delivery: Delivery) -> Bool { reached.contains(delivery) }

  /// The places to which data came on a device, as its journal has it: of each piece of data the first.
  func arrivals(_ events: [JournalEvent]) -> Set<Arrival> {
    let hops = Lineage(events).hops
    var origins: [Int: Set<String>] = [:]
    var isOut: Set<Int> = []
    var arrivals: Set<Arrival> = []
    for hop in hops where hop.isManaged {
      let inside = hop.sources.map(\.item).filter { !isOut.contains($0) }
      let owners = Set(inside.flatMap { origins[$0] ?? [] }).union(own(hop))
      guard !owners.isEmpty else {
        isOut.insert(hop.number)
        continue
      }
      origins[hop.number] = owners
      guard let place = exit(of: hop)?.withoutIdentity(in: bare) else { continue }
      isOut.insert(hop.number)
      for owner in owners { arrivals.insert(Arrival(owner: owner, place: place)) }
    }
    return arrivals
  }

  /// Whether the search finds the place. An account that is not signed in to an app counts as an unknown one there.
  func expects(_ arrival: Arrival) -> Bool {
    var other = arrival
    other.place = arrival.place.ofUnknownAccount
    return known.contains(arrival) || known.contains(other)
  }

  /// The account whose content a hop moves that comes from no other.
  private func own(_ hop: Hop) -> [String] {
    guard hop.sources.isEmpty, hop.sender?.isManaged == true else { return [] }
    return [hop.owner.lowercased()].filter(managed.contains)
  }

  /// Where a hop takes data out: to an app in which somebody enters them anew for whom no policy is, or to where they are
  /// handed; nil where they stay.
  private func exit(of hop: Hop) -> Arrival.Place? {
    guard !hop.isEncrypted else { return nil }
    // An extension keeps what it was handed in its own container, for whomever it acts.
    if case .file = hop.holder { return nil }
    if let sender = hop.sender, !sender.isManaged, !hop.sources.isEmpty,
      hop.sources.allSatisfy({ $0.certainty != .certain })
    {
      return .init(sender)
    }
    guard hop.isUnmanaged else { return nil }
    switch hop.holder {
    case .app(let participant): return .init(participant)
    case .outside(_, let account?) where managed.contains(account.lowercased()): return nil
    case .outside(let place, let account): return .outside(place, account: account?.lowercased())
    case .pasteboard, .file, .device: return nil
    }
  }
}

extension Participant {
  /// The guest's name, without the number that each run of an extension has.
  fileprivate var name: String { String(guest.prefix { $0 != "#" }) }
}

extension WorldJudge.Arrival.Place {
  fileprivate init(_ participant: Participant) {
    self = .app(participant.name, identity: participant.identity?.lowercased())
  }

  fileprivate init(_ sink: Leak.Sink, in world: LeakWorld) {
    func identity(_ name: String) -> String? {
      switch name {
      case "", "unset": nil
      case "unknown": ""
      case let name:
        world.apps.flatMap(\.personas).first { $0.name == name }?.party.identity.account?.upn
          .lowercased() ?? name
      }
    }
    self =
      switch sink {
      case .app(let app, let persona): .app(app, identity: identity(persona))
      case .outside(let outside):
        .outside(
          outside.location?.rawValue ?? outside.channel.rawValue,
          account: identity(outside.account ?? ""))
      }
  }

  /// The place, as of an account that nobody knows.
  fileprivate var ofUnknownAccount: Self {
    switch self {
    case .app(let name, _?): .app(name, identity: "")
    case .outside(let place, _?): .outside(place, account: "")
    case .app, .outside: self
    }
  }

  /// The place, without for whom an app acts that is one of `apps`.
  fileprivate func withoutIdentity(in apps: Set<String>) -> Self {
    guard case .app(let name, _) = self, apps.contains(name) else { return self }
    return .app(name, identity: nil)
  }

  /// The place in a few words.
  var text: String {
    switch self {
    case .app(let app, nil): app
    case .app(let app, ""?): "\(app) as an unknown account"
    case .app(let app, let identity?): "\(app) as \(identity)"
    case .outside(let place, nil): place
    case .outside(let place, ""?): "\(place) of an unknown account"
    case .outside(let place, let account?): "\(place) of \(account)"
    }
  }
}
