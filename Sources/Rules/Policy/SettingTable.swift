public import Model

/// The declarations of all settings, looked up by setting.
enum SettingTable {
  /// A setting that policies hold.
  struct Entry {
    let setting: Setting
    let reading: SettingRow.Reading
  }

  /// Every setting that policies hold, in the order of ``Setting``.
  static let entries = Setting.allCases.compactMap { setting in
    row(of: setting).reading.map { Entry(setting: setting, reading: $0) }
  }

  static func row(of setting: Setting) -> SettingRow { rows[setting] ?? setting.declaration }

  private static let rows = Dictionary(
    uniqueKeysWithValues: Setting.allCases.map { ($0, $0.declaration) })
}

extension Setting {
  /// The name of the setting where an administrator finds it: the Intune admin centre's label, or the key
  /// itself where there is none.
  public var label: String { SettingTable.row(of: self).label ?? rawValue }

  /// The page of the admin centre with the setting; nil where no policy holds it.
  package var page: SettingPage? { SettingTable.row(of: self).page }
}

extension Settings {
  /// The value of `setting` in the admin centre's words; nil where no policy holds the setting.
  ///
  /// Settings that share a label share their words.
  package func words(for setting: Setting) -> String? { SettingTable.row(of: setting).words?(self) }

  /// The settings that the app's SDK reads: those that are younger than its release have their defaults.
  ///
  /// - Returns: The settings, and the stated ones that the SDK does not read.
  package func known(to app: AppState) -> (settings: Settings, unread: [Setting]) {
    guard app.sdkVersion != nil else { return (self, []) }
    let defaults = Settings()
    var known = self
    var unread: [Setting] = []
    for entry in SettingTable.entries
    where !app.reads(entry.setting) && !entry.reading.agrees(self, defaults) {
      entry.reading.merge([defaults], &known)
      unread.append(entry.setting)
    }
    return (known, unread)
  }
}
