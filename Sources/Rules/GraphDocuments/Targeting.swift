package import JSON
internal import Output

/// The apps and the device states that a document is for.
package struct Targeting: Sendable, Hashable {
  /// `appGroupType`: apps that a document is for without naming them.
  package enum AppGroup: String, Sendable, CaseIterable {
    case selectedPublicApps, allCoreMicrosoftApps, allMicrosoftApps, allApps
  }

  /// `targetedAppManagementLevels`, as far as iOS knows them. Graph's other levels are Android's.
  package enum Level: String, Sendable, CaseIterable {
    case unspecified, unmanaged, mdm

    /// The levels of other platforms, which reach no iPhone.
    static let ofOtherPlatforms: Set = [
      "androidEnterprise", "androidEnterpriseDedicatedDevicesWithAzureAdSharedMode",
      "androidOpenSourceProjectUserAssociated", "androidOpenSourceProjectUserless",
      "unknownFutureValue",
    ]
  }

  /// The reason why a document applies, or does not.
  package enum Result: Sendable, Hashable {
    /// `apps` names the bundle id.
    case app
    /// The app belongs to the group.
    case group(AppGroup)
    /// Neither `apps` nor `appGroupType` covers the app.
    case otherApp
    /// The app is covered, but not in this state.
    case otherState(ManagementState)

    package var isTargeted: Bool {
      switch self {
      case .app, .group: true
      case .otherApp, .otherState: false
      }
    }

    /// The reason as a clause, in lower case: `targeted by the group allMicrosoftApps`.
    package var text: String {
      switch self {
      case .app: "targeted by bundle id"
      case .group(let group): "targeted by the group `\(group.rawValue)`"
      case .otherApp: "not targeted at this app"
      case .otherState(.enrolledWithoutUPN):
        "not targeted at unmanaged devices, which an enrolled one counts as where the app's "
          + "configuration does not name the account"
      case .otherState(let state): "not targeted at \(state.level.rawValue) devices"
      }
    }
  }

  /// The bundle ids of the apps that the document names, in lower case.
  package let bundleIDs: Set<String>
  package let appGroup: AppGroup
  /// The device states that the document is for; nil: every state.
  package let levels: Set<Level>?

  /// Creates the targeting of a document.
  ///
  /// - Parameter levels: nil and a set with `unspecified` mean every state; the empty set means none.
  package init(
    bundleIDs: some Sequence<String> = [], appGroup: AppGroup = .selectedPublicApps,
    levels: Set<Level>? = nil
  ) {
    self.bundleIDs = Set(bundleIDs.map { $0.lowercased() })
    self.appGroup = appGroup
    self.levels = levels.flatMap { $0.contains(.unspecified) ? nil : $0 }
  }

  /// The reason why the document applies to the app of that bundle id, in any casing, in that state, or does not.
  package func result(bundleID: String, state: ManagementState) -> Result {
    let result = app(bundleID.lowercased())
    guard result.isTargeted, let levels, !levels.contains(state.level) else { return result }
    return .otherState(state)
  }

  private func app(_ bundleID: String) -> Result {
    if bundleIDs.contains(bundleID) { return .app }
    let isInGroup =
      switch appGroup {
      case .selectedPublicApps: false
      case .allCoreMicrosoftApps: Self.coreMicrosoftApps.contains(bundleID)
      case .allMicrosoftApps: bundleID.hasPrefix("com.microsoft.")
      case .allApps: true
      }
    return isInGroup ? .group(appGroup) : .otherApp
  }

  /// The bundle ids, in lower case, behind `allCoreMicrosoftApps` (assumed: exports carry no list).
  ///
  /// Microsoft Learn, "How to create and assign app protection policies", names the apps: Edge, Excel,
  /// Office, OneDrive, OneNote, Outlook, PowerPoint, SharePoint, Teams, To Do and Word.
  private static let coreMicrosoftApps: Set<String> = [
    "com.microsoft.msedge", "com.microsoft.office.excel", "com.microsoft.officemobile",
    "com.microsoft.skydrive", "com.microsoft.onenote", "com.microsoft.office.outlook",
    "com.microsoft.office.powerpoint", "com.microsoft.sharepoint", "com.microsoft.skype.teams",
    "com.microsoft.to-do", "com.microsoft.office.word",
  ]
}

extension Targeting {
  /// The apps that the document is for, as a clause: `targeted at com.contoso.mail and 2 more`.
  package var text: String {
    var apps = bundleIDs.sorted()
    switch appGroup {
    case .selectedPublicApps: break
    case .allCoreMicrosoftApps, .allMicrosoftApps, .allApps:
      apps.insert("the group `\(appGroup.rawValue)`", at: 0)
    }
    return apps.isEmpty ? "targeted at no app" : "targeted at \(Phrase.first(4, of: apps))"
  }

  /// The bundle id, in lower case, that `name` probably stands for: a misspelt bundle id, the last part of one, or the
  /// name of one of Microsoft's core apps; nil if no document is for such an app.
  package static func app(nearestTo name: String, among targetings: [Targeting]) -> String? {
    let name = name.lowercased()
    let known = targetings.reduce(into: Set<String>()) { known, targeting in
      known.formUnion(targeting.bundleIDs)
      switch targeting.appGroup {
      case .selectedPublicApps: break
      case .allCoreMicrosoftApps, .allMicrosoftApps: known.formUnion(coreMicrosoftApps)
      // Every app is covered; a misspelling cannot be recognised.
      case .allApps: break
      }
    }
    if let id = coreMicrosoftAppNames[name.filter { !$0.isWhitespace }], known.contains(id) {
      return id
    }
    if !name.contains("."),
      let id = known.sorted().first(where: { $0.split(separator: ".").last == Substring(name) })
    {
      return id
    }
    return NearestWord.to(name, among: known)
  }

  /// The core apps whose bundle ids do not end in their names.
  private static let coreMicrosoftAppNames = [
    "edge": "com.microsoft.msedge", "microsoftedge": "com.microsoft.msedge",
    "office": "com.microsoft.officemobile", "onedrive": "com.microsoft.skydrive",
    "todo": "com.microsoft.to-do", "microsoftteams": "com.microsoft.skype.teams",
    "microsoftoutlook": "com.microsoft.office.outlook",
  ]
}

/// A condition of an assignment that depends on the directory: the document does not show which accounts it reaches.
///
/// Source: Microsoft Graph, `deviceAndAppManagementAssignmentTarget` and the types derived from it.
package enum MembershipCondition: String, Sendable, CaseIterable {
  case groups, exclusions, filters

  /// The conditions of an assignment's target.
  package static func conditions(of target: JSONValue) -> Set<MembershipCondition> {
    var conditions: Set<MembershipCondition> = []
    switch TypeAnnotation(of: target)?.name {
    case "allLicensedUsersAssignmentTarget"?, "allDevicesAssignmentTarget"?: break
    case "exclusionGroupAssignmentTarget"?: conditions.insert(.exclusions)
    case _ where target.members != nil: conditions.insert(.groups)
    default:  // open: names of types
      break
    }
    let filter = target["deviceAndAppManagementAssignmentFilterType"]?.string ?? "none"
    if filter != "none" { conditions.insert(.filters) }
    return conditions
  }
}

/// The management of a device and of an app on it by MDM, as targeting sees it.
///
/// An enrolled device whose app lacks `IntuneMAMUPN` counts as unmanaged: the app cannot know who the
/// enrolled user is, and gets the policy for unmanaged devices. Source: Microsoft Learn, "How to create and
/// assign app protection policies", device management state.
package enum ManagementState: String, Sendable, CaseIterable {
  /// The device is not enrolled in MDM.
  case unenrolled
  /// The device is enrolled; the app's configuration does not name the enrolled user.
  case enrolledWithoutUPN
  /// The device is enrolled, and the app's configuration holds `IntuneMAMUPN`.
  case enrolled

  /// The state of a device and an app.
  package init(isMDMEnrolled: Bool, hasEnrolledUPN: Bool) {
    self =
      switch (isMDMEnrolled, hasEnrolledUPN) {
      case (false, _): .unenrolled
      case (true, false): .enrolledWithoutUPN
      case (true, true): .enrolled
      }
  }

  /// The level that a document must be targeted at to reach this app.
  package var level: Targeting.Level { self == .enrolled ? .mdm : .unmanaged }
}
