package import Output

/// The apps and device states that a document targets.
package struct Targeting: Sendable, Hashable {
  /// The values of `appGroupType`: a group of apps that a document targets.
  package enum AppGroup: String, Sendable, CaseIterable {
    case selectedPublicApps, allCoreMicrosoftApps, allMicrosoftApps, allApps
  }

  /// The values of `targetedAppManagementLevels` that concern iOS. Each is a device state.
  package enum Level: String, Sendable, CaseIterable {
    case unspecified, unmanaged, mdm

    /// The values of `targetedAppManagementLevels` for other platforms, and Graph's placeholder for future values. A
    /// document that targets only such levels does not reach iPhones.
    static let ofOtherPlatforms: Set = [
      "androidEnterprise", "androidEnterpriseDedicatedDevicesWithAzureAdSharedMode",
      "androidOpenSourceProjectUserAssociated", "androidOpenSourceProjectUserless",
      "unknownFutureValue",
    ]
  }

  /// A property in Graph that determines which apps and device states a document targets.
  package enum Property: String, Sendable, CaseIterable {
    case appGroupType, apps, targetedAppManagementLevels
  }

  /// Whether a document targets an app, with the reason.
  package enum Result: Sendable, Hashable {
    /// The document lists the app's bundle id in `apps`.
    case app
    case group(AppGroup)
    /// The document neither lists the app in `apps` nor targets a group that contains it.
    case otherApp
    /// The document targets the app, but not while the device is in this state.
    case otherState(ManagementState)

    package var isTargeted: Bool {
      switch self {
      case .app, .group: true
      case .otherApp, .otherState: false
      }
    }

    /// The reason as a clause in lower case: ``targeted by the group `allMicrosoftApps` ``.
    package var text: String {
      switch self {
      case .app: "targeted by bundle id"
      case .group(let group): "targeted by the group `\(group.rawValue)`"
      case .otherApp: "not targeted at this app"
      case .otherState(.enrolledWithoutUPN):
        "not targeted at unmanaged devices; an enrolled device counts as unmanaged if the app's "
          + "configuration does not name the account"
      case .otherState(.unenrolled): "not targeted at unmanaged devices"
      case .otherState(.enrolled): "not targeted at managed devices"
      }
    }
  }

  /// The bundle ids of the apps that the document lists, in lower case.
  package let bundleIDs: Set<String>
  package let appGroup: AppGroup
  /// The targeted device states; nil for every state.
  package let levels: Set<Level>?

  /// Creates a targeting. If `levels` is nil or contains `unspecified`, every device state is targeted. If `levels` is
  /// empty, no device state is targeted.
  package init(
    bundleIDs: some Sequence<String> = [], appGroup: AppGroup = .selectedPublicApps,
    levels: Set<Level>? = nil
  ) {
    self.bundleIDs = Set(bundleIDs.map { $0.lowercased() })
    self.appGroup = appGroup
    self.levels = levels.flatMap { $0.contains(.unspecified) ? nil : $0 }
  }

  /// Returns whether an app in a device state is targeted, with the reason. The case of the bundle id does not matter.
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

  /// A clause that lists the targeted apps: `targeted at com.contoso.mail and 2 more`.
  package var text: String {
    var apps = bundleIDs.sorted()
    switch appGroup {
    case .selectedPublicApps: break
    case .allCoreMicrosoftApps, .allMicrosoftApps, .allApps:
      apps.insert("the group `\(appGroup.rawValue)`", at: 0)
    }
    return apps.isEmpty ? "targeted at no app" : "targeted at \(ListFormat.first(4, of: apps))"
  }

  /// Returns the lowercase bundle id of the app called `name`. Nil if the documents neither list such an app nor target
  /// a Microsoft group with such a core app.
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

  /// Returns the lowercase bundle id that `name` probably means, even if `name` is misspelled. Nil if the documents
  /// target no app with a similar name.
  package static func app(nearestTo name: String, among targetings: [Targeting]) -> String? {
    if let app = app(named: name, among: targetings) { return app }
    let known = knownApps(targetings)
    if name.contains(".") { return Suggestion.word(for: name.lowercased(), among: known) }
    let named = Dictionary(known.sorted().map { (AppName.short($0), $0) }) { first, _ in first }
    return Suggestion.word(for: name, among: named.keys).flatMap { named[$0] }
  }

  /// Returns the bundle ids of the apps that the documents list, and of Microsoft's core apps if a document targets a
  /// Microsoft group. A document that targets all apps adds no bundle ids beyond these.
  private static func knownApps(_ targetings: [Targeting]) -> Set<String> {
    targetings.reduce(into: []) { known, targeting in
      known.formUnion(targeting.bundleIDs)
      switch targeting.appGroup {
      case .selectedPublicApps, .allApps: break
      case .allCoreMicrosoftApps, .allMicrosoftApps: known.formUnion(coreMicrosoftApps)
      }
    }
  }

  /// Bundle ids that together represent all targeted apps. `com.microsoft.*` stands for all other Microsoft apps, and
  /// `*` for all other apps.
  package var sampleApps: Set<String> {
    switch appGroup {
    case .selectedPublicApps: bundleIDs
    case .allCoreMicrosoftApps: bundleIDs.union(Self.coreMicrosoftApps)
    case .allMicrosoftApps: bundleIDs.union(Self.coreMicrosoftApps).union(["com.microsoft.*"])
    case .allApps: bundleIDs.union(Self.coreMicrosoftApps).union(["com.microsoft.*", "*"])
    }
  }

  /// The bundle ids of core Microsoft apps, keyed by the app's name. Contains only apps whose name differs from the
  /// last component of the bundle id.
  private static let coreMicrosoftAppNames = [
    "edge": "com.microsoft.msedge", "microsoftedge": "com.microsoft.msedge",
    "office": "com.microsoft.officemobile", "onedrive": "com.microsoft.skydrive",
    "todo": "com.microsoft.to-do", "microsoftteams": "com.microsoft.skype.teams",
    "microsoftoutlook": "com.microsoft.office.outlook",
  ]
}

/// The management state of an app on a device, which decides whether a document targets the app.
///
/// If the app lacks `IntuneMAMUPN`, an enrolled device counts as unmanaged: the app cannot identify the enrolled user,
/// and receives the policy for unmanaged devices.
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

  /// Returns whether Intune gives the app `IntuneMAMUPN` on each managed device, even without an app configuration. The
  /// case of the bundle id does not matter.
  ///
  /// Source: Microsoft Learn, "What's new in Microsoft Intune", service release 2409: `IntuneMAMUPN`, `IntuneMAMOID`
  /// and `IntuneMAMDeviceID` are sent to managed apps on enrolled iOS devices.
  package static func intuneNamesUser(to bundleID: String) -> Bool {
    [
      "com.microsoft.office.excel", "com.microsoft.office.outlook",
      "com.microsoft.office.powerpoint", "com.microsoft.office.word", "com.microsoft.skype.teams",
    ].contains(bundleID.lowercased())
  }

  /// The level that a document must target to reach an app in this state.
  package var level: Targeting.Level { self == .enrolled ? .mdm : .unmanaged }
}

extension AppName {
  /// Returns the lowercase bundle id of the app called `name`: an app that the documents target, or otherwise a
  /// well-known app. Nil if there is none.
  package static func bundleID(of name: String, among targetings: [Targeting]) -> String? {
    Targeting.app(named: name, among: targetings) ?? bundleID(of: name)
  }
}
