internal import Encodings
internal import GraphDocuments
import Model

typealias PropertyReader = ObjectReader<PolicyKind>

extension PropertyReader {
  /// Reads the policy. If a property cannot be read, collects an error and continues with the others.
  mutating func document() -> PolicyDocument {
    noteUnknown(among: SettingTable.properties, remedy: remedy)
    var document = PolicyDocument(
      id: object["id"]?.string, displayName: object["displayName"]?.string ?? file.shortName,
      file: file.name, position: object.position)
    readProperties(into: &document)
    document.targeting = targeting()
    for property in Targeting.Property.allCases {
      document.targetingLines[property] = object.property(property.rawValue)?.position.line
    }
    document.assignments = assignments()
    warn(ofNoAppIn: document.targeting)
    warnOfEmptyAssignments()
    warnOfConflicts(in: document.settings)
    document.warnings = sortedWarnings
    document.unknownProperties = unknown
    return document
  }

  private mutating func readProperties(into document: inout PolicyDocument) {
    for member in object.members ?? [] where !member.value.isNull {
      guard let type = SettingTable.properties.type(of: member.name) else { continue }
      read { reader throws(PolicyError) in try reader.read(member, type, into: &document) }
    }
  }

  private mutating func read(
    _ member: JSONValue.Member, _ type: PropertyType, into document: inout PolicyDocument
  ) throws(PolicyError) {
    try check(member, is: type)
    if type == .duration { try requireDuration(member) }
    guard let setting = Setting(rawValue: member.name),
      let reading = SettingTable.row(of: setting).reading
    else { return }
    do throws(PolicyError) {
      try reading.read(member, &self, &document.settings)
    } catch {
      throw explained(error, setting, member)
    }
    document.origins[setting] = EffectivePolicy.Origin(
      file: file.name, line: member.position.line, policy: document.displayName)
  }

  /// Returns `error`. If the rejected value is in the admin centre's words, adds Graph's value for these words to the
  /// message.
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

  /// Returns the end of a warning about an unknown property. For an Android setting that is set, the end states that
  /// the setting is for Android. For a property that resembles an admin centre label, the end states the Graph property
  /// of the label. Nil for all other properties.
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
      "`\(text)` in `\(member.name)` is not a duration such as `P90D` or `PT12H`")
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
        "`\(filter.rawValue)` and `\(sharing.rawValue)` are both true, a combination that the "
          + "admin centre does not offer; the filter applies")
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

/// Reads properties that have a single value. The caller must have checked its JSON type.
extension PropertyReader {
  func flag(_ member: JSONValue.Member) -> Bool { member.value.bool ?? false }

  /// Reads a number from 0 to 65535. Graph documents this range for some properties, and the others need only small
  /// numbers.
  func count(_ member: JSONValue.Member) throws(PolicyError) -> Int {
    let count = member.value.int ?? 0
    guard (0...65535).contains(count) else {
      throw failure(
        .outOfRange, member.value.position,
        "`\(member.name)` must be from 0 to 65535, found `\(count)`")
    }
    return count
  }

  func seconds(_ member: JSONValue.Member) -> Int {
    member.value.string.flatMap { ISODuration.seconds($0, .graph) } ?? 0
  }

  /// Reads a version. The empty string and 0.0 mean no limit, and return nil.
  mutating func version(_ member: JSONValue.Member) throws(PolicyError) -> Version? {
    let text = trimmed(member.value, "version")
    guard !text.isEmpty else { return nil }
    guard let version = Version(text) else {
      throw failure(
        .invalidVersion, member.value.position,
        "`\(text)` in `\(member.name)` is not a version such as `17.0`")
    }
    return version == Version(0) ? nil : version
  }

  /// Reads an action. `blockWhenSettingIsSupported` is read as a block, because the simulated device supports every
  /// setting.
  func remediation(
    _ member: JSONValue.Member
  ) throws(PolicyError) -> Settings.Remediation {
    if member.value.string == "blockWhenSettingIsSupported" { return .block }
    return try choice(member)
  }

  /// Reads a state. Nil for `unknownFutureValue`, with a warning.
  mutating func state(
    _ member: JSONValue.Member
  ) throws(PolicyError) -> Settings.ConfigurationState? {
    if isUnknownFutureValue(member.value, of: member) { return nil }
    return try choice(member)
  }

  /// Returns whether the value is `unknownFutureValue`. If so, adds a warning, because the actual value is lost: Graph
  /// returns `unknownFutureValue` to clients that are too old to know the actual value.
  private mutating func isUnknownFutureValue(_ value: JSONValue, of member: JSONValue.Member)
    -> Bool
  {
    guard value.string == "unknownFutureValue" else { return false }
    warn(
      .unknownFutureValue, value.position,
      "`unknownFutureValue` in `\(member.name)` is a value that the export could not name, so it is "
        + "ignored")
    return true
  }
}

/// Reads properties that have a list of values, and the elements of these lists.
extension PropertyReader {
  /// Reads a list of services. `unknownFutureValue` is skipped with a warning. Any other unknown service is an error.
  mutating func services<Service: RawRepresentable<String> & CaseIterable & Hashable>(
    _ member: JSONValue.Member
  ) throws(PolicyError) -> Set<Service> {
    var services: Set<Service> = []
    for element in member.value.array ?? [] where !isUnknownFutureValue(element, of: member) {
      services.insert(try choice(element, of: member))
    }
    return services
  }

  /// Reads a list of links, in file order. An invalid link is kept, with a warning, but matches nothing.
  mutating func links(_ member: JSONValue.Member) -> [LinkPattern] {
    var links: [LinkPattern] = []
    for element in member.value.array ?? [] {
      let text = trimmed(element, "link")
      guard !text.isEmpty else { continue }
      let start = text.prefix(8).lowercased()
      if !start.hasPrefix("http://"), !start.hasPrefix("https://") {
        warn(
          .notALink, element.position,
          "`\(text)` in `\(member.name)` does not begin with `http://` or `https://`, so it matches no "
            + "link")
      } else if text.split(separator: "//", maxSplits: 1).last?.first == "." {
        warn(
          .notALink, element.position,
          "the host of `\(text)` in `\(member.name)` begins with a dot, so it matches no "
            + "link; write `*.` for every subdomain")
      }
      links.append(LinkPattern(text))
    }
    return links
  }

  /// Reads a text of model identifiers separated by semicolons. Returns them in lower case; nil if the text contains
  /// none.
  func models(_ member: JSONValue.Member) -> Set<String>? {
    let names = (member.value.string ?? "").split(separator: ";").map { $0.trimmed.lowercased() }
    let models = Set(names).subtracting([""])
    return models.isEmpty ? nil : models
  }

  /// Reads the schemes in `exemptedAppProtocols`, which are name-value pairs. Each value is a list of schemes separated
  /// by semicolons; names are ignored.
  mutating func schemes(
    _ member: JSONValue.Member
  ) throws(PolicyError) -> Set<String> {
    var schemes: Set<String> = []
    for pair in member.value.array ?? [] {
      guard let text = pair["value"], !text.isNull else { continue }
      guard let list = text.string else { throw file.mismatch("`value` must be a string", text) }
      for part in list.split(separator: ";") {
        let scheme = scheme(JSONValue(.string(String(part)), at: text.position))
        if !scheme.isEmpty { schemes.insert(scheme) }
      }
    }
    return schemes
  }

  /// Reads one scheme. Removes white space around it and a final colon, as in Graph's example `skype:`, and returns it
  /// in lower case.
  mutating func scheme(_ value: JSONValue) -> String {
    var trimmed = trimmed(value, "scheme")
    if trimmed.last == ":" { trimmed.removeLast() }
    if !trimmed.isEmpty, !trimmed.isURLScheme {
      warn(.notAScheme, value.position, "`\(trimmed)` is not a URL scheme, so it matches no URL")
    }
    return trimmed.lowercased()
  }
}
