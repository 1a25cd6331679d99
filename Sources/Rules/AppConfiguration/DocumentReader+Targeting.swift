internal import JSON
internal import Policy
internal import Diagnostics

/// What says for which apps the configuration is.
extension DocumentReader {
  /// Graph's levels that only Android knows. They reach no iPhone.
  private static let otherLevels = [
    "androidEnterprise", "androidEnterpriseDedicatedDevicesWithAzureAdSharedMode",
    "androidOpenSourceProjectUserAssociated", "androidOpenSourceProjectUserless",
    "unknownFutureValue",
  ]

  mutating func targeting() throws(AppConfigurationError) -> Targeting {
    let group = try appGroup()
    let bundleIDs = try bundleIDs()
    if bundleIDs.isEmpty, group == .selectedPublicApps, !document.isDefault {
      warn(
        .noApps, member("apps")?.position ?? object.position,
        "the configuration names no app and no group of apps; exports without `$expand=apps` lose "
          + "them")
    }
    return Targeting(bundleIDs: bundleIDs, appGroup: group, levels: try levels())
  }

  private func appGroup() throws(AppConfigurationError) -> Targeting.AppGroup {
    guard let member = member("appGroupType") else { return .selectedPublicApps }
    guard let word = member.value.string else { throw wrongType(member, "a string") }
    guard let group = Targeting.AppGroup(rawValue: word) else {
      throw unknownValue(word, of: member, among: Targeting.AppGroup.allCases.map(\.rawValue))
    }
    return group
  }

  /// One configuration may be for apps of several platforms: what names no bundle id is none for iOS.
  private mutating func bundleIDs() throws(AppConfigurationError) -> [String] {
    guard let member = member("apps") else { return [] }
    guard let apps = member.value.array else { throw wrongType(member, "a list") }
    var bundleIDs: [String] = []
    for app in apps {
      guard let value = app["mobileAppIdentifier"]?["bundleId"], !value.isNull else { continue }
      guard let text = value.string else {
        throw failure(
          .wrongType, value.position, "`bundleId` must be a string, found \(value.kindName)")
      }
      let trimmed = Self.trim(text)
      if trimmed != text {
        warn(
          .whiteSpace, value.position, "white space around the bundle id `\(trimmed)` is ignored")
      }
      if !trimmed.isEmpty { bundleIDs.append(trimmed) }
    }
    return bundleIDs
  }

  /// Graph writes several levels with commas between.
  private func levels() throws(AppConfigurationError) -> Set<Targeting.Level>? {
    guard let member = member("targetedAppManagementLevels") else { return nil }
    guard let text = member.value.string else { throw wrongType(member, "a string") }
    let names = text.split(separator: ",").map { Self.trim($0) }.filter { !$0.isEmpty }
    guard !names.isEmpty else { return nil }
    var levels: Set<Targeting.Level> = []
    for name in names {
      if let level = Targeting.Level(rawValue: name) {
        levels.insert(level)
      } else if !Self.otherLevels.contains(name) {
        throw unknownValue(name, of: member, among: Targeting.Level.allCases.map(\.rawValue))
      }
    }
    return levels
  }

  private func unknownValue(
    _ word: String, of member: JSONValue.Member, among known: [String]
  ) -> AppConfigurationError {
    let hint = Suggestion.nearest(to: word, among: known)
    let list = known.map { "`\($0)`" }.joined(separator: ", ")
    return failure(
      .unknownValue, member.value.position,
      "`\(word)` is no value of `\(member.name)`; expected one of \(list)\(hint)")
  }
}
