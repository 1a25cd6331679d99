import Model

/// Another value of one setting, in the policies that state it in one place.
package struct SettingChange {
  /// The change and its place in words: "`Send org data to other apps` = None in base.json:12".
  package let text: String
  /// The setting and its place, of which a policy can have one value.
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
    text =
      "`\(counterfactual.setting.label)` \(alternative.relation) \(alternative.words) \(place)"
    setting = counterfactual.setting
    self.policy = policy
    self.edit = edit
  }

  /// The changes that keep a transfer from being allowed, each by itself or, where none does, two together.
  ///
  /// - Parameter request: a request that is allowed.
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

  /// A policy after the change, which is the policy itself where it states the setting elsewhere.
  package func applied(to other: EffectivePolicy) -> EffectivePolicy {
    guard changes(other) else { return other }
    var settings = other.settings
    edit(&settings)
    return EffectivePolicy(settings: settings, origins: other.origins)
  }

  /// The reason why the admin centre does not offer this change; nil: it offers the value.
  ///
  /// Source: Microsoft Learn, "iOS app protection policy settings", notes on the settings.
  ///
  /// - Parameter changed: a policy after all changes.
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

  /// The settings that the admin centre offers under one choice of Send, and under one of Receive.
  private static let saving: Set<Setting> = [.saveAsBlocked, .allowedDataStorageLocations]
  private static let opening: Set<Setting> = [
    .blockDataIngestionIntoOrganizationDocuments, .allowedDataIngestionLocations,
  ]

  private func changes(_ other: EffectivePolicy) -> Bool {
    if policy.sharesPlace(of: setting, with: other) { return true }
    // Nobody states it yet: whoever adds it to the file does so for all that the file is for.
    return policy.origins[setting] == nil && other.origins[setting] == nil
      && policy.file == other.file && policy.name == other.name
  }
}

extension EffectivePolicy {
  /// The names of the policies that state its settings, together; nil where none does.
  fileprivate var name: String? {
    let names = Set(origins.values.map(\.policy)).sorted()
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }
}
