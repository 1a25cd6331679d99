public import Model
internal import Policy

/// A setting of the admin centre that differs between two policies, in words.
public struct SettingDifference: Sendable, Hashable {
  /// The properties behind the label that differ, in the order of the admin centre.
  public var settings: [Setting]
  public var old: Value
  public var new: Value

  /// A value and its source.
  public struct Value: Sendable, Hashable {
    /// The value in the admin centre's words where it has some.
    public var words: String
    /// The source as `file:line`, or a note that the file does not state the value.
    public var source: String
  }

  /// The label in the admin centre.
  public var label: String { settings.first?.label ?? "" }

  /// Whether the setting decides flows, rather than access to the app.
  var decidesFlows: Bool { settings.first?.decidesFlows ?? false }

  /// The difference in one line, such as `Send org data to other apps: None (a.json:3) -> All apps (b.json:3)`.
  public var text: String {
    "\(label): \(old.words) (\(old.source)) -> \(new.words) (\(new.source))"
  }
}

extension SettingDifference {
  /// The labels under which two policies differ, in the order of the settings.
  static func all(_ old: EffectivePolicy, _ new: EffectivePolicy) -> [SettingDifference] {
    var labels: [(label: String, settings: [Setting])] = []
    for setting in old.settings.differences(from: new.settings) {
      if let index = labels.firstIndex(where: { $0.label == setting.label }) {
        labels[index].settings.append(setting)
      } else {
        labels.append((setting.label, [setting]))
      }
    }
    return labels.map { _, settings in
      SettingDifference(
        settings: settings, old: value(of: settings, in: old), new: value(of: settings, in: new))
    }
  }

  private static func value(of settings: [Setting], in policy: EffectivePolicy) -> Value {
    let citations = settings.compactMap { policy.citation(of: $0) }
    return Value(words: list(citations.map(\.value)), source: list(citations.map(\.source)))
  }

  /// The texts with commas between them, each of them once.
  private static func list(_ texts: [String]) -> String {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }.joined(separator: ", ")
  }
}
