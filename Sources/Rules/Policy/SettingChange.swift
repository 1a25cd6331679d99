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
    let place =
      if let origin = policy.origins[counterfactual.setting] {
        " in \(origin.file):\(origin.line)"
      } else {
        policy.file.map { " added to \($0)" } ?? ""
      }
    self.place = "\(counterfactual.setting.rawValue)\(place)"
    text =
      "`\(counterfactual.setting.label)` \(alternative.relation) \(alternative.words)\(place)"
    setting = counterfactual.setting
    self.policy = policy
    self.edit = edit
  }

  /// The changes each of which keeps a transfer from being allowed, the smallest first.
  ///
  /// - Parameter request: a request that is allowed.
  package static func stopping(_ request: TransferRequest) -> [SettingChange] {
    let all = CounterfactualBuilder(request: request, direction: .stricter).all()
    let changes = all.flatMap { counterfactual in
      counterfactual.alternatives.compactMap { alternative -> (Int, SettingChange)? in
        var changed = request
        alternative.apply(&changed)
        guard evaluate(changed).outcome < .allowed else { return nil }
        return SettingChange(counterfactual, alternative).map { (alternative.cost, $0) }
      }
    }
    return changes.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// A policy after the change, which is the policy itself where it states the setting elsewhere.
  package func applied(to other: EffectivePolicy) -> EffectivePolicy {
    guard changes(other) else { return other }
    var settings = other.settings
    edit(&settings)
    return EffectivePolicy(settings: settings, origins: other.origins)
  }

  private func changes(_ other: EffectivePolicy) -> Bool {
    if policy.sharesPlace(of: setting, with: other) { return true }
    // Nobody states it yet: whoever adds it to the file does so for all that the file is for.
    return policy.origins[setting] == nil && other.origins[setting] == nil
      && policy.file == other.file
  }
}
