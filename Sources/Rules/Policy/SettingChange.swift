internal import Model

/// A new value for one setting, with the policies in which it must be set.
package struct SettingChange {
  /// The change with its places: "`Send org data to other apps` = `None` in base.json:12 (Base)".
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

  /// Returns the changes that would stop an allowed transfer, smallest first. Each element has one change or, if no
  /// single change suffices, two changes. Only changes of policies are included.
  package static func stopping(_ request: TransferRequest) -> [[SettingChange]] {
    let all = CounterfactualBuilder.all(for: request, .stricter)
    let choices = all.map { counterfactual in
      counterfactual.alternatives.map { Counterfactuals.Pull(counterfactual, $0) }
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

  /// Returns the edits of policies that the choices require. Nil if the choices together do not stop the transfer.
  private static func stop(
    _ request: TransferRequest, _ choices: [Counterfactuals.Pull]
  ) -> [Counterfactuals.Pull]? {
    var changed = request
    for choice in choices { choice.apply(to: &changed) }
    let result = evaluate(changed).outcome
    guard result < .allowed else { return nil }
    return Counterfactuals.placed(
      choices, to: request, for: Counterfactuals.Goal(outcome: .allowed), result)?.pulls
  }

  /// Returns the policy with this change. A policy that contains none of the changed places is returned unchanged.
  package func applied(to other: EffectivePolicy) -> EffectivePolicy {
    other.changing(edit.setting, at: edit.places, edit.apply)
  }

  fileprivate struct Target: Hashable {
    var setting: Setting
    var place: EffectivePolicy.Place
  }

  fileprivate var setting: Setting { edit.setting }
  fileprivate var targets: [Target] { edit.places.map { Target(setting: edit.setting, place: $0) } }

  /// Returns the reason why the admin centre does not offer the changed setting in this policy. Nil if the admin centre
  /// offers it, or if the change does not edit the policy.
  ///
  /// Source: Microsoft Learn, "iOS app protection policy settings", notes on the settings.
  ///
  /// - Parameter changed: The policy after all changes.
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

  /// The settings that the admin centre offers only if "Send org data to other apps" is "Policy managed apps". The
  /// settings in `opening` depend in the same way on "Receive data from other apps".
  private static let saving: Set<Setting> = [.saveAsBlocked, .allowedDataStorageLocations]
  private static let opening: Set<Setting> = [
    .blockDataIngestionIntoOrganizationDocuments, .allowedDataIngestionLocations,
  ]
}

/// An index that finds the policies that a change edits.
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

  /// Returns the policies that are edited by at least one of the changes, in their original order.
  package func edited(by changes: [SettingChange]) -> [EffectivePolicy] {
    Set(changes.flatMap(\.targets).flatMap { indices[$0] ?? [] }).sorted().map { all[$0] }
  }
}

/// A list of changes, with an index that finds the changes that edit a policy.
package struct SettingChanges {
  package private(set) var all: [SettingChange] = []
  private var indices: [SettingChange.Target: [Int]] = [:]
  /// The settings that the changes concern, without duplicates.
  private var settings: [Setting] = []

  package init(_ changes: [SettingChange] = []) {
    for change in changes { append(change) }
  }

  /// Adds the changes that can be combined with the earlier ones (see ``exclude(_:)``). Returns the added changes.
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

  /// Returns whether a change in this list edits the same setting in the same place as `change`, so the two cannot be
  /// combined.
  package func exclude(_ change: SettingChange) -> Bool {
    change.targets.contains { indices[$0] != nil }
  }

  /// Returns the indices of the changes that edit the policy, in ascending order.
  package func indices(in policy: EffectivePolicy) -> [Int] {
    let found = settings.flatMap { setting in
      policy.places(of: setting).flatMap { place in
        indices[SettingChange.Target(setting: setting, place: place)] ?? []
      }
    }
    return Set(found).sorted()
  }

  package func applied(to policy: EffectivePolicy) -> EffectivePolicy {
    indices(in: policy).reduce(policy) { all[$1].applied(to: $0) }
  }

  /// Returns the changes that the admin centre does not offer in at least one of the policies, each with the reason.
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
