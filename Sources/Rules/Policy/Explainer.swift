package import Model

/// Renders verdicts in words for administrators.
package enum Explainer {
  /// The value and the source of a setting outside policies: an app configuration, a profile, entitlements.
  package struct Citation: Sendable, Hashable {
    package var value: String
    /// The source as `file:line`, or the party that supplied the value.
    package var source: String
    /// The sources of other policies with the same value, as `file:line`.
    package var otherSources: [String]

    package init(value: String, source: String, otherSources: [String] = []) {
      self.value = value
      self.source = source
      self.otherSources = otherSources
    }

    /// Creates a citation of some locations; nil if there are none.
    fileprivate init?(value: String, _ locations: [EffectivePolicy.Origin]) {
      let sources = locations.map { "\($0.file):\($0.line)" }
      guard let first = sources.first else { return nil }
      self.init(value: value, source: first, otherSources: Array(sources.dropFirst()))
    }
  }

  /// Explains the verdict on a transfer, with the changes that would reverse it.
  ///
  /// - Parameter refused: The original request, if ``documentImport(for:verdict:)`` returned this
  ///   one. The reason for the switch cites the original request.
  package static func explain(
    _ request: TransferRequest, _ verdict: Verdict, insteadOf refused: TransferRequest? = nil
  ) -> ExplainedVerdict {
    ExplainedVerdict(
      outcome: verdict.outcome, deciding: verdict.deciding.rule,
      reasons: verdict.reasons.map {
        explanation(of: $0, in: $0.rule == .documentImport ? refused ?? request : request)
      },
      changes: Counterfactuals.sentences(for: request, outcome: verdict.outcome))
  }

  /// Explains a verdict that no policy decided: on a sign-in, on a keychain access, or by the device itself.
  package static func explain(
    _ verdict: Verdict, citing citations: [Setting: Citation] = [:]
  ) -> ExplainedVerdict {
    let reasons = verdict.reasons.map { reason in
      explanation(of: reason, reason.setting.flatMap { citations[$0] })
    }
    return ExplainedVerdict(
      outcome: verdict.outcome, deciding: verdict.deciding.rule, reasons: reasons, changes: [])
  }

  /// Explains one reason. The text depends only on the reason, its side's policy and the device's
  /// state. Callers may cache the text until one of them changes.
  package static func explanation(of reason: Reason, in request: TransferRequest) -> Explanation {
    guard let setting = reason.setting else { return explanation(of: reason, nil) }
    if let value = request.value(of: setting) {
      let source = setting.holder == .profile ? "MDM profile" : "the app's configuration"
      return explanation(of: reason, Citation(value: value, source: source))
    }
    let policy = request.policy(of: reason.side)
    var explanation = explanation(of: reason, policy?.citation(of: setting))
    if reason.rule == .openInFilter, let settings = policy?.settings {
      // No document states that the filter overrides OS sharing if both are on.
      explanation.isAssumed = settings.disableProtectionOfManagedOutboundOpenInData
    }
    return explanation
  }

  private static func explanation(of reason: Reason, _ citation: Citation?) -> Explanation {
    Explanation(
      rule: reason.rule, side: reason.side, setting: reason.setting?.rawValue,
      label: reason.setting?.label, value: citation?.value, source: citation?.source,
      otherSources: citation?.otherSources ?? [],
      text: reason.rule.text(for: reason.side), isAssumed: reason.rule.isAssumed)
  }
}

extension EffectivePolicy {
  /// Returns a setting's value in words, with its source; nil if it is not a policy setting.
  package func citation(of setting: Setting) -> Explainer.Citation? {
    guard let words = settings.words(for: setting) else { return nil }
    guard self !== EffectivePolicy.lockDown else {
      return Explainer.Citation(value: words, source: "a view of several accounts")
    }
    if let stated = Explainer.Citation(value: words, locations(of: setting)) { return stated }
    guard words == Settings().words(for: setting) else {
      // The words may come from another property with this label: `managedApps` without a filter is
      // `Policy managed apps`.
      let others = Setting.allCases.filter { $0.label == setting.label }
      return others.lazy.compactMap {
        Explainer.Citation(value: words, self.locations(of: $0))
      }.first ?? Explainer.Citation(value: words, source: "not from a file")
    }
    return Explainer.Citation(
      value: "absent (default: \(words))", source: files.map { "absent in \($0)" } ?? "absent")
  }
}

extension TransferRequest {
  /// Returns the value of a setting outside policies; nil if it has no such value.
  fileprivate func value(of setting: Setting) -> String? {
    SettingTable.row(of: setting).citation?(self)
  }
}

extension Explainer {
  /// Explains the verdict on a launch, with the policy changes that would reverse it.
  package static func explain(_ request: LaunchRequest, _ verdict: Verdict) -> ExplainedVerdict {
    var explained = explain(verdict, citing: request.policy)
    explained.changes = LaunchCounterfactuals.sentences(for: request, verdict: verdict)
    return explained
  }

  /// Explains the verdict on a new PIN. There are no changes, because only another PIN would
  /// reverse the verdict.
  package static func explain(_ change: PINChange, _ verdict: Verdict) -> ExplainedVerdict {
    explain(verdict, citing: change.policy)
  }

  /// Explains a verdict with reasons that cite settings of `policy`.
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
