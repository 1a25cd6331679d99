package import Model
package import Policy

/// A setting, with the condition under which its value has no effect.
struct DeadSetting: Sendable {
  let setting: Setting
  /// Returns the reason why the setting has no effect under the given settings; nil if it has an effect.
  let cause: @Sendable (Settings) -> Cause?

  struct Cause: Sendable {
    /// The cause as a clause that follows "because".
    let words: String
    /// Whether the settings that apply instead of the setting without effect are at least as restrictive as that
    /// setting. If not, the policy restricts less than the setting states.
    let isStricter: Bool

    static func stricter(_ words: String) -> Cause { Cause(words: words, isStricter: true) }
    static func looser(_ words: String) -> Cause { Cause(words: words, isStricter: false) }
  }

  private init(_ setting: Setting, _ cause: @escaping @Sendable (Settings) -> Cause?) {
    self.setting = setting
    self.cause = cause
  }

  fileprivate static let bySetting = Dictionary(grouping: all, by: \.setting)

  static let all: [DeadSetting] = locations + links + pin + actions

  /// The settings for "Save copies of org data" and "Open data into Org documents".
  private static let locations: [DeadSetting] = [
    DeadSetting(.saveAsBlocked) { $0.sendDecides },
    DeadSetting(.allowedDataStorageLocations) {
      $0.sendDecides ?? ($0.saveAsBlocked ? nil : .looser("`saveAsBlocked` is false"))
    },
    DeadSetting(.blockDataIngestionIntoOrganizationDocuments) { $0.receiveDecides },
    DeadSetting(.allowedDataIngestionLocations) {
      $0.receiveDecides
        ?? ($0.blockDataIngestionIntoOrganizationDocuments
          ? nil : .looser("`blockDataIngestionIntoOrganizationDocuments` is false"))
    },
  ]

  /// The settings for the clipboard, URLs and links.
  private static let links: [DeadSetting] = [
    DeadSetting(.allowedOutboundClipboardSharingExceptionLength) {
      guard $0.allowedOutboundClipboardSharingLevel == .allApps else { return nil }
      return .looser(
        "`allowedOutboundClipboardSharingLevel` is `allApps`, so text of any length can be pasted")
    },
    DeadSetting(.exemptedAppProtocols) {
      guard $0.allowedOutboundDataTransferDestinations == .allApps,
        $0.exemptedAppProtocols.isDisjoint(with: URLRules.schemesWithSettings)
      else { return nil }
      return .looser(
        "`allowedOutboundDataTransferDestinations` is `allApps`, so any app may be opened")
    },
    DeadSetting(.customBrowserProtocol) {
      guard $0.managedBrowser == .microsoftEdge else { return nil }
      return .stricter("`managedBrowser` is `microsoftEdge`, which takes precedence")
    },
    DeadSetting(.exemptedUniversalLinks) { $0.anyBrowserOpens },
    DeadSetting(.managedUniversalLinks) { $0.anyBrowserOpens },
    DeadSetting(.customDialerAppProtocol) {
      guard $0.dialerRestrictionLevel != .customApp else { return nil }
      let words = "`dialerRestrictionLevel` is `\($0.dialerRestrictionLevel.rawValue)`"
      return $0.dialerRestrictionLevel == .allApps ? .looser(words) : .stricter(words)
    },
    DeadSetting(.messagingRedirectAppUrlScheme) {
      guard $0.protectedMessagingRedirectAppType != .specificApps else { return nil }
      let type = $0.protectedMessagingRedirectAppType
      let words = "`protectedMessagingRedirectAppType` is `\(type.rawValue)`"
      return type == .anyApp ? .looser(words) : .stricter(words)
    },
  ]

  /// The settings that have no effect if no PIN is required.
  private static let pin: [DeadSetting] =
    [
      Setting.pinCharacterSet, .simplePinBlocked, .minimumPinLength, .maximumPinRetries,
      .periodBeforePinReset, .previousPinBlockCount, .fingerprintBlocked, .faceIdBlocked,
      .disableAppPinIfDevicePinIsSet,
    ].map { DeadSetting($0) { $0.noPIN } } + [
      DeadSetting(.appActionIfMaximumPinRetriesExceeded) {
        $0.noPIN ?? ($0.maximumPinRetries == 0 ? .looser("`maximumPinRetries` is 0") : nil)
      },
      DeadSetting(.pinRequiredInsteadOfBiometricTimeout) {
        if let cause = $0.noPIN { return cause }
        guard $0.fingerprintBlocked, $0.faceIdBlocked else { return nil }
        return .stricter("`fingerprintBlocked` and `faceIdBlocked` are true")
      },
    ]

  /// The actions that have no effect because their condition is not checked.
  private static let actions: [DeadSetting] = [
    DeadSetting(.appActionIfDeviceComplianceRequired) {
      $0.deviceComplianceRequired ? nil : .looser("`deviceComplianceRequired` is false")
    },
    DeadSetting(.appActionIfIosDeviceModelNotAllowed) {
      $0.allowedIosDeviceModels != nil ? nil : .looser("`allowedIosDeviceModels` names no model")
    },
    DeadSetting(.mobileThreatDefenseRemediationAction) {
      guard $0.maximumAllowedDeviceThreatLevel == .notConfigured else { return nil }
      return .looser("`maximumAllowedDeviceThreatLevel` is `notConfigured`")
    },
  ]
}

extension Settings {
  fileprivate var sendDecides: DeadSetting.Cause? {
    let setting = "`allowedOutboundDataTransferDestinations`"
    return switch allowedOutboundDataTransferDestinations {
    case .allApps: .looser("\(setting) is `allApps`, so everything may be saved anywhere")
    case .none: .stricter("\(setting) is `none`, so nothing may be saved anywhere")
    case .managedApps: nil
    }
  }

  fileprivate var receiveDecides: DeadSetting.Cause? {
    let setting = "`allowedInboundDataTransferSources`"
    return switch allowedInboundDataTransferSources {
    case .allApps: .looser("\(setting) is `allApps`, so everything may be opened")
    case .none: .stricter("\(setting) is `none`, so nothing may be opened")
    case .managedApps: nil
    }
  }

  fileprivate var noPIN: DeadSetting.Cause? {
    pinRequired ? nil : .looser("`pinRequired` is false")
  }

  fileprivate var anyBrowserOpens: DeadSetting.Cause? {
    isAnyBrowserAllowed ? .looser("any browser may open links") : nil
  }

  /// Whether no setting determines the browser for links. Lists of links then have no effect.
  var isAnyBrowserAllowed: Bool {
    managedBrowser == .notConfigured && !managedBrowserToOpenLinksRequired
      && browserScheme == nil
  }
}

// MARK: - Defaults of the admin centre

/// The values that the Intune admin centre fills in if the administrator chooses none. Graph then exports them.
///
/// Source: Microsoft Learn, "iOS app protection policy settings", default values.
enum AdminCentreValues {
  /// Returns whether the setting has the value that the admin centre fills in.
  static func holds(_ setting: Setting, in settings: Settings) -> Bool {
    listed[setting]?(settings)
      ?? (settings.graphValue(of: setting) == filledIn.graphValue(of: setting))
  }

  /// For settings that are lists, functions that recognise the admin centre's value. They replace the comparison with
  /// ``filledIn``, because Microsoft may change the lists.
  private static let listed: [Setting: @Sendable (Settings) -> Bool] = [
    .exemptedUniversalLinks: { $0.exemptedUniversalLinks.allSatisfy(isFilledIn) },
    .managedUniversalLinks: { $0.managedUniversalLinks.allSatisfy(isFilledIn) },
    .allowedDataIngestionLocations: {
      $0.allowedDataIngestionLocations.isSuperset(of: [.oneDriveForBusiness, .sharePoint, .camera])
    },
  ]

  private static let filledIn = {
    var settings = Settings()
    settings.exemptedAppProtocols = [
      "skype", "app-settings", "calshow", "itms", "itmss", "itms-apps", "itms-appss",
      "itms-services",
    ]
    settings.minimumPinLength = 4
    settings.maximumPinRetries = 5
    settings.pinRequiredInsteadOfBiometricTimeout = 30 * 60
    settings.managedBrowserToOpenLinksRequired = true
    return settings
  }()

  /// The links to org data that the admin centre adds to `managedUniversalLinks` by default.
  static let managedLinks = ["http://", "https://"].flatMap { scheme in
    managedAddresses.map { LinkPattern(scheme + $0) }
  }

  private static let managedAddresses = [
    "*.appsplatform.us/*", "*.onedrive.com/*", "*.powerapps.cn/*", "*.powerapps.com/*",
    "*.powerapps.us/*", "*.powerbi.com/*", "*.service-now.com/*", "*.sharepoint-df.com/*",
    "*.sharepoint.com/*", "*.yammer.com/*", "*.zoom.us/*", "*collab.apps.mil/l/*",
    "*devspaces.skype.com/l/*", "*teams-fl.microsoft.com/l/*", "*teams.live.com/l/*",
    "*teams.microsoft.com/l/*", "*teams.microsoft.us/l/*", "app.powerbi.cn/*",
    "app.powerbi.de/*", "app.powerbigov.us/*", "msit.microsoftstream.com/video/*",
    "tasks.office.com/*", "to-do.microsoft.com/sharing*", "web.microsoftstream.com/video/*",
    "zoom.us/*",
  ]

  private static func isFilledIn(_ link: LinkPattern) -> Bool {
    linkDomains.contains { link.text.contains($0) }
  }

  /// The domains of the links that the admin centre fills in. Only domains are compared, because Microsoft
  /// changes the lists from time to time.
  private static let linkDomains = [
    "appsplatform.us", "collab.apps.mil", "facetime.apple.com", "live.com", "maps.apple.com",
    "microsoft.com", "microsoft.us", "microsoftstream.com", "office.com", "onedrive.com",
    "powerapps.cn", "powerapps.com", "powerapps.us", "powerbi.cn", "powerbi.com", "powerbi.de",
    "powerbigov.us", "service-now.com", "sharepoint-df.com", "sharepoint.com", "skype.com",
    "yammer.com", "zoom.us",
  ]
}

extension Settings {
  /// Returns the reason why a setting has no effect, whatever its value, as a clause that follows "because"; nil if the
  /// setting can have an effect.
  package func noEffectReason(of setting: Setting) -> String? {
    DeadSetting.bySetting[setting]?.lazy.compactMap { $0.cause(self)?.words }.first
  }
}
