internal import Policy
public import Model

/// A setting of the admin centre that differs between two policies, in words.
public struct SettingDifference: Sendable, Hashable {
  /// The properties behind the label that differ, in the order of the admin centre.
  public var settings: [Setting]
  public var old: Value
  public var new: Value

  /// A value and where it stands.
  public struct Value: Sendable, Hashable {
    /// In the admin centre's words where it has some.
    public var words: String
    /// `file:line`, or that the file does not state it.
    public var source: String
  }

  /// The label in the admin centre.
  public var label: String { settings.first?.label ?? "" }

  /// Whether the setting decides flows, rather than who gets at the app at all.
  var decidesFlows: Bool { settings.first?.decidesFlows ?? false }

  /// `Send org data to other apps: None (a.json:3) -> All apps (b.json:3)`.
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
    var seen: Set<String> = []
    let words = citations.map(\.value).filter { seen.insert($0).inserted }
    let sources = citations.map(\.source).filter { seen.insert($0).inserted }
    return Value(
      words: words.joined(separator: ", "), source: sources.joined(separator: ", "))
  }
}
