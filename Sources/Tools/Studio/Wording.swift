internal import Model
internal import Policy

/// Converts texts for administrators: Graph's names and values of settings become the words of the admin centre.
struct Wording {
  /// The settings whose values the texts describe.
  private let settings: Settings

  private static let titles: [Setting: String] = {
    let lines = SettingPage.allCases.flatMap(\.lines)
    return Dictionary(
      lines.flatMap { line in line.settings.map { ($0, line.title) } },
      uniquingKeysWith: { first, _ in first })
  }()

  init(_ settings: Settings) { self.settings = settings }

  /// Replaces Graph's names of settings, and the values after the names, by the admin centre's words. For example, ``
  /// `saveAsBlocked` is false `` becomes `` `Save copies of org data` is `Allow` ``.
  func text(_ text: String) -> String {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    var result = ""
    // The last named setting, until its value or another clause follows.
    var subject: Setting?
    // Whether the text ends in a verb that a value follows.
    var expectsValue = false
    for (index, part) in parts.enumerated() {
      guard index.isMultiple(of: 2) else {
        let setting = Setting(rawValue: part)
        if let setting, let title = Self.titles[setting] {
          result += "`\(title)`"
          subject = setting
        } else if expectsValue, let subject {
          result += "`\(words(part, of: subject) ?? part)`"
        } else {
          result += "`\(part)`"
        }
        expectsValue = false
        continue
      }
      var rest = part[...]
      if let setting = subject, let verb = [" is ", " are "].first(where: { part.hasPrefix($0) }) {
        rest = part.dropFirst(verb.count)
        result += verb
        let value = rest.prefix { $0.isLetter || $0.isNumber }
        if rest.isEmpty {
          expectsValue = true
        } else if ["true", "false"].contains(value) || value.allSatisfy(\.isNumber),
          let words = words(String(value), of: setting)
        {
          result += "`\(words)`"
          rest = rest.dropFirst(value.count)
        }
      }
      // A list of names shares the value that follows: "`fingerprintBlocked` and `faceIdBlocked` are true".
      if !expectsValue, part != " and ", part != ", " { subject = nil }
      result += rest
    }
    return result
  }

  /// Returns a value of Graph in the admin centre's words; nil if the setting cannot have this value.
  private func words(_ value: String, of setting: Setting) -> String? {
    guard !value.isEmpty, let edit = try? SettingEdit(setting.rawValue, value) else { return nil }
    var settings = settings
    edit.apply(to: &settings)
    return settings.words(for: setting)
  }
}
