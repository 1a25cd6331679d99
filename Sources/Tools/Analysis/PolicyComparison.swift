public import Policy
internal import Model

/// What becomes possible, and what impossible, where one policy takes the place of another.
public struct PolicyComparison: Sendable {
  /// The flows on which the policies differ, in the order of the channels, the simplest first.
  public private(set) var flows: [FlowDifference] = []
  /// Settings that differ, though no flow does for it, because other differences make up for them.
  public private(set) var balanced: [BalancedDifference] = []
  /// Settings that differ, and on which no flow depends in either policy.
  public private(set) var inert: [SettingDifference] = []
  /// Settings of the access requirements and of conditional launch that differ.
  public let requirements: [SettingDifference]

  /// What says whom the policies are for; compared of documents alone.
  public var targeting: [TargetingDifference] = []

  /// Whether every flow is what it was.
  public var isSameBehaviour: Bool { flows.isEmpty }

  /// Whether there is nothing at all to tell.
  public var isEmpty: Bool {
    flows.isEmpty && balanced.isEmpty && inert.isEmpty && requirements.isEmpty
      && targeting.isEmpty
  }

  public init(_ old: PolicyDocument, _ new: PolicyDocument) {
    self.init(
      EffectivePolicy(settings: old.settings, origins: old.origins),
      EffectivePolicy(settings: new.settings, origins: new.origins))
    targeting = TargetingDifference.all(old.targeting, new.targeting)
  }

  public init(_ old: EffectivePolicy, _ new: EffectivePolicy) {
    let all = SettingDifference.all(old, new)
    requirements = all.filter { !$0.decidesFlows }
    let differences = all.filter(\.decidesFlows)
    guard !differences.isEmpty else { return }
    var search = DifferenceSearch(old, new, differences)
    search.run()
    flows = search.flows
    balanced = search.balanced
    inert = search.inert
  }
}
