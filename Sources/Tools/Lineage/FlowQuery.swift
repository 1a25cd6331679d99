internal import Diagnostics
internal import Model

/// A choice of chains: whose data, and where they came.
public struct FlowQuery: Sendable, Equatable {
  /// The owner's UPN, or what stands before its `@`, in any casing; nil: everybody's data.
  public var owner: String?
  /// The name of a guest, a bundle id, a system feature or a storage location; nil: anywhere.
  public var destination: String?
  public var reach: Reach

  /// The places that chains must reach.
  public enum Reach: Sendable {
    case anywhere
    /// Where data of managed accounts are out of every policy's reach.
    case unmanaged
  }

  /// A query; without arguments, for everything.
  public init(
    owner: String? = nil, destination: String? = nil, reach: Reach = .anywhere
  ) {
    self.owner = owner
    self.destination = destination
    self.reach = reach
  }

  /// Whether a chain may end with `hop`.
  func isMet(by hop: Hop) -> Bool {
    if let destination, !hop.holder.isNamed(destination) { return false }
    return reach == .anywhere || hop.isUnmanaged
  }

  func isOwner(_ upn: String) -> Bool {
    guard let owner else { return true }
    return Self.isNamed(upn, owner)
  }

  /// Whether an account is called by its UPN, or by what stands before its `@`.
  fileprivate static func isNamed(_ upn: String, _ name: String) -> Bool {
    Account(upn: upn).isNamed(name) || upn.prefix { $0 != "@" }.lowercased() == name.lowercased()
  }
}

extension Lineage {
  /// The reason why nothing can be found by a query, in a clause: its owner or its destination stands nowhere in the
  /// journal, and is probably misspelt; nil where it may be found.
  package func objection(to query: FlowQuery) -> String? {
    if let destination = query.destination, !knows(destination) {
      let known = names.union(names.map(\.withoutCount)).union(Channel.names)
        .union(StorageLocation.allCases.map(\.rawValue))
      let hint = Suggestion.nearest(to: destination, among: known.sorted())
      return "no guest, app or place of the journal is called `\(destination)`\(hint)"
    }
    let owners = accounts.union(hops.map(\.owner)).union(renamed.keys).filter { !$0.isEmpty }
    if let owner = query.owner, !owners.contains(where: query.isOwner) {
      let short = owners.map { String($0.prefix { $0 != "@" }) }
      let hint = Suggestion.nearest(to: owner, among: (owners.union(short)).sorted())
      return "no account of the journal is called `\(owner)`\(hint)"
    }
    return nil
  }

  private func knows(_ destination: String) -> Bool {
    destination == "pasteboard" || destination.contains("/")
      || Operation(rawValue: destination) != nil || StorageLocation(rawValue: destination) != nil
      || names.contains { $0.isGuest(of: destination) }
      || hops.contains { $0.holder.isNamed(destination) }
  }
}

extension Lineage {
  /// The hops of all chains that the query asks for, from where the data began to where they came.
  public func chains(_ query: FlowQuery) -> Lineage {
    let hops = byNumber
    // Whoever was called so is meant, too.
    let present = Set(renamed.filter { query.isOwner($0.key) }.map { $0.value.lowercased() })
    // Hops come after what they come from: owners go down the chains in one pass, and chains are walked up in another.
    var hasOwner: [Int: Bool] = [:]
    for hop in self.hops {
      hasOwner[hop.number] =
        query.isOwner(hop.owner) || present.contains(hop.owner.lowercased())
        || hop.sources.contains { hasOwner[$0.item] == true }
    }
    var wanted: Set<Int> = []
    for hop in self.hops.reversed() {
      guard
        wanted.contains(hop.number) || query.isMet(by: hop) && hasOwner[hop.number] == true
      else { continue }
      wanted.insert(hop.number)
      for source in hop.sources where hops[source.item] != nil { wanted.insert(source.item) }
    }
    var chosen = self
    chosen.hops.removeAll { !wanted.contains($0.number) }
    return chosen
  }
}
