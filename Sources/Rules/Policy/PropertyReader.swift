internal import Encodings
import JSON
import Diagnostics
import Transfer

/// Reads the properties of one policy object.
struct PropertyReader {
  let object: JSONValue
  let file: String
  var warnings: [PolicyWarning] = []
  var settings = Settings()
  private var origins: [Setting: EffectivePolicy.Origin] = [:]
  private var unknown: [JSONValue.Member] = []
  /// Letters that were compared for suggestions.
  private var comparisons = 0
  private let displayName: String

  init(object: JSONValue, file: String) {
    self.object = object
    self.file = file
    displayName = object["displayName"]?.string ?? file
  }

  mutating func document() throws(PolicyError) -> PolicyDocument {
    for member in object.members ?? [] {
      guard let kind = KnownProperties.kind(of: member.name) else {
        note(unknown: member)
        continue
      }
      guard !member.value.isNull else { continue }
      try check(member, is: kind)
      guard let setting = Setting(rawValue: member.name),
        let reading = SettingTable.row(of: setting).reading
      else { continue }
      try reading.read(member, &self)
      origins[setting] = EffectivePolicy.Origin(
        file: file, line: member.position.line, policy: displayName)
    }
    let targeting = try targeting()
    warnOfConflicts()
    warnings.sort {
      ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column)
    }
    return PolicyDocument(
      id: object["id"]?.string, displayName: displayName, file: file, position: object.position,
      settings: settings,
      origins: origins, targeting: targeting, warnings: warnings, unknownProperties: unknown)
  }

  /// `@odata.…` annotations, also of single properties, and `#microsoft.graph.…` actions are Graph's own.
  private mutating func note(unknown member: JSONValue.Member) {
    let name = member.name
    guard !name.contains("@odata."), !name.hasPrefix("#") else { return }
    unknown.append(member)
    guard let known = KnownProperties.names.nearest(to: name, &comparisons) else { return }
    warn(
      .unknownProperty, member.position,
      "`\(name)` is no property of a policy and has no effect" + Suggestion.text(known))
  }

  private func check(
    _ member: JSONValue.Member, is kind: KnownProperties.Kind
  ) throws(PolicyError) {
    let value = member.value
    switch kind {
    case .boolean: try require(value.bool != nil, "a boolean", member)
    case .integer: try require(value.int != nil, "an integer", member)
    case .text: try require(value.string != nil, "a string", member)
    case .objects:
      try require(value.array?.allSatisfy { $0.members != nil }, "a list of objects", member)
    case .texts:
      try require(value.array?.allSatisfy { $0.string != nil }, "a list of strings", member)
    case .expansion: break
    case .duration:
      try require(value.string != nil, "a duration", member)
      guard let text = value.string, ISODuration.seconds(text, .graph) == nil else { return }
      throw failure(
        .invalidDuration, value.position,
        "`\(text)` in `\(member.name)` is no duration such as `P90D` or `PT12H`")
    }
  }

  private func require(
    _ holds: Bool?, _ expected: String, _ member: JSONValue.Member
  ) throws(PolicyError) {
    guard holds != true else { return }
    throw failure(
      .wrongType, member.value.position,
      "`\(member.name)` must be \(expected), found \(member.value.kindName)")
  }

  private mutating func warnOfConflicts() {
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
    object.members?.last { $0.name == setting.rawValue }?.position ?? object.position
  }

  mutating func warn(_ code: PolicyWarningCode, _ position: Position, _ message: String) {
    warnings.append(PolicyWarning(code, file: file, at: position, message))
  }

  func failure(_ code: PolicyError.Code, _ position: Position, _ message: String) -> PolicyError {
    PolicyError(code, file: file, at: position, message)
  }
}
