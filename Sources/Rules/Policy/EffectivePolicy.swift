package import Model
internal import Output

/// The policy that applies to one account in one app. It has the most restrictive values of all policies targeted
/// there.
///
/// It is an immutable class because requests share it and compare it by identity.
package final class EffectivePolicy: Sendable {
  package let settings: Settings
  /// For each setting, the location that states its effective value. Settings that the winning policy omits or sets to
  /// null have no entry.
  package let origins: [Setting: Origin]
  /// The policies from which this policy was merged. Empty if there was only one.
  private let documents: [PolicyDocument]
  /// The policy before ``edited(_:)``; nil if this policy is not the result of an edit.
  private let original: EffectivePolicy?

  /// The place in a policy file that states a setting's value.
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

    var words: String { file + ":" + String(line) }
  }

  package convenience init(settings: Settings, origins: [Setting: Origin] = [:]) {
    self.init(settings: settings, origins: origins, merging: [])
  }

  private init(
    settings: Settings, origins: [Setting: Origin], merging documents: [PolicyDocument],
    original: EffectivePolicy? = nil
  ) {
    self.settings = settings
    self.origins = origins
    self.documents = documents
    self.original = original
  }

  /// The policy of a view that shows several accounts, including a managed one. Flags and choices of data protection
  /// have their most restrictive value; other settings have their default. The accounts' own policies have no effect.
  ///
  /// Sources: Intune App SDK for iOS, `IntuneMAMPolicyManager.h`, `policyForWindow:`; Microsoft Learn, "Multiple
  /// managed accounts for app protection policies", "Segmented views and mixed views".
  package static let lockDown = {
    var settings = Settings()
    for setting in Setting.allCases where setting.page == .dataProtection {
      setting.domain?.values.last?(&settings)
    }
    return EffectivePolicy(settings: settings)
  }()

  /// Merges the documents. For each setting, the most restrictive value wins, regardless of the order of documents
  /// (assumed).
  ///
  /// A value may have no effect in its own policy, for example save locations if saving is not blocked. Such a value
  /// loses against any value with an effect.
  ///
  /// A setting's origin is the document with the winning value. If that document omits the setting, the default applies
  /// and there is no origin. If no single document has the merged value, such as the exemptions that several documents
  /// have in common, the origin is the first document that states the setting.
  package static func merging(_ documents: [PolicyDocument]) -> EffectivePolicy {
    var merge = Merge(documents: documents)
    merge.run()
    return EffectivePolicy(
      settings: merge.settings, origins: merge.origins,
      merging: documents.count > 1 ? documents : [])
  }

  var isMerged: Bool { !documents.isEmpty }

  /// Returns all locations that state the effective value of a setting, in the order of files and lines. If no single
  /// policy has this value, returns the locations that it was merged from. Empty if a default applies.
  ///
  /// Several settings can share a label, such as `Send org data to other apps` and its filter. If any policy has the
  /// effective values of all of these settings, only locations in such policies are returned.
  package func locations(of setting: Setting) -> [Origin] {
    guard let origin = origins[setting] else { return [] }
    guard isMerged, let reading = SettingTable.row(of: setting).reading else { return [origin] }
    let winners = documents.deciding(reading, for: settings)
    let words = settings.words(for: setting)
    let same = winners.filter { $0.settings.words(for: setting) == words }
    return (same.isEmpty ? winners : same).locations(of: setting)
  }

  // MARK: Changes

  /// The place in one policy where a setting is stated or, if the policy does not state it, where it can be added.
  struct Place: Hashable {
    /// The location of the setting's value; nil if the policy does not state the setting.
    var origin: Origin?
    /// The path of the policy's file; nil if unknown.
    var file: String?
    /// The policy's `displayName`.
    var policy: String?
  }

  /// Returns the place of a setting in each of the merged policies, or in this policy if it was not merged.
  func places(of setting: Setting) -> [Place] {
    guard !isMerged else {
      return documents.map { Self.place($0.origins[setting], $0.file, $0.displayName) }
    }
    return [Self.place(origins[setting], file, name)]
  }

  private static func place(
    _ origin: Origin?, _ file: @autoclosure () -> String?, _ policy: @autoclosure () -> String?
  ) -> Place {
    Place(origin: origin, file: origin?.file ?? file(), policy: origin?.policy ?? policy())
  }

  /// Returns whether an edit of `setting` in this policy may also change `other`, because both policies have the same
  /// place for the setting.
  func overlaps(_ other: EffectivePolicy, at setting: Setting) -> Bool {
    // An earlier edit of a combination may already have replaced the policy.
    guard (original ?? self) !== (other.original ?? other) else { return true }
    guard isMerged || other.isMerged else {
      return sharesPlace(of: setting, with: other)
    }
    let places = places(of: setting)
    return other.places(of: setting).contains { $0.file != nil && places.contains($0) }
  }

  /// Returns a minimal set of places where `setting` must be edited for the full effect on the merged policy. Empty if
  /// the edit changes none of the merged policies.
  ///
  /// A looser value must be set in every stricter policy. A stricter value usually needs a single edit: in the policy
  /// that states the effective value, if the edit changes that policy.
  func places(toChange setting: Setting, _ edit: (inout Settings) -> Void) -> [Place] {
    let places = places(of: setting)
    guard isMerged else { return places }
    var changed = Set(
      documents.indices.filter {
        documents[$0].settings.edited(edit) != documents[$0].settings
      })
    let full = edited(at: changed, edit).settings.comparable
    let winners = documents.indices.filter {
      documents[$0].origins[setting] == origins[setting]
    }
    let others = documents.indices.filter { !winners.contains($0) }
    for index in others.reversed() + winners.reversed()
    where changed.contains(index) && changed.count > 1 {
      let fewer = changed.subtracting([index])
      if edited(at: fewer, edit).settings.comparable == full { changed = fewer }
    }
    return documents.indices.filter(changed.contains).map { places[$0] }
  }

  /// Returns the policy after `setting` was edited in the places `changed`. If this policy has none of these places,
  /// returns the policy itself.
  func changing(
    _ setting: Setting, at changed: [Place], _ edit: (inout Settings) -> Void
  ) -> EffectivePolicy {
    let places = places(of: setting)
    let indices = Set(places.indices.filter { changed.contains(places[$0]) })
    guard !indices.isEmpty else { return self }
    guard isMerged else { return edited(edit) }
    return edited(at: indices, edit)
  }

  /// Returns a policy with edited settings. The merged settings are edited directly, and not merged again.
  func edited(_ edit: (inout Settings) -> Void) -> EffectivePolicy {
    EffectivePolicy(
      settings: settings.edited(edit), origins: origins, merging: [], original: original ?? self)
  }

  /// Edits the policies at `indices` among the merged ones, and returns the result of merging all of them again.
  private func edited(at indices: Set<Int>, _ edit: (inout Settings) -> Void) -> EffectivePolicy {
    var documents = documents
    for index in indices { edit(&documents[index].settings) }
    return EffectivePolicy.merging(documents)
  }
}

extension EffectivePolicy {
  /// The path of the file that states the settings; nil if there are several files or none.
  var file: String? { common { $0.file } }

  /// Returns the value if it is the same for all origins. Nil if it differs, or if there are no origins.
  private func common(_ value: (Origin) -> String) -> String? {
    guard let first = origins.values.first.map(value) else { return nil }
    return origins.values.allSatisfy { value($0) == first } ? first : nil
  }

  /// The paths of the files of the merged policies, separated by commas. The same as ``file`` if the policy was not
  /// merged.
  var files: String? {
    isMerged ? documents.map(\.file).unique.joined(separator: ", ") : file
  }

  /// The names of the policies that state the settings, separated by commas; nil if there are none.
  private var name: String? {
    if let name = common({ $0.policy }) { return name }
    let names = Set(origins.values.map(\.policy)).sorted()
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }
}

extension Settings {
  fileprivate func edited(_ edit: (inout Settings) -> Void) -> Settings {
    var settings = self
    edit(&settings)
    return settings
  }

  /// The settings with their exempted links in alphabetical order. Merging may reorder links, so settings must be
  /// compared in this form.
  fileprivate var comparable: Settings {
    edited { $0.exemptedUniversalLinks.sort { $0.text < $1.text } }
  }
}

extension [EffectivePolicy.Place] {
  /// Returns the places as text, such as `in a.json:3 and b.json:7 and added to c.json`. Nil if there are none, or if
  /// the file of a place is unknown.
  ///
  /// - Parameter suffix: Returns text to add after a place, such as the policy's name.
  func words(suffix: (EffectivePolicy.Place) -> String = { _ in "" }) -> String? {
    guard !isEmpty, allSatisfy({ $0.file != nil }) else { return nil }
    if count == 1, let origin = self[0].origin { return "in \(origin.words)\(suffix(self[0]))" }
    let stated = compactMap { place in place.origin.map { $0.words + suffix(place) } }
    let added = filter { $0.origin == nil }.map { ($0.file ?? "") + suffix($0) }
    guard !added.isEmpty else { return "in \(ListFormat.all(of: stated.unique))" }
    let addition = "added to \(ListFormat.all(of: added.unique))"
    return stated.isEmpty
      ? addition : "in \(ListFormat.all(of: stated.unique)) and \(addition)"
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

  /// Returns the policies in which the setting has an effect. If it has an effect in none, returns all policies.
  private func counted(_ all: [Settings], by reading: SettingRow.Reading) -> [Settings] {
    guard let counts = reading.counts else { return all }
    let counted = all.filter(counts)
    return counted.isEmpty ? all : counted
  }

  /// Sets the origin of a setting: the first location of its winning value, in the order of files and lines.
  private mutating func cite(_ entry: SettingTable.Entry) {
    origins[entry.setting] =
      documents.deciding(entry.reading, for: settings)
      .locations(of: entry.setting).first
  }
}

extension [PolicyDocument] {
  /// Returns the policies whose value of a setting is the merged value. If there are none, returns the policies in
  /// which the setting has an effect.
  fileprivate func deciding(_ reading: SettingRow.Reading, for merged: Settings) -> Self {
    let effective = filter { reading.counts?($0.settings) ?? true }
    let counted = effective.isEmpty ? self : effective
    let winners = counted.filter { reading.agrees($0.settings, merged) }
    return winners.isEmpty ? counted : winners
  }

  /// Returns the locations of a setting, in the order of files and lines.
  fileprivate func locations(of setting: Setting) -> [EffectivePolicy.Origin] {
    Set(compactMap { $0.origins[setting] }).sorted {
      ($0.file, $0.line, $0.policy) < ($1.file, $1.line, $1.policy)
    }
  }
}
