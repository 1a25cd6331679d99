import Model
import Policy

/// The values that the Intune admin centre fills in where an administrator chooses none, and that Graph then exports.
///
/// Source: Microsoft Learn, "iOS app protection policy settings", default values.
enum AdminCentreValues {
  /// Whether the setting has the value that the admin centre fills in.
  static func holds(_ setting: Setting, in settings: Settings) -> Bool {
    listed[setting]?(settings)
      ?? (settings.graphValue(of: setting) == filledIn.graphValue(of: setting))
  }

  /// Tests of lists that may differ from those of ``filledIn``, by setting.
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

  /// The entries that the admin centre lists under `managedUniversalLinks` by itself: links to org data.
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

  /// The domains of the links that the admin centre fills in; the lists themselves change from time to time.
  private static let linkDomains = [
    "appsplatform.us", "collab.apps.mil", "facetime.apple.com", "live.com", "maps.apple.com",
    "microsoft.com", "microsoft.us", "microsoftstream.com", "office.com", "onedrive.com",
    "powerapps.cn", "powerapps.com", "powerapps.us", "powerbi.cn", "powerbi.com", "powerbi.de",
    "powerbigov.us", "service-now.com", "sharepoint-df.com", "sharepoint.com", "skype.com",
    "yammer.com", "zoom.us",
  ]
}
