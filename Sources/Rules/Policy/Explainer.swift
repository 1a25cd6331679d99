package import Model

/// Explains verdicts to administrators in words.
package enum Explainer {
  /// A setting's value, with its source: a policy, an app configuration, a profile or the entitlements.
  package struct Citation: Sendable, Hashable {
    package var value: String
    /// The place that states the value, as `file:line`, or a phrase that describes it, such as `MDM profile`.
    package var source: String
    /// The places in other policies that state the same value, as `file:line`.
    package var otherSources: [String]

    package init(value: String, source: String, otherSources: [String] = []) {
      self.value = value
      self.source = source
      self.otherSources = otherSources
    }

    /// Creates a citation with the first location as its source and the others as other sources. Nil if there are no
    /// locations.
    fileprivate init?(value: String, _ locations: [EffectivePolicy.Origin]) {
      guard let first = locations.first else { return nil }
      self.init(
        value: value, source: first.words, otherSources: locations.dropFirst().map(\.words))
    }
  }

  /// Explains the verdict on a transfer. Adds the changes that would reverse it.
  ///
  /// - Parameter refused: If `request` is the result of ``documentImport(for:verdict:)``, the request that was passed
  ///   to that function; otherwise nil. The reason with the rule `documentImport` cites the policy in the refused
  ///   request.
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

  /// Explains a verdict, such as one on a sign-in or a keychain access, without a search for changes that would reverse
  /// it.
  package static func explain(
    _ verdict: Verdict, citing citations: [Setting: Citation] = [:]
  ) -> ExplainedVerdict {
    let reasons = verdict.reasons.map { reason in
      explanation(of: reason, reason.setting.flatMap { citations[$0] })
    }
    return ExplainedVerdict(
      outcome: verdict.outcome, deciding: verdict.deciding.rule, reasons: reasons, changes: [])
  }

  /// Explains one reason. The text depends only on the reason, the policy of its side, the apps' configurations and the
  /// device's restrictions. As long as these stay the same, callers may reuse the text.
  package static func explanation(of reason: Reason, in request: TransferRequest) -> Explanation {
    guard let setting = reason.setting else { return explanation(of: reason, nil) }
    if let value = request.value(of: setting) {
      let source = setting.holder == .profile ? "MDM profile" : "the app's configuration"
      return explanation(of: reason, Citation(value: value, source: source))
    }
    let policy = request.policy(of: reason.side)
    var explanation = explanation(of: reason, policy?.citation(of: setting))
    if policy?.assumes(reason.rule) == true { explanation.isAssumed = true }
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
  /// Returns whether the rule is assumed for this policy, because public documentation describes it only for policies
  /// with different settings.
  fileprivate func assumes(_ rule: Rule) -> Bool {
    // No document states that the filter overrides OS sharing if both are on.
    rule == .openInFilter && settings.disableProtectionOfManagedOutboundOpenInData
      // Learn describes releases of the SDK that do not read the state, not a state that is not set.
      || rule == .writingToolsFollowSend && settings.writingToolsConfigurationState == nil
      || rule == .genmojiFollowsSend && settings.genmojiConfigurationState == nil
  }

  /// Returns a setting's value in the admin centre's words, with its source. Nil if the setting does not belong to
  /// policies.
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
  /// Returns the value of a setting that belongs to an app configuration or MDM profile. Nil for other settings.
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

  /// Explains the verdict on a new PIN. Lists no changes, because only another PIN would reverse the verdict.
  package static func explain(_ change: PINChange, _ verdict: Verdict) -> ExplainedVerdict {
    explain(verdict, citing: change.policy)
  }

  /// Explains a verdict. For each reason's setting, cites the value in `policy`.
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

// MARK: - Changes that reverse a decision

/// Searches for changes of settings that would reverse the decision on a transfer.
///
/// Each sentence is verified by evaluating the request again with only that change.
enum Counterfactuals {
  /// The maximum number of sentences in an explanation.
  static let maximum = 4

  /// Returns sentences about the smallest changes that would reverse `outcome`, smallest first. If no single change
  /// suffices, they are about combinations of two or, if necessary, three changes. At most ``maximum`` sentences; empty
  /// if no combination suffices.
  static func sentences(for request: TransferRequest, outcome: Outcome) -> [String] {
    changes(for: request, outcome: outcome).map(\.sentence)
  }

  /// The effect that a change must have.
  struct Goal {
    /// The outcome without the change.
    let outcome: Outcome
    /// The outcome that the change must lead to; nil for a reversal. The reverse of `allowed` is any other outcome, and
    /// the reverse of any other outcome is `allowed`.
    var wanted: Outcome?

    fileprivate var direction: Counterfactual.Direction {
      wanted ?? (outcome == .allowed ? .blocked : .allowed) < outcome ? .stricter : .looser
    }

    func isMet(by result: Outcome) -> Bool {
      if let wanted { return result == wanted }
      return outcome == .allowed ? result < .allowed : result == .allowed
    }
  }

  /// Returns the changes that ``sentences(for:outcome:)`` describes, in the same order.
  ///
  /// - Parameter wanted: The outcome that the changes must lead to; nil for a reversal.
  static func changes(
    for request: TransferRequest, outcome: Outcome, to wanted: Outcome? = nil
  ) -> [Change] {
    let goal = Goal(outcome: outcome, wanted: wanted)
    let counterfactuals = CounterfactualBuilder.all(for: request, goal.direction)
    guard !counterfactuals.isEmpty else { return [] }
    let search = ChangeSearch(request, goal, counterfactuals)
    for count in 1...3 {
      let changes = search.changes(of: count)
      guard changes.isEmpty else {
        return distinct(changes.sorted { $0.cost < $1.cost }, for: outcome)
      }
    }
    return []
  }

  /// Adds the sentence to each change. Returns at most ``maximum`` changes, and none whose sentence repeats an earlier
  /// one.
  private static func distinct(_ changes: [Change], for outcome: Outcome) -> [Change] {
    var distinct: [Change] = []
    for var change in changes where distinct.count < maximum {
      change.sentence = change.text(for: outcome)
      if !distinct.contains(where: { $0.sentence == change.sentence }) { distinct.append(change) }
    }
    return distinct
  }

  struct Change {
    var cost = 0
    var outcome = Outcome.blocked
    var pulls: [Pull] = []
    /// A sentence that states the change and its effect; empty until the search is complete.
    var sentence = ""

    fileprivate func text(for outcome: Outcome) -> String {
      let effect =
        switch (outcome, self.outcome) {
        case (.encrypted, _): " would deliver it readable"
        case (.blocked, _): " would allow it"
        case (.allowed, .encrypted): " would encrypt it"
        case (.allowed, _): " would block it"
        }
      var text = ""
      text.reserveCapacity(200)
      for pull in pulls {
        if !text.isEmpty { text += " and " }
        pull.counterfactual.writePhrase(for: pull.alternative, in: pull.edit, to: &text)
      }
      text += effect
      return text
    }
  }

  /// One setting of a change, with its new value.
  struct Pull {
    var counterfactual: Counterfactual
    var alternative: Counterfactual.Alternative
    /// The edit in policy files that sets the value. Nil if the setting does not belong to policies.
    var edit: PlacedEdit?

    init(_ counterfactual: Counterfactual, _ alternative: Counterfactual.Alternative) {
      self.counterfactual = counterfactual
      self.alternative = alternative
    }

    func apply(to request: inout TransferRequest) {
      counterfactual.apply(alternative, to: &request)
    }
  }

  /// Determines the locations in policy files at which the choices must be made. Returns the choices with their edits,
  /// and the outcome after the edited policies are merged again. Nil if the choices exclude each other, or if this
  /// outcome does not meet the goal.
  ///
  /// - Parameter result: The outcome if the merged policies are edited directly. It is returned if no policy of the
  ///   request was merged from several.
  static func placed(
    _ choices: [Pull], to request: TransferRequest, for goal: Goal, _ result: Outcome
  ) -> (pulls: [Pull], outcome: Outcome)? {
    var pulls = choices
    for index in pulls.indices where pulls[index].alternative.edit != nil {
      guard let edit = PlacedEdit(pulls[index], of: request) else { return nil }
      pulls[index].edit = edit
    }
    guard request.policies.areMerged else { return (pulls, result) }
    guard !haveConflicts(pulls) else { return nil }
    var changed = request
    for pull in pulls where pull.edit == nil { pull.apply(to: &changed) }
    PlacedEdit.apply(pulls.compactMap(\.edit), to: &changed)
    let result = evaluate(changed).outcome
    return goal.isMet(by: result) ? (pulls, result) : nil
  }

  /// Returns whether two of the choices need different values for the same setting in the same location.
  private static func haveConflicts(_ pulls: [Pull]) -> Bool {
    pulls.indices.contains { index in
      pulls[..<index].contains { other in
        guard let edit = pulls[index].edit, other.edit?.sharesPlace(with: edit) == true else {
          return false
        }
        let (one, two) = (pulls[index].alternative, other.alternative)
        return one.relation != two.relation || one.words != two.words
      }
    }
  }
}

/// Finds the cheapest changes that meet a goal.
///
/// The search first edits the merged policies directly, which is fast. If a change then meets the goal, the search
/// edits the single policies and merges them again.
private final class ChangeSearch {
  private let request: TransferRequest
  private let goal: Counterfactuals.Goal
  private let counterfactuals: [Counterfactual]
  /// The indices of the counterfactuals in the current combination. For each of them, `chosen` contains the index of
  /// the chosen alternative. Copies of the counterfactuals would be expensive.
  private var combination: [Int] = []
  private var chosen: [Int] = []
  /// The cheapest change found so far for the current combination.
  private var best: Counterfactuals.Change?
  private var changes: [Counterfactuals.Change] = []

  init(
    _ request: TransferRequest, _ goal: Counterfactuals.Goal, _ counterfactuals: [Counterfactual]
  ) {
    self.request = request
    self.goal = goal
    self.counterfactuals = counterfactuals
  }

  /// Returns the cheapest change for each combination of `count` counterfactuals. Combinations that cannot meet the
  /// goal are left out.
  func changes(of count: Int) -> [Counterfactuals.Change] {
    guard count <= counterfactuals.count else { return [] }
    changes = []
    var request = request
    combine(count, from: 0, in: &request)
    return changes
  }

  /// Extends the combination in every possible way by `count` counterfactuals, starting at the index `start`, and
  /// searches the alternatives of each extended combination.
  private func combine(_ count: Int, from start: Int, in request: inout TransferRequest) {
    guard count > 0 else {
      best = nil
      choose(in: &request, cost: 0)
      if let best { changes.append(best) }
      return
    }
    for index in start..<counterfactuals.count {
      combination.append(index)
      combine(count - 1, from: index + 1, in: &request)
      combination.removeLast()
    }
  }

  /// Tries each alternative of the first counterfactual in the combination without a chosen alternative, together with
  /// every choice for the remaining counterfactuals. Restores the request afterwards.
  private func choose(in request: inout TransferRequest, cost: Int) {
    guard chosen.count < combination.count else {
      test(request, cost: cost)
      return
    }
    let index = combination[chosen.count]
    for (position, alternative) in counterfactuals[index].alternatives.enumerated() {
      let cost = cost + alternative.cost
      // The alternatives after this one cost as much or more.
      guard cost < best?.cost ?? .max else { break }
      chosen.append(position)
      switch alternative.change {
      case .policy:
        // Setting the policies back is faster than copying the request.
        let policies = request.policies
        counterfactuals[index].apply(alternative, to: &request)
        choose(in: &request, cost: cost)
        request.policies = policies
      case .request:
        var changed = request
        counterfactuals[index].apply(alternative, to: &changed)
        choose(in: &changed, cost: cost)
      }
      chosen.removeLast()
    }
  }

  /// Makes the chosen alternatives the best change if they meet the goal.
  private func test(_ changed: TransferRequest, cost: Int) {
    let result = evaluate(changed).outcome
    guard goal.isMet(by: result) else { return }
    let choices = zip(combination, chosen).map { index, alternative in
      Counterfactuals.Pull(counterfactuals[index], counterfactuals[index].alternatives[alternative])
    }
    guard let placed = Counterfactuals.placed(choices, to: request, for: goal, result) else {
      return
    }
    best = Counterfactuals.Change(cost: cost, outcome: placed.outcome, pulls: placed.pulls)
  }
}

/// A setting whose change could change a verdict, with its location and its alternative values.
struct Counterfactual {
  /// The direction in which settings must change to reverse an outcome.
  enum Direction {
    case stricter, looser
  }

  /// An alternative value of the setting. Changes with lower costs are preferred. If values are ordered by strictness,
  /// the cost is the number of steps from the current value.
  struct Alternative {
    /// The text between the setting's name and its value: `=`, `with` or `without`.
    var relation = "="
    /// The value in the admin centre's words, or a description of it.
    var words: String
    var cost = 1
    var change: Change

    enum Change {
      case policy((inout Settings) -> Void)
      /// A change of the app's configuration or of the device.
      case request((inout TransferRequest) -> Void)
    }

    /// The change of a policy's settings; nil if the setting does not belong to policies.
    var edit: ((inout Settings) -> Void)? {
      if case .policy(let edit) = change { edit } else { nil }
    }
  }

  var setting: Setting
  /// The policy that contains the setting; nil if the setting belongs to the app's configuration or the device's MDM
  /// profile.
  var policy: EffectivePolicy?
  /// The sides of a transfer on which the setting affects the verdict.
  var decidingSides: [Side] = []
  /// The sides in ``decidingSides`` that change together, because they share the policy or the location of the setting.
  var sides: [Side] = []
  /// The alternative values, nearest first.
  var alternatives: [Alternative]

  /// Applies the alternative to the merged policies, the app's configuration or the device of the request.
  func apply(_ alternative: Alternative, to request: inout TransferRequest) {
    switch alternative.change {
    case .policy(let edit):
      if let policy { request.policies.edit(setting, of: policy, edit) }
    case .request(let change): change(&request)
    }
  }

  /// Returns a value in backticks. A description of a value, which begins with `the` or `at least the`, is returned
  /// unchanged.
  static func quoted(_ words: String) -> String {
    words.hasPrefix("the ") || words.hasPrefix("at least the ") ? words : "`\(words)`"
  }

  /// Appends the change and its places: "`Send org data to other apps` = `None` in base.json:12 (sender)".
  fileprivate func writePhrase(
    for alternative: Alternative, in edit: PlacedEdit?, to text: inout String
  ) {
    text += "`"
    text += setting.label
    text += "` "
    text += alternative.relation
    text += " "
    text += Self.quoted(alternative.words)
    guard let edit else {
      text += setting.holder == .profile ? " in the MDM profile" : " in the app's configuration"
      return
    }
    let sides =
      edit.sides.count == 1
      ? edit.sides[0].rawValue : edit.sides.map(\.rawValue).joined(separator: " and ")
    if let places = edit.places.words() {
      text += " "
      text += places
      text += " ("
      text += sides
      text += ")"
    } else {
      text += " in the policy of the "
      text += sides
    }
  }
}

extension EffectivePolicy {
  /// Returns whether both policies take the setting from the same place, so one edit changes both.
  func sharesPlace(of setting: Setting, with other: EffectivePolicy) -> Bool {
    if self === other { return true }
    guard let origin = origins[setting] else { return false }
    return origin == other.origins[setting]
  }
}

// MARK: - Proposals

/// A change of a single policy that reverses the verdict on a request.
package struct SettingProposal: Sendable {
  /// The changed settings with their new values: "`Send org data to other apps` = `None` and …".
  package let text: String
  /// All settings of the policy after the change.
  package let settings: Settings
  package let outcome: Outcome

  package init(text: String, settings: Settings, outcome: Outcome) {
    (self.text, self.settings, self.outcome) = (text, settings, outcome)
  }

  /// Returns the smallest changes of `policy` alone that reverse the verdict on a request, smallest first. Changes that
  /// also involve another policy, the app's configuration or the device are left out.
  ///
  /// - Parameters:
  ///   - policy: A policy of the request.
  ///   - wanted: The outcome that the changes must lead to; nil for any reversal.
  ///   - judge: Returns the outcome of the request if the changed policy replaces `policy` everywhere.
  package static func reversing(
    _ request: TransferRequest, in policy: EffectivePolicy, to wanted: Outcome? = nil,
    judge: (EffectivePolicy) -> Outcome
  ) -> [SettingProposal] {
    let outcome = evaluate(request).outcome
    let goal = Counterfactuals.Goal(outcome: outcome, wanted: wanted)
    return Counterfactuals.changes(for: request, outcome: outcome, to: wanted).compactMap {
      change in
      var settings = policy.settings
      for pull in change.pulls {
        guard let edit = pull.alternative.edit, pull.counterfactual.policy === policy else {
          return nil
        }
        edit(&settings)
      }
      let result = judge(EffectivePolicy(settings: settings, origins: policy.origins))
      guard goal.isMet(by: result) else { return nil }
      let values = change.pulls.map { pull in
        "`\(pull.counterfactual.setting.label)` \(pull.alternative.relation) "
          + Counterfactual.quoted(pull.alternative.words)
      }
      return SettingProposal(
        text: values.joined(separator: " and "), settings: settings, outcome: result)
    }
  }
}
