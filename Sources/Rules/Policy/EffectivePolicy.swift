package import Model

/// The policy for one account in one app: all targeted policies, merged to the most restrictive values.
///
/// An immutable class, because requests share it and compare it by identity.
package final class EffectivePolicy: Sendable {
  package let settings: Settings
  /// The origin of each stated setting. Excludes settings that the winning document omits or sets
  /// to null.
  package let origins: [Setting: Origin]

  /// The source location of a setting's value.
  package struct Origin: Sendable, Hashable {
    /// The path of the file as the user gave it.
    package var file: String
    package var line: Int
    /// The policy's `displayName`.
    package var policy: String

    package init(file: String, line: Int, policy: String) {
      self.file = file
      self.line = line
      self.policy = policy
    }
  }

  package init(settings: Settings, origins: [Setting: Origin] = [:]) {
    self.settings = settings
    self.origins = origins
  }

  /// Merges the documents. The most restrictive value of each setting wins, regardless of order
  /// (assumed).
  ///
  /// A value may have no effect in its own policy, such as save locations if saving is not blocked.
  /// Such a value loses to any value with an effect.
  ///
  /// A setting's origin is the winning document. If that document omits the setting, the default
  /// applies and there is no origin. If no single document has the merged value, such as exemptions
  /// common to several documents, the origin is the first document with the setting.
  package static func merging(_ documents: [PolicyDocument]) -> EffectivePolicy {
    var merge = Merge(documents: documents)
    merge.run()
    return EffectivePolicy(settings: merge.settings, origins: merge.origins)
  }
}

private struct Merge {
  let documents: [PolicyDocument]
  var settings = Settings()
  var origins: [Setting: EffectivePolicy.Origin] = [:]

  mutating func run() {
    guard let first = documents.first else { return }
    guard documents.count > 1 else {
      (settings, origins) = (first.settings, first.origins)
      return
    }
    let all = documents.map(\.settings)
    for entry in SettingTable.entries {
      entry.reading.merge(counted(all, by: entry.reading), &settings)
    }
    Redirect.resolve(\.dialerRestrictionLevel, \.customDialerAppProtocol, of: all, into: &settings)
    Redirect.resolve(
      \.protectedMessagingRedirectAppType, \.messagingRedirectAppUrlScheme, of: all,
      into: &settings)
    BrowserChoice.resolve(all, into: &settings)
    for entry in SettingTable.entries { cite(entry) }
  }

  /// Returns the policies in which the setting has an effect, or all policies if there are none.
  private func counted(_ all: [Settings], by reading: SettingRow.Reading) -> [Settings] {
    guard let counts = reading.counts else { return all }
    let counted = all.filter(counts)
    return counted.isEmpty ? all : counted
  }

  /// Records the first location of the winning value, in the order of files and lines.
  private mutating func cite(_ entry: SettingTable.Entry) {
    let reading = entry.reading
    let effective = documents.filter { reading.counts?($0.settings) ?? true }
    let counted = effective.isEmpty ? documents : effective
    let winners = counted.filter { reading.agrees($0.settings, settings) }
    origins[entry.setting] =
      (winners.isEmpty ? counted : winners).compactMap { $0.origins[entry.setting] }
      .min { ($0.file, $0.line, $0.policy) < ($1.file, $1.line, $1.policy) }
  }
}
