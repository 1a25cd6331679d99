internal import GraphDocuments

/// A difference between the targeting of two policies.
public struct TargetingDifference: Sendable, Hashable {
  /// The label in the admin centre.
  public var label: String
  public var old: String
  public var new: String

  /// The difference in one line, such as `Device types: all -> unmanaged`.
  public var text: String { "\(label): \(old) -> \(new)" }
}

extension TargetingDifference {
  static func all(_ old: Targeting, _ new: Targeting) -> [TargetingDifference] {
    var differences: [TargetingDifference] = []
    func compare(_ label: String, _ old: String, _ new: String) {
      guard old != new else { return }
      differences.append(TargetingDifference(label: label, old: old, new: new))
    }
    compare("Target policy to", old.appGroup.rawValue, new.appGroup.rawValue)
    compare(
      "Apps", words(old.bundleIDs.subtracting(new.bundleIDs)),
      words(new.bundleIDs.subtracting(old.bundleIDs)))
    compare("Device types", words(old.levels), words(new.levels))
    return differences
  }

  private static func words(_ bundleIDs: Set<String>) -> String {
    bundleIDs.isEmpty ? "no other" : bundleIDs.sorted().joined(separator: ", ")
  }

  private static func words(_ levels: Set<Targeting.Level>?) -> String {
    guard let levels else { return "all" }
    return levels.isEmpty ? "none of iOS" : levels.map(\.rawValue).sorted().joined(separator: ", ")
  }
}
