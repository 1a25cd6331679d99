import Model

/// A setting at the place where it can be changed, and the values to which it can.
struct Counterfactual {
  /// The direction in which an answer is to be turned.
  enum Direction {
    case stricter, looser
  }

  /// Another value of the setting. Costs count the steps between neighbouring values.
  struct Alternative {
    /// The text between the setting's name and `words`.
    var relation = "="
    /// The value, in the admin centre's words.
    var words: String
    var cost = 1
    /// The change of the policy's settings; nil where no policy holds the setting.
    var edit: ((inout Settings) -> Void)?
    var apply: (inout TransferRequest) -> Void
  }

  var setting: Setting
  /// The policy that holds the setting; nil: the app or the device's MDM profile does.
  var policy: EffectivePolicy?
  /// The sides that the policy speaks for.
  var sides: [Side] = []
  /// The other values, the nearest first.
  var alternatives: [Alternative]

  /// The change and its place in words: "`Send org data to other apps` = None in base.json:12 (sender)".
  func phrase(for alternative: Alternative) -> String {
    guard let policy else {
      let place = setting.holder == .profile ? "the MDM profile" : "the app's configuration"
      return "`\(setting.label)` \(alternative.relation) \(alternative.words) in \(place)"
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
    return "`\(setting.label)` \(alternative.relation) \(alternative.words) \(place)"
  }
}
