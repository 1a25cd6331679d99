import JSON

/// What says whom the policy is for.
extension PropertyReader {
  /// Graph's levels that only Android knows. They reach no iPhone.
  private static let otherLevels = [
    "androidEnterprise", "androidEnterpriseDedicatedDevicesWithAzureAdSharedMode",
    "androidOpenSourceProjectUserAssociated", "androidOpenSourceProjectUserless",
    "unknownFutureValue",
  ]

  mutating func targeting() throws(PolicyError) -> Targeting {
    let group: Targeting.AppGroup = try member("appGroupType").map(choice) ?? .selectedPublicApps
    let bundleIDs = try bundleIDs()
    if bundleIDs.isEmpty, group == .selectedPublicApps {
      warn(
        .noApps, member("apps")?.position ?? object.position,
        "the policy names no app and no group of apps; exports without `$expand=apps` lose them")
    }
    if let assignments = member("assignments"), assignments.value.array?.isEmpty == true {
      warn(
        .emptyAssignments, assignments.position,
        "the policy is assigned to nobody: `assignments` is empty")
    }
    return Targeting(bundleIDs: bundleIDs, appGroup: group, levels: try levels())
  }

  private func member(_ name: String) -> JSONValue.Member? {
    object.members?.last { $0.name == name && !$0.value.isNull }
  }

  private mutating func bundleIDs() throws(PolicyError) -> [String] {
    var bundleIDs: [String] = []
    for app in member("apps")?.value.array ?? [] {
      let identifier = app["mobileAppIdentifier"]
      if let value = identifier?["bundleId"], !value.isNull, value.string == nil {
        throw failure(
          .wrongType, value.position, "`bundleId` must be a string, found \(value.kindName)")
      }
      let bundleID = identifier?["bundleId"].map { trimmed($0, "bundle id") } ?? ""
      if bundleID.isEmpty {
        warn(
          .appWithoutBundleID, app.position, "the app has no `mobileAppIdentifier.bundleId`")
      } else {
        bundleIDs.append(bundleID)
      }
    }
    return bundleIDs
  }

  /// Graph writes several levels with commas between.
  private func levels() throws(PolicyError) -> Set<Targeting.Level>? {
    guard let member = member("targetedAppManagementLevels") else { return nil }
    let names = (member.value.string ?? "").split(separator: ",").map { Self.trim($0) }
    guard names.contains(where: { !$0.isEmpty }) else { return nil }
    var levels: Set<Targeting.Level> = []
    for name in names where !name.isEmpty {
      if let level = Targeting.Level(rawValue: name) {
        levels.insert(level)
      } else if !Self.otherLevels.contains(name) {
        throw unknownValue(
          name, at: member.value, of: member, among: Targeting.Level.allCases.map(\.rawValue))
      }
    }
    return levels
  }
}
