internal import Diagnostics
internal import JSON

extension AppBundle.Kind {
  /// The extension point; nil for an app.
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

  /// The name of the kind, for people.
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

  /// Whether the share sheet offers the extension by its activation rule.
  package var isOfferedByRule: Bool {
    switch self {
    case .shareExtension, .actionExtension, .actionWithoutInterface: true
    case .app, .notificationService, .keyboard, .safariWebExtension, .fileProvider, .packetTunnel,
      .singleSignOn:
      false
    }
  }

  /// Determines the kind of a bundle.
  ///
  /// - Parameter path: The path of the bundle; an extension's folder ends in `.appex`.
  /// - Throws: ``BundleError`` for an extension point that Sluice does not launch, and for an extension's
  ///   folder without any.
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
    let fault = list["NSExtension"].map { "must be a dictionary, found \($0.noun)" } ?? "is missing"
    var error = BundleError(
      file: list.file, line: position?.line, column: position?.column,
      message: "`NSExtension` \(fault), though the folder is named as an extension's")
    error.rule = .extensionMissing
    return error
  }
}

/// The extension points that Sluice does not launch, with their names.
///
/// Source: Apple, App Extension Programming Guide and the documentation of the frameworks named.
enum ForeignPoint {
  static func refusal(of point: String) -> String {
    if point.isEmpty { return "`NSExtensionPointIdentifier` is missing" }
    if let title = titles[point] {
      return "the extension point `\(point)` (\(title)) is not launched"
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
