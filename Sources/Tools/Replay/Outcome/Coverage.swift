internal import Encodings
internal import Host
package import Model
internal import Policy

/// The rules that decided in a run, and the settings that verdicts cite.
///
/// A setting is exercised if a verdict cites it. It is exercised both ways if both permissive and restrictive verdicts
/// cite it.
package struct Coverage: Sendable {
  /// The number of reasons that name each rule, keyed by rule.
  package private(set) var rules: [Rule: Int] = [:]
  /// The outcomes of the verdicts that cite each setting, keyed by setting.
  package private(set) var settings: [Setting: Use] = [:]
  /// The settings for which the run's policies state a value.
  package private(set) var stated: Set<Setting> = []

  /// The outcomes of the verdicts that cite a setting.
  package struct Use: Sendable, Equatable {
    /// The number of verdicts that cite the setting and allow the transfer.
    package var allowed = 0
    /// The number of verdicts that cite the setting and block or encrypt the transfer.
    package var restricted = 0
  }

  /// Whether each policy took part in a decision, keyed by policy name.
  private var policies: [String: Bool]
  /// The coverage of the apps' code; nil if no code is given.
  private var code: CodeCoverage?

  /// Creates the coverage before a run.
  ///
  /// - Parameter policies: The names of the policies that can take part in decisions.
  package init(of policies: some Sequence<String> = [], by code: CodeCoverage? = nil) {
    self.policies = Dictionary(policies.map { ($0, false) }) { first, _ in first }
    self.code = code
  }

  package mutating func add(stated settings: some Sequence<Setting>) {
    stated.formUnion(settings)
  }

  /// Adds the verdicts and calls in the journal of one case.
  package mutating func add(_ events: some Sequence<JournalEvent>) {
    code?.add(events)
    for event in events {
      if let verdict = event.kind.verdict { add(verdict) }
      // A policy is stated before the first decision on which it is based.
      if case .policyStated(_, let names, _) = event.kind {
        for name in names { policies[name] = true }
      }
    }
  }

  private mutating func add(_ verdict: ExplainedVerdict) {
    for reason in verdict.reasons { rules[reason.rule, default: 0] += 1 }
    for setting in Set(verdict.reasons.compactMap { $0.setting.flatMap(Setting.init(rawValue:)) }) {
      if verdict.outcome == .allowed {
        settings[setting, default: Use()].allowed += 1
      } else {
        settings[setting, default: Use()].restricted += 1
      }
    }
  }

  /// The percentage of stated settings that a verdict cites, rounded down; 100 if no setting is
  /// stated.
  package var percent: Int {
    guard !stated.isEmpty else { return 100 }
    return stated.count { settings[$0] != nil } * 100 / stated.count
  }
}

extension JournalEvent.Kind {
  fileprivate var verdict: ExplainedVerdict? {
    switch self {
    case .decided(let decision): decision.verdict
    case .accessChecked(_, _, _, let verdict): verdict
    case .deviceStarted, .deviceStopped, .clockRead, .caseBegan, .stepBegan, .expectation,
      .stepFailed, .caseEnded, .faultInjected, .itemArrived, .guestStarted, .guestReady,
      .guestSuspended, .guestResumed, .guestExited, .claimIgnored, .accountEnrolled,
      .accountSignedIn, .accountSignedOut, .identitySwitched, .identitySwitchRequired,
      .accountNotAllowed, .accountRenamed, .wipeAdvanced, .accountWiped, .policyChanged,
      .policySaved, .appConfigured, .configurationDelivered, .notificationPosted,
      .telemetryRecorded,
      .declarationsApplied, .managedAppChanged, .administratorInformed, .delegateAsked,
      .enrollmentAsked, .enrollmentAnswered, .complianceAnswered, .remediationLooped, .policyAbsent,
      .policyStated, .factsStated, .ended, .extensionCompleted, .extensionCancelled:
      nil
    }
  }
}

extension Coverage {
  /// The coverage as text: one line for each stated setting, the policies that took part in no decision, the rules that
  /// no verdict names, and the calls of the SDK.
  package var text: String {
    var lines = ["Settings that the policies state: \(percent) % took part in a verdict"]
    let settings = settingsByName.map { [$0.rawValue, Self.words(for: self.settings[$0])] }
    lines += TextColumns.lines(settings, indent: 2)
    if !policies.isEmpty {
      let unused = policies.filter { !$0.value }.keys.sorted()
      lines.append(
        "Policies: \(policies.count - unused.count) of \(policies.count) took part in a decision"
          + (unused.isEmpty ? "" : "; these did not: \(unused.joined(separator: ", "))"))
    }
    let silent = Rule.allCases.filter { rules[$0] == nil }
    lines.append(
      "Rules: \(Rule.allCases.count - silent.count) of \(Rule.allCases.count) were cited"
        + (silent.isEmpty ? "" : "; these were not:"))
    lines += silent.map { "  \($0.rawValue)" }
    return lines.joined(separator: "\n") + "\n" + (code.map { "\n" + $0.text } ?? "")
  }

  private var settingsByName: [Setting] { stated.sorted { $0.rawValue < $1.rawValue } }

  private static func words(for use: Use?) -> String {
    switch (use?.allowed ?? 0, use?.restricted ?? 0) {
    case (0, 0): "never"
    case (let allowed, 0): "allowed \(allowed), never restricted"
    case (0, let restricted): "restricted \(restricted), never allowed"
    case (let allowed, let restricted): "allowed \(allowed), restricted \(restricted)"
    }
  }

  /// The coverage as JSON: `{"percent", "settings": [{"name", "allowed", "restricted"}], "rules": [{"name", "count"}],
  /// "policies": [{"name", "tookPart"}]}`. The arrays are ordered by name, and include elements without verdicts. If
  /// code is given, `calls` follow.
  package var json: String {
    JSONWriter.objectLine { writer in
      writer.member("percent", percent)
      writer.objects("settings", of: settingsByName) { writer, setting in
        let use = settings[setting] ?? Use()
        writer.member("name", setting.rawValue)
        writer.member("allowed", use.allowed)
        writer.member("restricted", use.restricted)
      }
      writer.objects("rules", of: Rule.allCases.sorted(by: { $0.rawValue < $1.rawValue })) {
        writer, rule in
        writer.member("name", rule.rawValue)
        writer.member("count", rules[rule] ?? 0)
      }
      writer.objects("policies", of: policies.sorted { $0.key < $1.key }) { writer, policy in
        writer.member("name", policy.key)
        writer.member("tookPart", policy.value)
      }
      code?.write(to: &writer)
    }
  }
}
