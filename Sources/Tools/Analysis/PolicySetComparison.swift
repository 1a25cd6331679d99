public import Policy

/// The differences between two sets of policies, one of which takes the place of the other.
public struct PolicySetComparison: Sendable {
  /// The policies of the new set without a partner in the old set.
  public private(set) var added: [PolicyDocument] = []
  public private(set) var removed: [PolicyDocument] = []
  /// The policies that are in both sets, and differ.
  public private(set) var changed: [Pair] = []
  /// The policies that are in both sets, and differ in nothing that Sluice knows.
  public private(set) var unchanged: [Pair] = []

  /// One policy before and after.
  public struct Pair: Sendable {
    public var old: PolicyDocument
    public var new: PolicyDocument
    public var comparison: PolicyComparison

    /// Compares a policy before and after.
    public init(_ old: PolicyDocument, _ new: PolicyDocument) {
      self.old = old
      self.new = new
      comparison = PolicyComparison(old, new)
    }
  }

  /// Pairs policies by their ids, and the others by their display names; of several with the same key, the first with
  /// the first.
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

  /// Whether both sets have the same policies, and these decide every flow alike.
  public var isSameBehaviour: Bool {
    added.isEmpty && removed.isEmpty && changed.allSatisfy(\.comparison.isSameBehaviour)
  }

  /// The number of policies by change, such as `1 added, 0 removed, 2 changed, 3 unchanged`.
  var summary: String {
    "\(added.count) added, \(removed.count) removed, \(changed.count) changed, \(unchanged.count) unchanged"
  }
}

extension PolicyDocument {
  /// The display name with an optional type, which the key paths of pairing share.
  fileprivate var name: String? { displayName }

  /// The name with its file, such as `Base (base.json)`.
  var title: String { "\(displayName) (\(file))" }
}
