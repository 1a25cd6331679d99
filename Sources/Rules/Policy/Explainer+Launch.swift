public import Model

extension Explainer {
  /// The verdict on a launch, with what in the policy would have to differ for the other answer.
  public static func explain(_ request: LaunchRequest, _ verdict: Verdict) -> ExplainedVerdict {
    var explained = explain(verdict, citing: request.policy)
    explained.changes = LaunchCounterfactuals.sentences(for: request, verdict: verdict)
    return explained
  }

  /// The verdict on a new PIN. What would have to differ is the PIN.
  public static func explain(_ change: PINChange, _ verdict: Verdict) -> ExplainedVerdict {
    explain(verdict, citing: change.policy)
  }

  /// A verdict whose reasons read settings of `policy`.
  package static func explain(
    _ verdict: Verdict, citing policy: EffectivePolicy?
  ) -> ExplainedVerdict {
    var citations: [Setting: Citation] = [:]
    for setting in verdict.reasons.compactMap(\.setting) {
      citations[setting] = policy?.citation(of: setting)
    }
    return explain(verdict, citing: citations)
  }
}
