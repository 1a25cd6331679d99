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
    return upn.isSame(as: owner)
      || upn.prefix { $0 != "@" }.lowercased() == owner.lowercased()
  }
}

extension Lineage {
  /// The hops of all chains that the query asks for, from where the data began to where they came.
  public func chains(_ query: FlowQuery) -> Lineage {
    let hops = byNumber
    // Hops come after what they come from: owners go down the chains in one pass, and chains are walked up in another.
    var hasOwner: [Int: Bool] = [:]
    for hop in self.hops {
      hasOwner[hop.number] =
        query.isOwner(hop.owner) || hop.sources.contains { hasOwner[$0.item] == true }
    }
    var wanted: Set<Int> = []
    for hop in self.hops.reversed() {
      guard
        wanted.contains(hop.number) || query.isMet(by: hop) && hasOwner[hop.number] == true
      else { continue }
      wanted.insert(hop.number)
      for source in hop.sources where hops[source.item] != nil { wanted.insert(source.item) }
    }
    return Lineage(hops: self.hops.filter { wanted.contains($0.number) })
  }
}
