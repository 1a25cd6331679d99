public import Model

extension Explainer {
  /// The explained verdict on a launch, with the changes to the policy that would lead to the other answer.
  public static func explain(_ request: LaunchRequest, _ verdict: Verdict) -> ExplainedVerdict {
    var explained = explain(verdict, citing: request.policy)
    explained.changes = LaunchCounterfactuals.sentences(for: request, verdict: verdict)
    return explained
  }

  /// The explained verdict on a new PIN, without changes: only another PIN would lead to the other answer.
  public static func explain(_ change: PINChange, _ verdict: Verdict) -> ExplainedVerdict {
    explain(verdict, citing: change.policy)
  }

  /// The explained verdict whose reasons cite settings of `policy`.
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
