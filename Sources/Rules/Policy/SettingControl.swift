package import Model

/// The kind of control with which an administrator changes a line of a policy.
package enum SettingControl: Sendable, Equatable {
  /// One of a few values, in the words of the admin centre.
  case choice([String])
  case number(ClosedRange<Int>)
  /// A period, such as `90 days`. A number without a unit is in the admin centre's unit.
  case period(PeriodText.Unit)
  /// Any number of these values, in the words of the admin centre.
  case selection([String])
  /// Any number of free texts: schemes, links or device models.
  case list
  /// One free text, such as a version or a scheme; may be empty.
  case text
}

extension SettingPage.Line {
  /// The label, followed by the action if other lines have the same label.
  package var title: String { settings[0].label + (qualifier.map { " (\($0))" } ?? "") }

  package var control: SettingControl { Self.controls[settings[0]] ?? declaredControl }

  /// The controls of all lines, by their first setting. They are cached, because finding a choice's words requires
  /// trying its values.
  private static let controls = Dictionary(
    uniqueKeysWithValues: SettingPage.allCases.flatMap(\.lines).map {
      ($0.settings[0], $0.declaredControl)
    })

  private var declaredControl: SettingControl {
    let words = AdminCentreLabel.words(for: settings)
    guard words.isEmpty else { return .choice(words) }
    switch settings[0].domain {
    case .count: return .number(0...65_535)
    case .period(_, let unit): return .period(unit)
    case .schemes, .links, .models: return .list
    case .services: return .selection(settings[0].serviceWords.map(\.words))
    case .flag, .choice, .version, .scheme, nil: return .text
    }
  }

  /// Returns the values of the line in the form that ``SettingEdit`` reads: a single text, or a text per element of a
  /// list.
  package func texts(in settings: Settings) -> [String] {
    let setting = self.settings[0]
    if case .choice = control { return [settings.words(for: setting) ?? ""] }
    if case .selection = control {
      let known = setting.serviceWords
      return known.filter { settings.isUnchanged(by: $0.add, in: setting) }.map(\.words)
    }
    switch settings.graphValue(of: setting) {
    case .texts(let texts), .schemes(let texts): return texts
    case .text(let text) where control == .list:
      return text.split(separator: ";").map(String.init)
    case .text(let text):
      let words = settings.words(for: setting) ?? text
      // A period is shown in words only if ``SettingEdit`` can read the words.
      guard case .period = control, (try? SettingEdit(title, words)) != nil else { return [text] }
      return [words]
    case .number(let number): return ["\(number)"]
    case .flag(let flag): return ["\(flag)"]
    case .null, nil: return []
    }
  }
}

extension Setting {
  /// The admin centre's words for the services of the setting, and the changes that add them.
  fileprivate var serviceWords: [(words: String, add: SettingDomain.Change)] {
    guard case .services(let services) = domain else { return [] }
    return services.map { service in
      var settings = Settings()
      service.add(&settings)
      return (settings.words(for: self) ?? rawValue, service.add)
    }
  }
}

extension Settings {
  fileprivate func isUnchanged(by change: SettingDomain.Change, in setting: Setting) -> Bool {
    var changed = self
    change(&changed)
    return changed.graphValue(of: setting) == graphValue(of: setting)
  }
}

// MARK: - Values by setting

extension SettingEdit {
  /// Creates the edit that sets the `changed` settings to their values in `settings`.
  package init(of changed: [Setting], in settings: Settings) throws(Failure) {
    try self.init(changed.map { ($0, settings.graphValue(of: $0)?.json ?? Self.null) })
  }
}
