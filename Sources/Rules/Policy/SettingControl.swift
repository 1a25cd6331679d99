package import Model

/// The control with which an administrator sets the value of one line on a page of settings.
package enum SettingControl: Sendable, Equatable {
  /// A choice between these values, which are in the admin centre's words.
  case choice([String])
  case number(ClosedRange<Int>)
  /// A period, such as `90 days`. If a number has no unit, this unit applies.
  case period(PeriodText.Unit)
  /// A selection of any number of these values, which are in the admin centre's words.
  case selection([String])
  /// A list of any number of texts: schemes, links or device models.
  case list
  /// A text, such as a version or a scheme. It may be empty.
  case text
}

extension SettingPage.Line {
  /// The label, followed by the action if several lines have the same label.
  package var title: String { settings[0].label + (qualifier.map { " (\($0))" } ?? "") }

  package var control: SettingControl { Self.controls[settings[0]] ?? declaredControl }

  /// The control of each line, keyed by the line's first setting. The controls are computed once, because finding the
  /// words of a choice requires trying all of its values.
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

  /// Returns the values of the line in `settings`, as ``SettingEdit`` reads them. A list has one text per element, any
  /// other value one text.
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
  /// The services that can be on the setting's list: the admin centre's words for each service, and the change that
  /// adds the service.
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
  /// Creates the edit that gives each of the `changed` settings the value that it has in `settings`.
  package init(of changed: [Setting], in settings: Settings) throws(Failure) {
    try self.init(changed.map { ($0, settings.graphValue(of: $0)?.json ?? Self.null) })
  }
}
