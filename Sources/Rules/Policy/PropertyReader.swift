internal import Encodings
internal import GraphDocuments
import JSON
import Model

/// Reads the properties of one policy object.
typealias PropertyReader = ObjectReader<PolicyKind>

extension PropertyReader {
  mutating func document() throws(PolicyError) -> PolicyDocument {
    noteUnknown(among: PolicyProperties.all, remedy: remedy)
    var document = PolicyDocument(
      id: object["id"]?.string, displayName: object["displayName"]?.string ?? file.name,
      file: file.name, position: object.position)
    try readProperties(into: &document)
    document.targeting = try targeting()
    document.membership = membership()
    warn(ofNoAppIn: document.targeting)
    warnOfEmptyAssignments()
    warnOfConflicts(in: document.settings)
    document.warnings = sortedWarnings
    document.unknownProperties = unknown
    return document
  }

  private mutating func readProperties(
    into document: inout PolicyDocument
  ) throws(PolicyError) {
    for member in object.members ?? [] where !member.value.isNull {
      guard let type = PolicyProperties.all.type(of: member.name) else { continue }
      try check(member, is: type)
      if type == .duration { try requireDuration(member) }
      guard let setting = Setting(rawValue: member.name),
        let reading = SettingTable.row(of: setting).reading
      else { continue }
      do throws(PolicyError) {
        try reading.read(member, &self, &document.settings)
      } catch {
        throw explained(error, setting, member)
      }
      document.origins[setting] = EffectivePolicy.Origin(
        file: file.name, line: member.position.line, policy: document.displayName)
    }
  }

  /// The error of a value that the admin centre shows, with Graph's value for it.
  private func explained(
    _ error: PolicyError, _ setting: Setting, _ member: JSONValue.Member
  ) -> PolicyError {
    guard error.code == .unknownValue, !error.message.contains("did you mean"),
      let text = member.value.string,
      let written = AdminCentreLabel.written(text, of: [setting])
    else { return error }
    var error = error
    error.message += "; in Graph, `\(text)` of the admin centre is \(written)"
    return error
  }

  /// The remedy for an unknown property: a label of the admin centre, or a setting of Android.
  private func remedy(for member: JSONValue.Member) -> String? {
    guard AndroidProperties.contains(member.name) else {
      return AdminCentreLabel.remedy(for: member)
    }
    guard member.statesAnything else { return nil }
    let counterpart = AndroidProperties.counterpart(of: member.name)
    return ": it is a setting of Android" + (counterpart.map { "; iOS has `\($0)`" } ?? "")
  }

  private func requireDuration(_ member: JSONValue.Member) throws(PolicyError) {
    guard let text = member.value.string, ISODuration.seconds(text, .graph) == nil else { return }
    throw failure(
      .invalidDuration, member.value.position,
      "`\(text)` in `\(member.name)` is no duration such as `P90D` or `PT12H`")
  }

  private mutating func warnOfConflicts(in settings: Settings) {
    let isManagedApps = settings.allowedOutboundDataTransferDestinations == .managedApps
    let sharing = Setting.disableProtectionOfManagedOutboundOpenInData
    let filter = Setting.filterOpenInToOnlyManagedApps
    let isSharing = settings.disableProtectionOfManagedOutboundOpenInData
    let isFiltering = settings.filterOpenInToOnlyManagedApps
    if isManagedApps, isSharing, isFiltering {
      warn(
        .conflictingSettings, position(of: filter),
        "`\(filter.rawValue)` and `\(sharing.rawValue)` are both true, which the admin centre has no name "
          + "for; the filter wins")
    }
    for (setting, isOn) in [(sharing, isSharing), (filter, isFiltering)]
    where isOn && !isManagedApps {
      warn(
        .conflictingSettings, position(of: setting),
        "`\(setting.rawValue)` has no effect unless `allowedOutboundDataTransferDestinations` is "
          + "`managedApps`")
    }
    if settings.protectInboundDataFromUnknownSources,
      settings.allowedInboundDataTransferSources != .allApps
    {
      warn(
        .conflictingSettings, position(of: .protectInboundDataFromUnknownSources),
        "`protectInboundDataFromUnknownSources` has no effect unless "
          + "`allowedInboundDataTransferSources` is `allApps`")
    }
  }

  private func position(of setting: Setting) -> Position {
    object.property(setting.rawValue)?.position ?? object.position
  }
}
