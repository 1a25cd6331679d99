internal import Encodings
internal import Output
internal import UniformTypes

/// An app or extension, as its `Info.plist` and its entitlements describe it.
package struct AppBundle: Sendable {
  package var info: InfoPlist
  package var entitlements: Entitlements
  package var kind: Kind
  /// An app's extensions of kinds that Sluice launches. Those in `PlugIns` precede those in `Extensions`; in each
  /// folder, they are in the order of their names.
  package var plugIns: [AppBundle] = []
  /// The findings about an app's extensions that are not in ``plugIns``: those of unsupported kinds, and those that
  /// cannot be read.
  package var problems: [BundleFinding] = []
  package var source: BundleFiles

  package enum Kind: Sendable, Equatable, CaseIterable {
    case app
    case shareExtension
    case actionExtension
    case actionWithoutInterface
    case notificationService
    case keyboard
    case safariWebExtension
    case fileProvider
    case packetTunnel
    case singleSignOn
  }

  package struct BundleFiles: Sendable {
    /// The path of the folder or property list, as given on the command line or found in a folder.
    package var path: String
    package var list: PropertyList
    package var entitlements: PropertyList?
    package var findings: [BundleFinding]
    package var settings: BuildSettings
    /// Whether the bundle is a folder. Otherwise, only its property list is known, not its other files.
    package var isFolder: Bool
    /// Whether several files in the folder may be the entitlements. In this case, none of them is used.
    var hasCandidates = false

    /// Whether the bundle is the result of a build: a folder whose name ends in `.app` or `.appex`. False if the build
    /// settings let Xcode generate its `Info.plist`.
    var isBuilt: Bool {
      isFolder && [".app", ".appex"].contains { path.hasSuffix($0) }
        && settings["GENERATE_INFOPLIST_FILE"] != "YES"
    }
  }
}

extension AppBundle {
  /// The maximum number of types in a property list, both declared types and types that they conform to. It limits
  /// memory, because conformance is stored for each pair of types. Real lists have far fewer types.
  static let maximumTypes = 4_000

  /// Creates a bundle from its property lists.
  ///
  /// - Parameter entitlements: The entitlements file; nil if there is none.
  /// - Throws: ``BundleError`` for an unsupported extension point, for an `.appex` folder without an extension point,
  ///   and for a list with too many types.
  package init(
    _ list: PropertyList, entitlements granted: PropertyList?, settings: BuildSettings,
    path: String, isFolder: Bool = false
  ) throws(BundleError) {
    let (info, findings) = InfoPlistReader.read(list, settings: settings)
    guard info.declaredTypes.reduce(0, { $0 + 1 + $1.conformsTo.count }) <= Self.maximumTypes else {
      throw BundleError(
        file: list.file,
        message: "the property list declares or refers to more than \(Self.maximumTypes) types")
    }
    var own = settings
    if own["PRODUCT_BUNDLE_IDENTIFIER"] == nil {
      own["PRODUCT_BUNDLE_IDENTIFIER"] = info.identifier
    }
    let rights = granted.map { Entitlements.read($0, settings: own) }
    self.info = info
    entitlements = rights?.entitlements ?? Entitlements()
    kind = try Kind(of: info, list: list, path: path)
    source = BundleFiles(
      path: path, list: list, entitlements: granted,
      findings: list.findings + findings + (granted?.findings ?? []) + (rights?.findings ?? []),
      settings: settings, isFolder: isFolder)
  }

  /// The id of the team that signs the bundle. Nil if neither the entitlements nor the build settings state it.
  package var team: String? { entitlements.team ?? source.settings["DEVELOPMENT_TEAM"] }

  package var isExtension: Bool { kind != .app }

  /// The errors in the activation rules of the bundle and its extensions. A rule with an error cannot be evaluated.
  package var invalidRules: [BundleFinding] {
    ([self] + plugIns).compactMap(\.info.appExtension?.invalidRule)
  }
}

// MARK: - Kinds and extension points

extension AppBundle.Kind {
  /// The extension point of the kind; nil for an app.
  package var point: String? {
    switch self {
    case .app: nil
    case .shareExtension: "com.apple.share-services"
    case .actionExtension: "com.apple.ui-services"
    case .actionWithoutInterface: "com.apple.services"
    case .notificationService: "com.apple.usernotifications.service"
    case .keyboard: "com.apple.keyboard-service"
    case .safariWebExtension: "com.apple.Safari.web-extension"
    case .fileProvider: "com.apple.fileprovider-nonui"
    case .packetTunnel: "com.apple.networkextension.packet-tunnel"
    case .singleSignOn: "com.apple.AppSSO.idp-extension"
    }
  }

  package var title: String {
    switch self {
    case .app: "app"
    case .shareExtension: "share extension"
    case .actionExtension: "action extension"
    case .actionWithoutInterface: "action extension without user interface"
    case .notificationService: "notification service"
    case .keyboard: "keyboard"
    case .safariWebExtension: "Safari web extension"
    case .fileProvider: "file provider"
    case .packetTunnel: "VPN packet tunnel"
    case .singleSignOn: "single sign-on extension"
    }
  }

  /// Whether the share sheet decides by the extension's activation rule whether to offer the extension.
  package var isOfferedByRule: Bool {
    switch self {
    case .shareExtension, .actionExtension, .actionWithoutInterface: true
    case .app, .notificationService, .keyboard, .safariWebExtension, .fileProvider, .packetTunnel,
      .singleSignOn:
      false
    }
  }

  /// Determines the kind of a bundle from its extension point.
  ///
  /// - Parameter path: The path of the bundle. If it ends in `.appex`, the bundle must be an extension.
  /// - Throws: ``BundleError`` for an unsupported extension point, and for an `.appex` folder without an extension
  ///   point.
  init(of info: InfoPlist, list: PropertyList, path: String) throws(BundleError) {
    guard let point = info.extensionPoint else {
      if path.hasSuffix(".appex") { throw Self.missingExtension(in: list) }
      self = .app
      return
    }
    if let kind = Self.allCases.first(where: { $0.point == point }) {
      self = kind
      return
    }
    let position = list.position(of: ["NSExtension", "NSExtensionPointIdentifier"])
    var error = BundleError(
      file: list.file, line: position?.line, column: position?.column,
      message: ForeignPoint.refusal(of: point))
    error.rule = ForeignPoint.titles[point] == nil ? .unknownPoint : .notLaunched
    throw error
  }

  private static func missingExtension(in list: PropertyList) -> BundleError {
    let position = list.position(of: ["NSExtension"])
    let defect =
      list["NSExtension"].map { "must be a dictionary, found \($0.noun)" } ?? "is missing"
    var error = BundleError(
      file: list.file, line: position?.line, column: position?.column,
      message: "`NSExtension` \(defect), but the folder's name ends in `.appex`")
    error.rule = .extensionMissing
    return error
  }
}

/// Known extension points that Sluice does not launch, and errors about them.
///
/// Source: Apple, App Extension Programming Guide, and the documentation of each framework.
private enum ForeignPoint {
  static func refusal(of point: String) -> String {
    if point.isEmpty { return "`NSExtensionPointIdentifier` is missing" }
    if let title = titles[point] {
      return "Sluice does not launch extensions of the extension point `\(point)` (\(title))"
    }
    let known = AppBundle.Kind.allCases.compactMap(\.point) + titles.keys.sorted()
    return "the extension point `\(point)` is not known"
      + Suggestion.nearest(to: point, among: known)
  }

  static let titles = [
    "com.apple.AudioUnit": "audio unit",
    "com.apple.AudioUnit-UI": "audio unit with user interface",
    "com.apple.FinderSync": "Finder synchronisation",
    "com.apple.ManagedSettings.shield-action-service": "Screen Time shield action",
    "com.apple.ManagedSettingsUI.shield-configuration-service": "Screen Time shield",
    "com.apple.Safari.content-blocker": "Safari content blocker",
    "com.apple.Safari.extension": "Safari app extension",
    "com.apple.Safari.sharing-service": "Safari sharing",
    "com.apple.accessory-data-provider": "accessory data",
    "com.apple.appintents-extension": "app intents",
    "com.apple.authentication-services-account-authentication-modification-ui":
      "account upgrade",
    "com.apple.authentication-services-credential-provider-ui": "password provider",
    "com.apple.background-asset-downloader-extension": "background assets",
    "com.apple.broadcast-services-setupui": "broadcast setup",
    "com.apple.broadcast-services-upload": "screen broadcast",
    "com.apple.callkit.call-directory": "call directory",
    "com.apple.classkit.context-provider": "ClassKit contexts",
    "com.apple.ctk-tokens": "smart card tokens",
    "com.apple.deviceactivity.monitor-extension": "Screen Time monitor",
    "com.apple.deviceactivityui.report-extension": "Screen Time report",
    "com.apple.email.extension": "Mail extension",
    "com.apple.fileprovider-actionsui": "file provider's user interface",
    "com.apple.fileprovider-ui": "file provider's document picker",
    "com.apple.identitylookup.call-directory": "caller identity",
    "com.apple.identitylookup.classification-ui": "unwanted call reporting",
    "com.apple.identitylookup.message-filter": "message filter",
    "com.apple.intents-service": "Siri intents",
    "com.apple.intents-ui-service": "Siri intents with user interface",
    "com.apple.live-lookup": "live caller lookup",
    "com.apple.location.push.service": "location push",
    "com.apple.matter.support.extension.device-setup": "Matter device setup",
    "com.apple.message-payload-provider": "iMessage app",
    "com.apple.networkextension.app-push": "local push connectivity",
    "com.apple.networkextension.app-proxy": "app proxy",
    "com.apple.networkextension.dns-proxy": "DNS proxy",
    "com.apple.networkextension.filter-control": "content filter's control",
    "com.apple.networkextension.filter-data": "content filter's data",
    "com.apple.photo-editing": "photo editing",
    "com.apple.photo-project": "photo project",
    "com.apple.printing.discovery": "printer discovery",
    "com.apple.quicklook.preview": "Quick Look preview",
    "com.apple.quicklook.thumbnail": "thumbnails",
    "com.apple.spotlight.import": "Spotlight import",
    "com.apple.spotlight.index": "Spotlight index",
    "com.apple.tv-top-shelf": "Apple TV top shelf",
    "com.apple.usernotifications.content-extension": "notification content",
    "com.apple.watchkit": "watch app",
    "com.apple.widget-extension": "Today widget",
    "com.apple.widgetkit-extension": "widget",
  ]
}

// MARK: - Entitlements

/// The values of an entitlements file that Sluice uses.
package struct Entitlements: Sendable, Equatable {
  /// `keychain-access-groups`, in which `$(AppIdentifierPrefix)` is replaced by its value.
  package var keychainAccessGroups: [String] = []
  /// `com.apple.security.application-groups`.
  package var appGroups: [String] = []
  /// `com.apple.developer.associated-domains`.
  package var associatedDomains: [String] = []
  /// `application-identifier`; nil if absent. Signing adds it.
  private var applicationIdentifier: String?
  /// `com.apple.developer.team-identifier`; if it is absent, the team in ``applicationIdentifier``. Nil if neither
  /// states a team.
  package var team: String?

  package init() {}

  static func read(
    _ list: PropertyList, settings: BuildSettings
  ) -> (entitlements: Entitlements, findings: [BundleFinding]) {
    var settings = settings
    if settings["DEVELOPMENT_TEAM"] == nil, settings["AppIdentifierPrefix"] == nil {
      var reader = ListReader(list, settings: settings)
      if let team = Entitlements(&reader).team { settings.setTeam(team) }
    }
    var reader = ListReader(list, settings: settings)
    return (Entitlements(&reader), reader.findings)
  }

  private init(_ reader: inout ListReader) {
    keychainAccessGroups = reader.strings(["keychain-access-groups"])
    appGroups = reader.strings(["com.apple.security.application-groups"])
    associatedDomains = reader.strings(["com.apple.developer.associated-domains"])
    applicationIdentifier = reader.string(["application-identifier"])
    team =
      reader.string(["com.apple.developer.team-identifier"])
      ?? Self.prefix(of: applicationIdentifier)
    if team?.contains("$") == true { team = nil }
  }

  /// Returns the team id with which a keychain group or application identifier begins: ten capital letters and digits,
  /// followed by a full stop. Nil if it does not begin with one.
  static func prefix(of identifier: String?) -> String? {
    guard let identifier, let stop = identifier.firstIndex(of: ".") else { return nil }
    let prefix = identifier[..<stop]
    let isTeam =
      prefix.count == 10 && prefix.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) }
    return isTeam ? String(prefix) : nil
  }

  /// Returns whether the entitlements grant a keychain group. `name` may begin with the team id or not.
  package func grants(keychainGroup name: String) -> Bool {
    keychainAccessGroups.contains { Self.withoutPrefix($0) == name || $0 == name }
  }

  /// Returns the name of a keychain group as code uses it: without the leading team id or the variable for it.
  static func withoutPrefix(_ group: String) -> String {
    for variable in ["$(AppIdentifierPrefix)", "$(TeamIdentifierPrefix)"]
    where group.hasPrefix(variable) {
      return String(group.dropFirst(variable.count))
    }
    guard let stop = group.firstIndex(of: ".") else { return group }
    let prefix = group[..<stop]
    let isTeam = prefix.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) }
    return isTeam ? String(group[group.index(after: stop)...]) : group
  }
}
