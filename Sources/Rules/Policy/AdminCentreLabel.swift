internal import Diagnostics
internal import GraphDocuments
import JSON
import Model

/// Labels and words of the Intune admin centre in files that should have Graph's properties and values.
///
/// Authors of hand-written policies tend to copy the labels of the admin centre.
enum AdminCentreLabel {
  /// The remedy for a property that is named by a label, such as
  /// ``; the admin centre's setting is `"printBlocked": true` in Graph``; nil where the name is no label.
  static func remedy(for member: JSONValue.Member) -> String? {
    var steps = 0
    guard let label = vocabulary.nearest(to: member.name, &steps), let settings = byLabel[label]
    else { return nil }
    let value = member.value.string.flatMap { text in written(text, of: settings) }
    let names = value ?? Phrase.all(of: settings.map { "`\($0.rawValue)`" })
    return "; in Graph, `\(label)` of the admin centre is \(names)"
  }

  /// Graph's properties with the values that the admin centre shows as `words`; nil where no value is shown so.
  static func written(_ words: String, of settings: [Setting]) -> String? {
    let wanted = normal(words)
    for candidate in combinations(of: settings) {
      let isMeant = settings.contains { candidate.words(for: $0).map(normal) == wanted }
      guard isMeant else { continue }
      let changed = settings.filter {
        SettingTable.row(of: $0).reading?.agrees(candidate, Settings()) == false
      }
      let shown = changed.isEmpty ? Array(settings.prefix(1)) : changed
      return Phrase.all(of: shown.map { "`\"\($0.rawValue)\": \(json(of: $0, in: candidate))`" })
    }
    return nil
  }

  /// The settings with every combination of values, those with the fewest changes first.
  private static func combinations(of settings: [Setting]) -> [Settings] {
    var all: [(settings: Settings, changes: Int)] = [(Settings(), 0)]
    for setting in settings {
      let variants = SettingTable.row(of: setting).variants
      all += all.flatMap { base in
        variants.map { variant in
          var settings = base.settings
          variant(&settings)
          return (settings, base.changes + 1)
        }
      }
    }
    return all.enumerated().sorted {
      ($0.element.changes, $0.offset) < ($1.element.changes, $1.offset)
    }.map(\.element.settings)
  }

  private static func json(of setting: Setting, in settings: Settings) -> String {
    var writer = JSONWriter()
    settings.graphValue(of: setting)?.write(to: &writer)
    return writer.text
  }

  /// Letters and digits alone, in lower case.
  private static func normal(_ words: String) -> String {
    words.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// The settings that policies hold, by their labels; several share one.
  private static let byLabel = Dictionary(
    grouping: SettingTable.entries.map(\.setting), by: \.label)
  private static let vocabulary = Vocabulary(byLabel.keys)
}
