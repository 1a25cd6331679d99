package import Model

/// The policy for one account in one app: the settings of all policies targeted at it, merged so that the
/// most restrictive value of each setting wins.
///
/// A class, because requests share it and compare it by identity; it never changes.
package final class EffectivePolicy: Sendable {
  package let settings: Settings
  /// The origin of each stated setting. A setting that is missing here was absent or null in the
  /// document that won, and its default holds.
  package let origins: [Setting: Origin]

  /// The place of a setting's value.
  package struct Origin: Sendable, Hashable {
    /// The path of the file as the user named it.
    package var file: String
    package var line: Int
    /// The policy's `displayName`.
    package var policy: String

    /// Creates an origin.
    package init(file: String, line: Int, policy: String) {
      self.file = file
      self.line = line
      self.policy = policy
    }
  }

  /// Creates a policy from merged settings.
  package init(settings: Settings, origins: [Setting: Origin] = [:]) {
    self.settings = settings
    self.origins = origins
  }
}

extension EffectivePolicy {
  /// The policy that holds where all of `documents` are targeted: of each setting the most restrictive
  /// value, whatever the order of the documents (assumed).
  ///
  /// A value that has no effect in its own policy, such as the services for saving where saving
  /// is not blocked, does not count beside one that has an effect.
  ///
  /// A setting's origin is the document that won. Where a document wins that does not state the setting,
  /// its default holds, and there is no origin. Where no single document has the value, as with the exemptions
  /// that several documents share, the first that states the setting is the origin.
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
    Redirect.settle(\.dialerRestrictionLevel, \.customDialerAppProtocol, of: all, into: &settings)
    Redirect.settle(
      \.protectedMessagingRedirectAppType, \.messagingRedirectAppUrlScheme, of: all,
      into: &settings)
    BrowserChoice.settle(all, into: &settings)
    for entry in SettingTable.entries { cite(entry) }
  }

  /// The policies in which the setting has an effect; all policies, where it has an effect in none.
  private func counted(_ all: [Settings], by reading: SettingRow.Reading) -> [Settings] {
    guard let counts = reading.counts else { return all }
    let counted = all.filter(counts)
    return counted.isEmpty ? all : counted
  }

  /// Cites the first place, in the order of files and lines, that states the winning value.
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
