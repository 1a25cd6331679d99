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
  fileprivate static func changes(for request: TransferRequest, outcome: Outcome) -> [Change] {
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

  fileprivate struct Change {
    var cost = 0
    var outcome = Outcome.blocked
    var pulls: [(counterfactual: Counterfactual, alternative: Counterfactual.Alternative)] = []

    func sentence(for outcome: Outcome) -> String {
      let effect =
        switch (outcome, self.outcome) {
        case (.encrypted, _): "would deliver it readable"
        case (.blocked, _): "would allow it"
        case (.allowed, .encrypted): "would encrypt it"
        case (.allowed, _): "would block it"
        }
      let phrases = pulls.map { $0.counterfactual.phrase(for: $0.alternative) }
      return phrases.joined(separator: " and ") + " " + effect
    }
  }

  /// Returns the cheapest alternatives, one per counterfactual, that reverse the outcome; nil if no
  /// alternative does.
  private static func smallestChange(
    with counterfactuals: [Counterfactual], to request: TransferRequest, outcome: Outcome
  ) -> Change? {
    var best: Change?
    func pull(_ rest: ArraySlice<Counterfactual>, _ request: TransferRequest, _ change: Change) {
      guard change.cost < best?.cost ?? .max else { return }
      guard let counterfactual = rest.first else {
        let result = evaluate(request).outcome
        guard outcome == .allowed ? result < .allowed : result == .allowed else { return }
        best = change
        best?.outcome = result
        return
      }
      for alternative in counterfactual.alternatives {
        var request = request
        alternative.apply(&request)
        var change = change
        change.cost += alternative.cost
        change.pulls.append((counterfactual, alternative))
        pull(rest.dropFirst(), request, change)
      }
    }
    pull(counterfactuals[...], request, Change())
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
    /// The change of the policy's settings; nil if it is not a policy setting.
    var edit: ((inout Settings) -> Void)?
    var apply: (inout TransferRequest) -> Void
  }

  var setting: Setting
  /// The policy with the setting; nil if the setting belongs to the app or the device's MDM
  /// profile.
  var policy: EffectivePolicy?
  var sides: [Side] = []
  /// The alternative values, nearest first.
  var alternatives: [Alternative]

  /// Returns a value in backticks. A description of a value, such as `the text's length or more`,
  /// is unchanged.
  static func quoted(_ words: String) -> String {
    words.hasPrefix("the ") ? words : "`\(words)`"
  }

  /// Returns the change and its location: "`Send org data to other apps` = `None` in base.json:12 (sender)".
  func phrase(for alternative: Alternative) -> String {
    guard let policy else {
      let place = setting.holder == .profile ? "the MDM profile" : "the app's configuration"
      return
        "`\(setting.label)` \(alternative.relation) \(Self.quoted(alternative.words)) in \(place)"
    }
    let sides = sides.map(\.rawValue).joined(separator: " and ")
    let place =
      if let origin = policy.origins[setting] {
        "in \(origin.file):\(origin.line) (\(sides))"
      } else if let file = policy.file {
        "added to \(file) (\(sides))"
      } else {
        "in the policy of the \(sides)"
      }
    return "`\(setting.label)` \(alternative.relation) \(Self.quoted(alternative.words)) \(place)"
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
      for (counterfactual, alternative) in change.pulls {
        guard let edit = alternative.edit, counterfactual.policy === policy else { return nil }
        edit(&settings)
      }
      let result = judge(EffectivePolicy(settings: settings, origins: policy.origins))
      guard outcome == .allowed ? result < .allowed : result == .allowed else { return nil }
      let values = change.pulls.map { counterfactual, alternative in
        "`\(counterfactual.setting.label)` \(alternative.relation) "
          + Counterfactual.quoted(alternative.words)
      }
      return SettingProposal(
        text: values.joined(separator: " and "), settings: settings, outcome: result)
    }
  }
}

// MARK: - Setting changes

/// An alternative value of one setting, for the policies that state it in one location.
package struct SettingChange {
  /// The change and its location: "`Send org data to other apps` = `None` in base.json:12".
  package let text: String
  /// The setting and its location. In this location, a policy can have only one value.
  package let place: String
  private let setting: Setting
  private let policy: EffectivePolicy
  private let edit: (inout Settings) -> Void

  private init?(_ counterfactual: Counterfactual, _ alternative: Counterfactual.Alternative) {
    guard let policy = counterfactual.policy, let edit = alternative.edit else { return nil }
    let name = policy.name.map { " (\($0))" } ?? ""
    let place =
      if let origin = policy.origins[counterfactual.setting] {
        "in \(origin.file):\(origin.line) (\(origin.policy))"
      } else {
        policy.file.map { "added to \($0)\(name)" } ?? "added to the policy"
      }
    self.place = "\(counterfactual.setting.rawValue) \(place)"
    let value = Counterfactual.quoted(alternative.words)
    text = "`\(counterfactual.setting.label)` \(alternative.relation) \(value) \(place)"
    setting = counterfactual.setting
    self.policy = policy
    self.edit = edit
  }

  /// Returns the changes that would stop an allowed transfer: single changes, or pairs if no single
  /// change suffices.
  package static func stopping(_ request: TransferRequest) -> [[SettingChange]] {
    let all = CounterfactualBuilder(request: request, direction: .stricter).all()
    let choices = all.map { counterfactual in
      counterfactual.alternatives.map { (counterfactual, $0) }
    }
    let singles = choices.flatMap(\.self).map { [$0] }.filter { stops(request, $0) }
    let pairs = {
      choices.indices.flatMap { first in
        choices[(first + 1)...].flatMap { others in
          choices[first].flatMap { one in others.map { [one, $0] } }
        }
      }.filter { stops(request, $0) }
    }
    return (singles.isEmpty ? pairs() : singles)
      .sorted { $0.reduce(0) { $0 + $1.1.cost } < $1.reduce(0) { $0 + $1.1.cost } }
      .compactMap { changes in
        let changes = changes.map { SettingChange($0.0, $0.1) }
        return changes.contains { $0 == nil } ? nil : changes.compactMap(\.self)
      }
  }

  private static func stops(
    _ request: TransferRequest, _ changes: [(Counterfactual, Counterfactual.Alternative)]
  ) -> Bool {
    var changed = request
    for change in changes { change.1.apply(&changed) }
    return evaluate(changed).outcome < .allowed
  }

  /// Returns the policy after the change. A policy that states the setting elsewhere is returned unchanged.
  package func applied(to other: EffectivePolicy) -> EffectivePolicy {
    guard changes(other) else { return other }
    var settings = other.settings
    edit(&settings)
    return EffectivePolicy(settings: settings, origins: other.origins)
  }

  /// Returns the reason why the admin centre does not offer this change; nil if it does. `changed`
  /// is the policy after all changes.
  ///
  /// Source: Microsoft Learn, "iOS app protection policy settings", notes on the settings.
  package func obstacle(in changed: EffectivePolicy) -> String? {
    guard changes(changed) else { return nil }
    if Self.saving.contains(setting),
      changed.settings.allowedOutboundDataTransferDestinations != .managedApps
    {
      return "configurable only while `Send org data to other apps` is Policy managed apps"
    }
    if Self.opening.contains(setting),
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

  private func changes(_ other: EffectivePolicy) -> Bool {
    if policy.sharesPlace(of: setting, with: other) { return true }
    // If neither policy contains the setting, adding it to the file affects every policy from that
    // file.
    return policy.origins[setting] == nil && other.origins[setting] == nil
      && policy.file == other.file && policy.name == other.name
  }
}

extension EffectivePolicy {
  /// The combined names of the policies that contain the settings; nil if there are none.
  fileprivate var name: String? {
    let names = Set(origins.values.map(\.policy)).sorted()
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }
}
