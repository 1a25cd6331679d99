import Model

/// Finds the edits of the account's policy that would turn the answer to a launch, by trying them.
///
/// Every sentence is the result of evaluating the request again with that change made, and nothing else.
enum LaunchCounterfactuals {
  /// One edit, or two that only together turn the answer.
  struct Change {
    var counterfactuals: [LaunchCounterfactual]
    /// The action of the app after the change.
    var action: LaunchAction
  }

  /// The changes in sentences, at most ``Counterfactuals/maximum``, in the order in which an app checks the conditions.
  static func sentences(for request: LaunchRequest, verdict: Verdict) -> [String] {
    guard let policy = request.policy else { return [] }
    let changes = changes(for: request, outcome: verdict.outcome)
    return changes.prefix(Counterfactuals.maximum).map { change in
      let phrases = change.counterfactuals.map { $0.phrase(in: policy) }
      return phrases.joined(separator: " and ") + " " + effect(of: change)
    }
  }

  /// The single edits that turn the answer or, where none does, the pairs.
  static func changes(for request: LaunchRequest, outcome: Outcome) -> [Change] {
    guard let policy = request.policy else { return [] }
    let counterfactuals = LaunchCounterfactual.all(
      for: request, policy.settings, towards: outcome.opposite)
    func turned(by counterfactuals: [LaunchCounterfactual]) -> Change? {
      var changed = request
      var settings = policy.settings
      for counterfactual in counterfactuals { counterfactual.apply(&settings) }
      changed.policy = EffectivePolicy(settings: settings, origins: policy.origins)
      let verdict = evaluateLaunch(changed)
      guard verdict.outcome != outcome else { return nil }
      return Change(counterfactuals: counterfactuals, action: verdict.launchAction)
    }
    let single = counterfactuals.compactMap { turned(by: [$0]) }
    guard single.isEmpty else { return single }
    return counterfactuals.indices.flatMap { first in
      counterfactuals[(first + 1)...].compactMap { turned(by: [counterfactuals[first], $0]) }
    }
  }

  private static func effect(of change: Change) -> String {
    switch change.action {
    case .none: "would allow it"
    case .warn: "would allow it with a warning"
    case .block: "would block it"
    case .wipe: "would wipe the account's data"
    }
  }
}

extension Outcome {
  /// The direction in which the answer is to be turned.
  fileprivate var opposite: Counterfactual.Direction { self == .allowed ? .stricter : .looser }
}
