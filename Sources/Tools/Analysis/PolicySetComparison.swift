public import Policy

/// What becomes of many policies where one set of them takes the place of another.
public struct PolicySetComparison: Sendable {
  /// Those that no policy of the other set is.
  public private(set) var added: [PolicyDocument] = []
  public private(set) var removed: [PolicyDocument] = []
  /// Those that are in both, and differ.
  public private(set) var changed: [Pair] = []
  /// Those that are in both, and differ in nothing that Sluice knows.
  public private(set) var unchanged: [Pair] = []

  /// One policy before and after.
  public struct Pair: Sendable {
    public var old: PolicyDocument
    public var new: PolicyDocument
    public var comparison: PolicyComparison

    public init(_ old: PolicyDocument, _ new: PolicyDocument) {
      self.old = old
      self.new = new
      comparison = PolicyComparison(old, new)
    }
  }

  /// Pairs policies by their ids, and what is left by their display names; of several alike the first with the first.
  public init(_ old: [PolicyDocument], _ new: [PolicyDocument]) {
    var partners: [Int: Int] = [:]
    var free = Array(new.indices)
    let keys: [KeyPath<PolicyDocument, String?>] = [\.id, \.name]
    for key in keys {
      for index in old.indices where partners[index] == nil {
        guard let value = old[index][keyPath: key],
          let place = free.firstIndex(where: { new[$0][keyPath: key] == value })
        else { continue }
        partners[index] = free.remove(at: place)
      }
    }
    for index in old.indices {
      guard let partner = partners[index] else {
        removed.append(old[index])
        continue
      }
      let pair = Pair(old[index], new[partner])
      if pair.comparison.isEmpty { unchanged.append(pair) } else { changed.append(pair) }
    }
    added = free.map { new[$0] }
  }

  /// Whether the same policies decide every flow alike.
  public var isSameBehaviour: Bool {
    added.isEmpty && removed.isEmpty && changed.allSatisfy(\.comparison.isSameBehaviour)
  }

  /// `1 added, 0 removed, 2 changed, 3 unchanged`.
  var summary: String {
    "\(added.count) added, \(removed.count) removed, \(changed.count) changed, \(unchanged.count) unchanged"
  }
}

extension PolicyDocument {
  /// The display name, as something that every policy may lack.
  fileprivate var name: String? { displayName }

  /// `Base (base.json)`.
  var title: String { "\(displayName) (\(file))" }
}
