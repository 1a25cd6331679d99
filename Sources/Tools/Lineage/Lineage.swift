public import Model

/// The movements of data on a device, each with what it came from: a graph without cycles, since an item comes from
/// earlier ones alone.
public struct Lineage: Sendable, Equatable {
  /// The hops, in the order of their requests.
  public internal(set) var hops: [Hop]
  /// The names of all guests and bundle ids of the journal.
  let names: Set<String>
  /// The UPNs of all accounts that the journal names.
  let accounts: Set<String>
  /// The present UPNs of accounts that were called otherwise, by those in lower case.
  let renamed: [String: String]

  /// The lineage of the items of a journal.
  ///
  /// - Parameter events: all events of the journal, in their order.
  public init(_ events: [JournalEvent]) {
    var builder = LineageBuilder()
    for event in events { builder.add(event) }
    self.init(builder.hops, of: [builder])
  }

  init(_ hops: [Hop], of builders: [LineageBuilder]) {
    self.hops = hops
    names = builders.reduce(into: []) { $0.formUnion($1.names) }
    accounts = builders.reduce(into: []) { $0.formUnion($1.accounts) }
    renamed = builders.reduce(into: [:]) { $0.merge($1.renamed) { first, _ in first } }
  }

  /// The hops by their numbers.
  var byNumber: [Int: Hop] {
    Dictionary(hops.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The hops of the items that came from each item, by its number.
  var children: [Int: [Hop]] {
    var children: [Int: [Hop]] = [:]
    for hop in hops {
      for source in hop.sources { children[source.item, default: []].append(hop) }
    }
    return children
  }

  /// The hops of items that came from no other one.
  public var roots: [Hop] { hops.filter(\.sources.isEmpty) }
}
