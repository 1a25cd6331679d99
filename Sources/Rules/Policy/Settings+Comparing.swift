package import Model

extension Settings {
  /// The settings whose values differ between the two, in the order of ``Setting``.
  package func differences(from other: Settings) -> [Setting] {
    SettingTable.entries.filter { !$0.reading.agrees(self, other) }.map(\.setting)
  }

  /// Takes over the value of one setting, and of no other.
  package mutating func take(_ setting: Setting, from other: Settings) {
    SettingTable.row(of: setting).reading?.merge([other], &self)
  }
}
