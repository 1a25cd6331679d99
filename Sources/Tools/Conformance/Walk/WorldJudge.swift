internal import Leaks
internal import Model
internal import Policy
internal import Reports

/// Judges a random walk over the apps of a scenario. A managed account's data may reach only places to which the leak
/// search finds a path, and only apps that a query finds reachable.
struct WorldJudge {
  /// The arrivals of accounts' data to which the search finds a path.
  let known: Set<Arrival>
  private let managed: Set<String>
  /// The apps and extensions whose behaviour does not depend on the signed-in account, such as apps without the SDK.
  private let bare: Set<String>

  /// The deliveries that queries find. For each app with a managed account, one query searches for deliveries from this
  /// app to all other apps.
  private let reached: Set<Delivery>

  /// A flow of an account's data from its app of origin to another app. The data may have left protection on the way.
  struct Delivery: Hashable {
    /// The account's UPN, in lower case.
    var owner: String
    /// The app or extension from which the data originates, identified by the name of its first guest.
    var from: String
    var to: String
  }

  /// The arrival of an account's data in a place without protection.
  struct Arrival: Hashable {
    /// The account's UPN, in lower case.
    var owner: String
    var place: Endpoint

    enum Endpoint: Hashable {
      /// An app, identified by the name of its first guest, with the identity that it acts for: a lower-case UPN, `""`
      /// for an unknown account, or nil for none.
      case app(String, identity: String?)
      /// A system feature, or a storage location with its account.
      case outside(String, account: String?)
    }
  }

  /// Creates a judge.
  ///
  /// - Parameter report: The leaks that `search` has found, or the leaks of another scenario that the walk is checked
  ///   against.
  init(_ report: LeakReport, of search: LeakSearch) {
    let world = search.world
    reached = Self.deliveries(search)
    bare = Set(world.apps.filter { $0.signIns == nil }.map(\.name))
    managed = Set(world.managedAccounts.map { $0.upn.lowercased() })
    known = Set(
      report.leaks.map { [bare] leak in
        Arrival(
          owner: leak.owner.upn.lowercased(),
          place: Arrival.Endpoint(leak.sink, in: world).withoutIdentity(in: bare))
      })
  }

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

  /// Returns the deliveries in a device's journal. A delivery may have several hops, some of them through unprotected
  /// places. Ciphertext does not count.
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

  func expects(_ delivery: Delivery) -> Bool { reached.contains(delivery) }

  /// Returns the places at which data left protection, according to a device's journal. Data is not followed after it
  /// has left protection.
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

  /// Returns whether the search finds a path to the place, for this account or for an unknown account. An account that
  /// is not signed in to an app counts as unknown there.
  func expects(_ arrival: Arrival) -> Bool {
    var other = arrival
    other.place = arrival.place.ofUnknownAccount
    return known.contains(arrival) || known.contains(other)
  }

  /// Returns the UPN of the managed account that owns the content, if the content originates in this hop. Empty if the
  /// content has sources or comes from an unmanaged sender.
  private func own(_ hop: Hop) -> [String] {
    guard hop.sources.isEmpty, hop.sender?.isManaged == true else { return [] }
    return [hop.owner.lowercased()].filter(managed.contains)
  }

  /// Returns the place at which a hop takes data out of protection; nil if the data stays protected. The place is the
  /// unprotected receiver. If a user retypes data in the sending app for an unprotected identity, the place is the
  /// sending app.
  private func exit(of hop: Hop) -> Arrival.Endpoint? {
    guard !hop.isEncrypted else { return nil }
    // Storing a file is not an exit, because an extension stores received items in its own container
    // under any identity.
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
  /// The guest's name. For an extension, omits the number of the run.
  fileprivate var name: String { String(guest.prefix { $0 != "#" }) }
}

extension WorldJudge.Arrival.Endpoint {
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

  /// A copy of the endpoint with an unknown account. An endpoint without an account is unchanged.
  fileprivate var ofUnknownAccount: Self {
    switch self {
    case .app(let name, _?): .app(name, identity: "")
    case .outside(let place, _?): .outside(place, account: "")
    case .app, .outside: self
    }
  }

  /// Returns the place without an identity if it is one of `apps`; otherwise, returns it unchanged.
  fileprivate func withoutIdentity(in apps: Set<String>) -> Self {
    guard case .app(let name, _) = self, apps.contains(name) else { return self }
    return .app(name, identity: nil)
  }

  var text: String {
    switch self {
    case .app(let app, nil): app
    case .app(let app, ""?): "\(app) as an unknown account"
    case .app(let app, let identity?): "\(app) as \(identity)"
    case .outside(let place, let account): StorageLocation.text(place, of: account)
    }
  }
}
