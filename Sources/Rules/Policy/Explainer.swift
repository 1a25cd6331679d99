package import Model

/// Puts verdicts into the words that an administrator acts on.
package enum Explainer {
  /// The value and the source of a setting that no policy holds: an app configuration, a profile, entitlements.
  package struct Citation: Sendable, Hashable {
    package var value: String
    /// The source: `file:line`, or the party that stated the value.
    package var source: String

    /// Creates a citation.
    package init(value: String, source: String) {
      self.value = value
      self.source = source
    }
  }

  /// The explained verdict on a transfer, with the changes that would lead to the other answer.
  ///
  /// - Parameter refused: For a request that ``documentImport(for:verdict:)`` made, the request that it
  ///   stands in for: the reason why the app switched is cited from there.
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

  /// The explained verdict that no policy decided: a sign-in, a keychain access, the device's own decision.
  package static func explain(
    _ verdict: Verdict, citing citations: [Setting: Citation] = [:]
  ) -> ExplainedVerdict {
    let reasons = verdict.reasons.map { reason in
      explanation(of: reason, reason.setting.flatMap { citations[$0] })
    }
    return ExplainedVerdict(
      outcome: verdict.outcome, deciding: verdict.deciding.rule, reasons: reasons, changes: [])
  }

  /// One reason in words. The words depend on the reason, on the policy of its side and on the device's state
  /// alone, so that they may be kept as long as those stay the same.
  package static func explanation(of reason: Reason, in request: TransferRequest) -> Explanation {
    guard let setting = reason.setting else { return explanation(of: reason, nil) }
    if let value = request.value(of: setting) {
      let source = setting.holder == .profile ? "MDM profile" : "the app's configuration"
      return explanation(of: reason, Citation(value: value, source: source))
    }
    let policy = request.policy(of: reason.side)
    var explanation = explanation(of: reason, policy?.citation(of: setting))
    if reason.rule == .openInFilter, let settings = policy?.settings {
      // That the filter wins over OS sharing, where both are on, no document says.
      explanation.isAssumed = settings.disableProtectionOfManagedOutboundOpenInData
    }
    return explanation
  }

  private static func explanation(of reason: Reason, _ citation: Citation?) -> Explanation {
    Explanation(
      rule: reason.rule, side: reason.side, setting: reason.setting?.rawValue,
      label: reason.setting?.label, value: citation?.value, source: citation?.source,
      text: reason.rule.text(for: reason.side), isAssumed: reason.rule.isAssumed)
  }
}

extension EffectivePolicy {
  /// The value of a setting in the admin centre's words, and its source.
  package func citation(of setting: Setting) -> Explainer.Citation? {
    guard let words = settings.words(for: setting) else { return nil }
    if let origin = origins[setting] {
      return Explainer.Citation(value: words, source: "\(origin.file):\(origin.line)")
    }
    guard words == Settings().words(for: setting) else {
      return Explainer.Citation(value: words, source: "not from a file")
    }
    return Explainer.Citation(
      value: "absent (default: \(words))", source: file.map { "absent in \($0)" } ?? "absent")
  }

  /// The file that states the settings; nil where there are several files, or none.
  var file: String? {
    let files = Set(origins.values.map(\.file))
    return files.count == 1 ? files.first : nil
  }
}

extension TransferRequest {
  /// The value of a setting that no policy holds; nil where one does.
  fileprivate func value(of setting: Setting) -> String? {
    SettingTable.row(of: setting).citation?(self)
  }
}

extension Explainer {
  /// The explained verdict on a launch, with the changes to the policy that would lead to the other answer.
  package static func explain(_ request: LaunchRequest, _ verdict: Verdict) -> ExplainedVerdict {
    var explained = explain(verdict, citing: request.policy)
    explained.changes = LaunchCounterfactuals.sentences(for: request, verdict: verdict)
    return explained
  }

  /// The explained verdict on a new PIN, without changes: only another PIN would lead to the other answer.
  package static func explain(_ change: PINChange, _ verdict: Verdict) -> ExplainedVerdict {
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
