import Model

/// A setting of access requirements or conditional launch, and one other value for it.
struct LaunchCounterfactual {
  var setting: Setting
  /// The action, where the admin centre offers several under one label.
  var action: String?
  /// The text between the setting's name and `words`.
  var relation = "="
  /// The value, in the admin centre's words.
  var words: String
  var apply: (inout Settings) -> Void

  /// The change and its place in words: "`Min OS version` (Block access) = 16.4 in base.json:12".
  func phrase(in policy: EffectivePolicy) -> String {
    let place =
      if let origin = policy.origins[setting] {
        "in \(origin.file):\(origin.line)"
      } else if let file = policy.file {
        "added to \(file)"
      } else {
        "in the account's policy"
      }
    let name = "`\(setting.label)`" + (action.map { " (\($0))" } ?? "")
    return "\(name) \(relation) \(words) \(place)"
  }

  /// The counterfactuals that could matter to `request`, in the order in which an app checks the conditions.
  static func all(
    for request: LaunchRequest, _ settings: Settings, towards direction: Counterfactual.Direction
  ) -> [LaunchCounterfactual] {
    switch direction {
    case .looser:
      let counterfactuals = LooserLaunchCounterfactuals(request: request, settings: settings)
      return counterfactuals.versions + counterfactuals.device + counterfactuals.account
        + counterfactuals.access
    case .stricter:
      let counterfactuals = StricterLaunchCounterfactuals(request: request, settings: settings)
      return counterfactuals.versions + counterfactuals.device + counterfactuals.account
        + counterfactuals.access
    }
  }
}
