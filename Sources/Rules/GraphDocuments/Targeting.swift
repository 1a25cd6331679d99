package import Output

/// The apps and device states that a document targets.
package struct Targeting: Sendable, Hashable {
  /// `appGroupType`: apps targeted as a group.
  package enum AppGroup: String, Sendable, CaseIterable {
    case selectedPublicApps, allCoreMicrosoftApps, allMicrosoftApps, allApps
  }

  /// The iOS values of `targetedAppManagementLevels`. Graph's other levels are for Android.
  package enum Level: String, Sendable, CaseIterable {
    case unspecified, unmanaged, mdm

    /// The levels of other platforms, and Graph's placeholder for future values. None of these levels matches an
    /// iPhone.
    static let ofOtherPlatforms: Set = [
      "androidEnterprise", "androidEnterpriseDedicatedDevicesWithAzureAdSharedMode",
      "androidOpenSourceProjectUserAssociated", "androidOpenSourceProjectUserless",
      "unknownFutureValue",
    ]
  }

  /// A property of Graph that states a part of a targeting.
  package enum Property: String, Sendable, CaseIterable {
    case appGroupType, apps, targetedAppManagementLevels
  }

  /// The reason why a document does or does not apply.
  package enum Result: Sendable, Hashable {
    /// `apps` contains the bundle id.
    case app
    case group(AppGroup)
    /// Neither `apps` nor `appGroupType` covers the app.
    case otherApp
    /// The app is covered, but not in this device state.
    case otherState(ManagementState)

    package var isTargeted: Bool {
      switch self {
      case .app, .group: true
      case .otherApp, .otherState: false
      }
    }

    /// The reason as a lowercase clause: ``targeted by the group `allMicrosoftApps` ``.
    package var text: String {
      switch self {
      case .app: "targeted by bundle id"
      case .group(let group): "targeted by the group `\(group.rawValue)`"
      case .otherApp: "not targeted at this app"
      case .otherState(.enrolledWithoutUPN):
        "not targeted at unmanaged devices, such as an enrolled device if the app's "
          + "configuration does not name the account"
      case .otherState(.unenrolled): "not targeted at unmanaged devices"
      case .otherState(.enrolled): "not targeted at managed devices"
      }
    }
  }

  /// The bundle ids of the listed apps, in lower case.
  package let bundleIDs: Set<String>
  package let appGroup: AppGroup
  /// The targeted device states; nil for every state.
  package let levels: Set<Level>?

  /// Creates a targeting. If `levels` is nil or contains `unspecified`, all states match; if empty, none.
  package init(
    bundleIDs: some Sequence<String> = [], appGroup: AppGroup = .selectedPublicApps,
    levels: Set<Level>? = nil
  ) {
    self.bundleIDs = Set(bundleIDs.map { $0.lowercased() })
    self.appGroup = appGroup
    self.levels = levels.flatMap { $0.contains(.unspecified) ? nil : $0 }
  }

  /// Ignores the case of the bundle id.
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

  /// The lowercase bundle ids of `allCoreMicrosoftApps` (assumed, because exports contain no list).
  ///
  /// The apps are Edge, Excel, Office, OneDrive, OneNote, Outlook, PowerPoint, SharePoint, Teams, To Do and Word
  /// (Microsoft Learn, "How to create and assign app protection policies").
  private static let coreMicrosoftApps: Set<String> = [
    "com.microsoft.msedge", "com.microsoft.office.excel", "com.microsoft.officemobile",
    "com.microsoft.skydrive", "com.microsoft.onenote", "com.microsoft.office.outlook",
    "com.microsoft.office.powerpoint", "com.microsoft.sharepoint", "com.microsoft.skype.teams",
    "com.microsoft.to-do", "com.microsoft.office.word",
  ]

  /// The targeted apps as a clause: `targeted at com.contoso.mail and 2 more`.
  package var text: String {
    var apps = bundleIDs.sorted()
    switch appGroup {
    case .selectedPublicApps: break
    case .allCoreMicrosoftApps, .allMicrosoftApps, .allApps:
      apps.insert("the group `\(appGroup.rawValue)`", at: 0)
    }
    return apps.isEmpty ? "targeted at no app" : "targeted at \(ListFormat.first(4, of: apps))"
  }

  /// Returns the lowercase bundle id of an app that the documents name, individually or as a core app of Microsoft; nil
  /// if they name no such app.
  ///
  /// - Parameter name: The bundle id, its last component, or the name of a core Microsoft app, in any casing.
  package static func app(named name: String, among targetings: [Targeting]) -> String? {
    let name = name.lowercased()
    let known = knownApps(targetings)
    if known.contains(name) { return name }
    if let id = coreMicrosoftAppNames[name.filter { !$0.isWhitespace }], known.contains(id) {
      return id
    }
    return name.contains(".") ? nil : known.sorted().first { AppName.names(name, $0) }
  }

  /// Returns the lowercase bundle id that `name` probably means, even if `name` is a misspelled bundle id or name. Nil
  /// if the documents name no similar app.
  package static func app(nearestTo name: String, among targetings: [Targeting]) -> String? {
    if let app = app(named: name, among: targetings) { return app }
    let known = knownApps(targetings)
    if name.contains(".") { return Suggestion.word(for: name.lowercased(), among: known) }
    let named = Dictionary(known.sorted().map { (AppName.short($0), $0) }) { first, _ in first }
    return Suggestion.word(for: name, among: named.keys).flatMap { named[$0] }
  }

  /// Returns the apps that the documents name, individually or as core apps of Microsoft. If a document targets every
  /// app, every other bundle id is also valid.
  private static func knownApps(_ targetings: [Targeting]) -> Set<String> {
    targetings.reduce(into: []) { known, targeting in
      known.formUnion(targeting.bundleIDs)
      switch targeting.appGroup {
      case .selectedPublicApps, .allApps: break
      case .allCoreMicrosoftApps, .allMicrosoftApps: known.formUnion(coreMicrosoftApps)
      }
    }
  }

  /// Bundle ids that represent all targeted apps. `com.microsoft.*` represents the Microsoft apps that no document
  /// names, `*` represents all other apps that no document names.
  package var sampleApps: Set<String> {
    switch appGroup {
    case .selectedPublicApps: bundleIDs
    case .allCoreMicrosoftApps: bundleIDs.union(Self.coreMicrosoftApps)
    case .allMicrosoftApps: bundleIDs.union(Self.coreMicrosoftApps).union(["com.microsoft.*"])
    case .allApps: bundleIDs.union(Self.coreMicrosoftApps).union(["com.microsoft.*", "*"])
    }
  }

  /// The core apps with names that differ from the last component of their bundle ids.
  private static let coreMicrosoftAppNames = [
    "edge": "com.microsoft.msedge", "microsoftedge": "com.microsoft.msedge",
    "office": "com.microsoft.officemobile", "onedrive": "com.microsoft.skydrive",
    "todo": "com.microsoft.to-do", "microsoftteams": "com.microsoft.skype.teams",
    "microsoftoutlook": "com.microsoft.office.outlook",
  ]
}

/// The MDM management state of a device and an app, as used by targeting.
///
/// If the app lacks `IntuneMAMUPN`, an enrolled device counts as unmanaged: the app cannot identify
/// the enrolled user, and receives the policy for unmanaged devices.
///
/// Source: Microsoft Learn, "How to create and assign app protection policies", device management state.
package enum ManagementState: String, Sendable, CaseIterable {
  case unenrolled
  /// The device is enrolled, but the app's configuration does not name the enrolled user.
  case enrolledWithoutUPN
  /// The device is enrolled, and the app's configuration has `IntuneMAMUPN`.
  case enrolled

  package init(isMDMEnrolled: Bool, hasEnrolledUPN: Bool) {
    self =
      switch (isMDMEnrolled, hasEnrolledUPN) {
      case (false, _): .unenrolled
      case (true, false): .enrolledWithoutUPN
      case (true, true): .enrolled
      }
  }

  /// Returns whether Intune itself gives the app `IntuneMAMUPN` on a device that it manages, without an app
  /// configuration. The bundle id's case is ignored.
  ///
  /// Source: Microsoft Learn, "What's new in Microsoft Intune", service release 2409: `IntuneMAMUPN`,
  /// `IntuneMAMOID` and `IntuneMAMDeviceID` are sent to managed apps on enrolled iOS devices.
  package static func intuneNamesUser(to bundleID: String) -> Bool {
    [
      "com.microsoft.office.excel", "com.microsoft.office.outlook",
      "com.microsoft.office.powerpoint", "com.microsoft.office.word", "com.microsoft.skype.teams",
    ].contains(bundleID.lowercased())
  }

  /// The level that a document must target to reach this app.
  package var level: Targeting.Level { self == .enrolled ? .mdm : .unmanaged }
}

extension AppName {
  /// Returns the lowercase bundle id of an app that documents target, or of another well-known app; nil for other
  /// names.
  package static func bundleID(of name: String, among targetings: [Targeting]) -> String? {
    Targeting.app(named: name, among: targetings) ?? bundleID(of: name)
  }
}
