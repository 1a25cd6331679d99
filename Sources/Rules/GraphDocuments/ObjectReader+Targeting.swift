internal import JSON

/// The properties that state the apps that the document is for, and its assignments.
extension ObjectReader where Kind: AppDocumentKind {
  /// Reads the apps and device states that the document is for.
  ///
  /// - Throws: ``DocumentError`` where a property has another JSON type than Graph gives it, or an unknown value.
  package mutating func targeting() throws(Kind.Failure) -> Targeting {
    let group: Targeting.AppGroup =
      try member("appGroupType", .text).map(choice) ?? .selectedPublicApps
    return Targeting(bundleIDs: try bundleIDs(), appGroup: group, levels: try levels())
  }

  /// Warns where neither an app nor a group of apps is named.
  package mutating func warn(ofNoAppIn targeting: Targeting) {
    guard targeting.bundleIDs.isEmpty, targeting.appGroup == .selectedPublicApps else { return }
    warn(
      .noApps, object.property("apps")?.position ?? object.position,
      "\(Kind.definiteName) names no app and no group of apps; exports without `$expand=apps` lose "
        + "them")
  }

  /// Warns where the document is assigned to nobody.
  package mutating func warnOfEmptyAssignments() {
    guard let member = object.property("assignments"), member.value.array?.isEmpty == true else {
      return
    }
    warn(
      .emptyAssignments, member.position,
      "\(Kind.definiteName) is assigned to nobody: `assignments` is empty")
  }

  /// The conditions of the object's assignments that only the directory can judge.
  package func membership() -> Set<MembershipCondition> {
    let targets = (object["assignments"]?.array ?? []).compactMap { $0["target"] }
    return targets.reduce(into: []) { $0.formUnion(MembershipCondition.conditions(of: $1)) }
  }

  private mutating func bundleIDs() throws(Kind.Failure) -> [String] {
    var bundleIDs: [String] = []
    for app in try member("apps", .list)?.value.array ?? [] {
      let bundleID = try bundleID(of: app)
      if !bundleID.isEmpty {
        bundleIDs.append(bundleID)
      } else if let code = Kind.appWithoutBundleID {
        warn(code, app.position, "the app has no `mobileAppIdentifier.bundleId`")
      }
    }
    return bundleIDs
  }

  /// The bundle id of an app; empty where there is none.
  private mutating func bundleID(of app: JSONValue) throws(Kind.Failure) -> String {
    guard let value = app["mobileAppIdentifier"]?["bundleId"], !value.isNull else { return "" }
    guard value.string != nil else { throw file.mismatch("`bundleId` must be a string", value) }
    return trimmed(value, "bundle id")
  }

  /// The levels of management. Graph writes several with commas between; nil: every state.
  private func levels() throws(Kind.Failure) -> Set<Targeting.Level>? {
    guard let member = try member("targetedAppManagementLevels", .text) else { return nil }
    let names = (member.value.string ?? "").split(separator: ",").map(\.trimmed)
      .filter { !$0.isEmpty }
    guard !names.isEmpty else { return nil }
    var levels: Set<Targeting.Level> = []
    for name in names where !Targeting.Level.ofOtherPlatforms.contains(name) {
      guard let level = Targeting.Level(rawValue: name) else {
        throw unknownValue(
          name, of: member.name, at: member.value.position, among: Targeting.Level.self)
      }
      levels.insert(level)
    }
    return levels
  }
}
