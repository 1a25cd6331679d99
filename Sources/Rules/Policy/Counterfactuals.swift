package import Model

/// Searches for changes that would reverse a transfer decision.
///
/// Each sentence is verified by evaluating the request again with only that change.
enum Counterfactuals {
  /// The maximum number of sentences in an explanation.
  static let maximum = 4

  /// Returns the smallest changes that would reverse `outcome`, smallest first. If no single change
  /// suffices, returns combinations of the fewest changes.
  static func sentences(for request: TransferRequest, outcome: Outcome) -> [String] {
    changes(for: request, outcome: outcome).map { $0.sentence(for: outcome) }
  }

  /// Returns the changes behind ``sentences(for:outcome:)``, in the same order.
  static func changes(for request: TransferRequest, outcome: Outcome) -> [Change] {
    let counterfactuals = CounterfactualBuilder(
      request: request, direction: outcome == .allowed ? .stricter : .looser
    ).all()
    for count in 1...3 {
      let changes = combinations(of: count, from: counterfactuals[...])
        .compactMap { smallestChange(with: $0, to: request, outcome: outcome) }
        .sorted { $0.cost < $1.cost }
      guard changes.isEmpty else {
        var seen: Set<String> = []
        return Array(
          changes.filter { seen.insert($0.sentence(for: outcome)).inserted }.prefix(maximum))
      }
    }
    return []
  }

  struct Change {
    var cost = 0
    var outcome = Outcome.blocked
    var pulls: [Pull] = []

    func sentence(for outcome: Outcome) -> String {
      let effect =
        switch (outcome, self.outcome) {
        case (.encrypted, _): "would deliver it readable"
        case (.blocked, _): "would allow it"
        case (.allowed, .encrypted): "would encrypt it"
        case (.allowed, _): "would block it"
        }
      return pulls.map(\.phrase).joined(separator: " and ") + " " + effect
    }
  }

  /// An alternative value of a change.
  struct Pull {
    var counterfactual: Counterfactual
    var alternative: Counterfactual.Alternative
    /// The edit of the policies that must change; nil if the setting is not a policy setting.
    var edit: PlacedEdit?

    fileprivate var phrase: String { counterfactual.phrase(for: alternative, in: edit) }
  }

  /// Returns the alternatives with the policies that must change; nil if they cannot be combined, or if the edits
  /// do not reverse the outcome after the policies are merged again.
  ///
  /// - Parameter result: The outcome after the change of the merged policies. If no side has several policies, it
  ///   is final.
  fileprivate static func placed(
    _ choices: [(Counterfactual, Counterfactual.Alternative)], to request: TransferRequest,
    reversing outcome: Outcome, _ result: Outcome
  ) -> (pulls: [Pull], outcome: Outcome)? {
    var changed = request
    var pulls: [Pull] = []
    for (counterfactual, alternative) in choices {
      var pull = Pull(counterfactual: counterfactual, alternative: alternative)
      if alternative.edit == nil {
        alternative.apply(&changed)
      } else {
        guard let edit = PlacedEdit(counterfactual, alternative, of: request) else { return nil }
        pull.edit = edit
      }
      pulls.append(pull)
    }
    guard request.hasMergedPolicy else { return (pulls, result) }
    guard !haveConflicts(pulls) else { return nil }
    PlacedEdit.apply(pulls.compactMap(\.edit), to: &changed)
    let result = evaluate(changed).outcome
    return isReversed(outcome, by: result) ? (pulls, result) : nil
  }

  /// Returns whether the alternatives are different values of one setting in the same place.
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

  private static func isReversed(_ outcome: Outcome, by result: Outcome) -> Bool {
    outcome == .allowed ? result < .allowed : result == .allowed
  }

  /// Returns the cheapest alternatives, one per counterfactual, that reverse the outcome; nil if no
  /// alternative does.
  ///
  /// Changes the merged policies first, which is fast, and then merges again only for alternatives that suffice.
  private static func smallestChange(
    with counterfactuals: [Counterfactual], to request: TransferRequest, outcome: Outcome
  ) -> Change? {
    var best: Change?
    let original = request
    typealias Choices = [(Counterfactual, Counterfactual.Alternative)]
    func pull(
      _ rest: ArraySlice<Counterfactual>, _ request: TransferRequest, _ choices: Choices, cost: Int
    ) {
      guard cost < best?.cost ?? .max else { return }
      guard let counterfactual = rest.first else {
        let result = evaluate(request).outcome
        guard isReversed(outcome, by: result),
          let placed = placed(choices, to: original, reversing: outcome, result)
        else { return }
        best = Change(cost: cost, outcome: placed.outcome, pulls: placed.pulls)
        return
      }
      for alternative in counterfactual.alternatives {
        var request = request
        alternative.apply(&request)
        pull(
          rest.dropFirst(), request, choices + [(counterfactual, alternative)],
          cost: cost + alternative.cost)
      }
    }
    pull(counterfactuals[...], request, [], cost: 0)
    return best
  }

  private static func combinations(of count: Int, from counterfactuals: ArraySlice<Counterfactual>)
    -> [[Counterfactual]]
  {
    guard count > 0 else { return [[]] }
    guard let first = counterfactuals.first else { return [] }
    let rest = counterfactuals.dropFirst()
    return combinations(of: count - 1, from: rest).map { [first] + $0 }
      + combinations(of: count, from: rest)
  }
}

/// A setting with its location and its alternative values.
struct Counterfactual {
  /// The direction that would reverse an outcome.
  enum Direction {
    case stricter, looser
  }

  /// An alternative value of the setting. The cost is the number of steps between neighbouring values.
  struct Alternative {
    /// The text between the setting's name and `words`.
    var relation = "="
    /// The value, in the admin centre's words.
    var words: String
    var cost = 1
    /// The change of a policy's settings; nil if the setting is not a policy setting.
    var edit: ((inout Settings) -> Void)?
    /// Changes the request's merged policies, the app's configuration or the device.
    var apply: (inout TransferRequest) -> Void
  }

  var setting: Setting
  /// The policy with the setting; nil if the setting belongs to the app or the device's MDM
  /// profile.
  var policy: EffectivePolicy?
  /// The sides on which the setting is evaluated.
  var decidingSides: [Side] = []
  /// The deciding sides that have the policy, or the setting in the same place.
  var sides: [Side] = []
  /// The alternative values, nearest first.
  var alternatives: [Alternative]

  /// Returns a value in backticks. A description of a value, such as `the text's length or more`,
  /// is unchanged.
  static func quoted(_ words: String) -> String {
    words.hasPrefix("the ") ? words : "`\(words)`"
  }

  /// Returns the change and its locations: "`Send org data to other apps` = `None` in base.json:12 (sender)".
  func phrase(for alternative: Alternative, in edit: PlacedEdit?) -> String {
    let value = "`\(setting.label)` \(alternative.relation) \(Self.quoted(alternative.words))"
    guard let edit else {
      let place = setting.holder == .profile ? "the MDM profile" : "the app's configuration"
      return "\(value) in \(place)"
    }
    let sides = edit.sides.map(\.rawValue).joined(separator: " and ")
    let place = edit.places.words().map { "\($0) (\(sides))" } ?? "in the policy of the \(sides)"
    return "\(value) \(place)"
  }
}

extension EffectivePolicy {
  /// Returns whether an edit of `setting` in one policy also changes the other.
  func sharesPlace(of setting: Setting, with other: EffectivePolicy) -> Bool {
    if self === other { return true }
    guard let origin = origins[setting] else { return false }
    return origin == other.origins[setting]
  }
}

// MARK: - Proposals

/// A change of one policy that reverses a verdict.
package struct SettingProposal: Sendable {
  /// The new values: "`Send org data to other apps` = `None` and …".
  package let text: String
  /// All settings of the policy after the change.
  package let settings: Settings
  /// The outcome after the change.
  package let outcome: Outcome

  package init(text: String, settings: Settings, outcome: Outcome) {
    (self.text, self.settings, self.outcome) = (text, settings, outcome)
  }

  /// Returns the smallest changes of one policy that reverse the verdict on a request, smallest first. Changes
  /// that also need another policy, the app's configuration or the device are left out.
  ///
  /// - Parameters:
  ///   - policy: A policy of the request.
  ///   - judge: Returns the outcome of the request with the changed policy everywhere that `policy` applies.
  package static func reversing(
    _ request: TransferRequest, in policy: EffectivePolicy,
    judge: (EffectivePolicy) -> Outcome
  ) -> [SettingProposal] {
    let outcome = evaluate(request).outcome
    return Counterfactuals.changes(for: request, outcome: outcome).compactMap { change in
      var settings = policy.settings
      for pull in change.pulls {
        guard let edit = pull.alternative.edit, pull.counterfactual.policy === policy else {
          return nil
        }
        edit(&settings)
      }
      let result = judge(EffectivePolicy(settings: settings, origins: policy.origins))
      guard outcome == .allowed ? result < .allowed : result == .allowed else { return nil }
      let values = change.pulls.map { pull in
        "`\(pull.counterfactual.setting.label)` \(pull.alternative.relation) "
          + Counterfactual.quoted(pull.alternative.words)
      }
      return SettingProposal(
        text: values.joined(separator: " and "), settings: settings, outcome: result)
    }
  }
}

// MARK: - Setting changes

/// An alternative value of one setting, in the policies that must state it.
package struct SettingChange {
  /// The change and its locations: "`Send org data to other apps` = `None` in base.json:12 (Base)".
  package let text: String
  private let edit: PlacedEdit

  private init?(_ pull: Counterfactuals.Pull) {
    guard let edit = pull.edit else { return nil }
    let words = edit.places.words { place in place.policy.map { " (\($0))" } ?? "" }
    let value = Counterfactual.quoted(pull.alternative.words)
    text =
      "`\(edit.setting.label)` \(pull.alternative.relation) \(value) "
      + (words ?? "added to the policy")
    self.edit = edit
  }

  /// Returns the changes that would stop an allowed transfer: single changes, or pairs if no single
  /// change suffices.
  package static func stopping(_ request: TransferRequest) -> [[SettingChange]] {
    let all = CounterfactualBuilder(request: request, direction: .stricter).all()
    let choices = all.map { counterfactual in
      counterfactual.alternatives.map { (counterfactual, $0) }
    }
    let singles = choices.flatMap(\.self).compactMap { stop(request, [$0]) }
    let pairs = {
      choices.indices.flatMap { first in
        choices[(first + 1)...].flatMap { others in
          choices[first].flatMap { one in others.map { [one, $0] } }
        }
      }.compactMap { stop(request, $0) }
    }
    return (singles.isEmpty ? pairs() : singles)
      .sorted {
        $0.reduce(0) { $0 + $1.alternative.cost } < $1.reduce(0) { $0 + $1.alternative.cost }
      }
      .compactMap { pulls in
        let changes = pulls.map { SettingChange($0) }
        return changes.contains { $0 == nil } ? nil : changes.compactMap(\.self)
      }
  }

  /// Returns the alternatives with the policies that must change, if they stop the request.
  private static func stop(
    _ request: TransferRequest, _ choices: [(Counterfactual, Counterfactual.Alternative)]
  ) -> [Counterfactuals.Pull]? {
    var changed = request
    for (_, alternative) in choices { alternative.apply(&changed) }
    let result = evaluate(changed).outcome
    guard result < .allowed else { return nil }
    return Counterfactuals.placed(choices, to: request, reversing: .allowed, result)?.pulls
  }

  /// Returns the policy after the change. A policy without the changed places is returned unchanged.
  package func applied(to other: EffectivePolicy) -> EffectivePolicy {
    other.changing(edit.setting, at: edit.places, edit.apply)
  }

  /// A setting in one policy.
  fileprivate struct Target: Hashable {
    var setting: Setting
    var place: EffectivePolicy.Place
  }

  fileprivate var setting: Setting { edit.setting }
  fileprivate var targets: [Target] { edit.places.map { Target(setting: edit.setting, place: $0) } }

  /// Returns the reason why the admin centre does not offer this change; nil if it does. `changed`
  /// is the policy after all changes.
  ///
  /// Source: Microsoft Learn, "iOS app protection policy settings", notes on the settings.
  package func obstacle(in changed: EffectivePolicy) -> String? {
    guard changed.places(of: edit.setting).contains(where: edit.places.contains) else { return nil }
    if Self.saving.contains(edit.setting),
      changed.settings.allowedOutboundDataTransferDestinations != .managedApps
    {
      return "configurable only while `Send org data to other apps` is Policy managed apps"
    }
    if Self.opening.contains(edit.setting),
      changed.settings.allowedInboundDataTransferSources != .managedApps
    {
      return "configurable only while `Receive data from other apps` is Policy managed apps"
    }
    return nil
  }

  /// The settings that the admin centre offers only for one choice of Send (`saving`) or Receive (`opening`).
  private static let saving: Set<Setting> = [.saveAsBlocked, .allowedDataStorageLocations]
  private static let opening: Set<Setting> = [
    .blockDataIngestionIntoOrganizationDocuments, .allowedDataIngestionLocations,
  ]
}

/// Policies, found by the changes that edit them.
package struct EditedPolicies {
  private let all: [EffectivePolicy]
  private var indices: [SettingChange.Target: [Int]] = [:]

  package init(_ policies: [EffectivePolicy], by changes: [SettingChange]) {
    all = policies
    let settings = Set(changes.map(\.setting))
    for (index, policy) in policies.enumerated() {
      for setting in settings {
        for place in policy.places(of: setting) {
          indices[SettingChange.Target(setting: setting, place: place), default: []].append(index)
        }
      }
    }
  }

  /// Returns the policies that one of the changes edits, in order.
  package func edited(by changes: [SettingChange]) -> [EffectivePolicy] {
    Set(changes.flatMap(\.targets).flatMap { indices[$0] ?? [] }).sorted().map { all[$0] }
  }
}

/// Changes of settings in many policies, found by the policies that they edit.
package struct SettingChanges {
  package private(set) var all: [SettingChange] = []
  private var indices: [SettingChange.Target: [Int]] = [:]
  /// The changed settings, without duplicates.
  private var settings: [Setting] = []

  package init(_ changes: [SettingChange] = []) {
    for change in changes { append(change) }
  }

  /// Adds the changes that no earlier one excludes, and returns them.
  @discardableResult
  package mutating func append(_ changes: [SettingChange]) -> SettingChanges {
    var new = SettingChanges()
    for change in changes where !exclude(change) {
      append(change)
      new.append(change)
    }
    return new
  }

  package mutating func append(_ change: SettingChange) {
    for target in change.targets { indices[target, default: []].append(all.count) }
    if !settings.contains(change.setting) { settings.append(change.setting) }
    all.append(change)
  }

  /// Returns whether one of the changes edits the same setting in the same place. There, a policy can have only one
  /// value.
  package func exclude(_ change: SettingChange) -> Bool {
    change.targets.contains { indices[$0] != nil }
  }

  /// Returns the indices of the changes that edit the policy, in order.
  package func indices(in policy: EffectivePolicy) -> [Int] {
    let found = settings.flatMap { setting in
      policy.places(of: setting).flatMap { place in
        indices[SettingChange.Target(setting: setting, place: place)] ?? []
      }
    }
    return Set(found).sorted()
  }

  /// Returns the policy after all changes.
  package func applied(to policy: EffectivePolicy) -> EffectivePolicy {
    indices(in: policy).reduce(policy) { all[$1].applied(to: $0) }
  }

  /// Returns the changes to values that the admin centre does not offer for one of the policies, with the reason.
  package func obstacles(in policies: [EffectivePolicy]) -> [(change: SettingChange, why: String)] {
    var found: [Int: String] = [:]
    for policy in policies {
      let own = indices(in: policy)
      guard !own.isEmpty else { continue }
      let changed = own.reduce(policy) { all[$1].applied(to: $0) }
      for index in own where found[index] == nil { found[index] = all[index].obstacle(in: changed) }
    }
    return found.sorted { $0.key < $1.key }.map { (all[$0.key], $0.value) }
  }
}
