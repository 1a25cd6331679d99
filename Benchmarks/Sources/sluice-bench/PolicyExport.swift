internal import Policy

/// Generates app protection policies in the format of Microsoft Graph, with random values.
struct PolicyExport {
  private var generator: SeededGenerator
  /// The bundle ids that every policy targets.
  private let apps: [String]
  private var count = 0

  init(seed: UInt64, apps: [String]) {
    generator = SeededGenerator(seed: seed)
    self.apps = apps
  }

  /// Returns a list response that contains `count` policies.
  mutating func list(count: Int) -> String {
    var policies: [String] = []
    for _ in 0..<count { policies.append(policy()) }
    return list(of: policies)
  }

  /// Returns a list response that contains enough policies to reach `bytes` bytes.
  mutating func list(bytes: Int) -> String {
    var policies: [String] = []
    var text = ""
    repeat {
      policies.append(policy())
      text = list(of: policies)
    } while text.utf8.count < bytes
    return text
  }

  private func list(of policies: [String]) -> String {
    """
    {
      "@odata.context": "https://graph.microsoft.com/v1.0/$metadata#deviceAppManagement/iosManagedAppProtections",
      "value": [
    \(policies.joined(separator: ",\n"))
      ]
    }

    """
  }

  private mutating func policy() -> String {
    count += 1
    var lines = PolicyExportLines()
    lines.text("@odata.type", "#microsoft.graph.iosManagedAppProtection")
    lines.text("id", "T_6f1c2a34-8b7e-4d0f-9c55-3f1f0a2b7d\(count)")
    lines.text("displayName", "Contoso protection \(count)")
    lines.text("createdDateTime", "2025-11-03T08:15:00Z")
    lines.text("appGroupType", "selectedPublicApps")
    lines.text("targetedAppManagementLevels", "unspecified")
    writeTransfers(&lines)
    writeStorage(&lines)
    writeURLs(&lines)
    writeFunctions(&lines)
    writeAccess(&lines)
    lines.objects("apps", apps.map(app))
    return lines.object
  }

  private func app(_ bundleID: String) -> String {
    """
            {
              "id": "\(bundleID).ios",
              "version": "-518090279",
              "mobileAppIdentifier": {
                "@odata.type": "#microsoft.graph.iosMobileAppIdentifier",
                "bundleId": "\(bundleID)"
              }
            }
    """
  }
}

extension PolicyExport {
  private mutating func any<Value: CaseIterable & RawRepresentable<String>>(
    _ type: Value.Type
  ) -> String {
    generator.pick(Array(type.allCases)).rawValue
  }

  /// Returns a random subset of the cases. Each case is included with a probability of one half.
  private mutating func some<Value: CaseIterable & RawRepresentable<String>>(
    _ type: Value.Type
  ) -> [String] {
    var some: [String] = []
    for value in type.allCases where generator.once(in: 2) { some.append(value.rawValue) }
    return some
  }

  private mutating func writeTransfers(_ lines: inout PolicyExportLines) {
    lines.text("allowedInboundDataTransferSources", any(Settings.Sources.self))
    lines.text("allowedOutboundDataTransferDestinations", any(Settings.Destinations.self))
    for name in [
      "disableProtectionOfManagedOutboundOpenInData", "filterOpenInToOnlyManagedApps",
      "protectInboundDataFromUnknownSources",
    ] {
      lines.bool(name, generator.once(in: 3))
    }
    lines.text("allowedOutboundClipboardSharingLevel", any(Settings.ClipboardLevel.self))
    lines.number(
      "allowedOutboundClipboardSharingExceptionLength", generator.pick([0, 0, 0, 10, 25, 100]))
  }

  private mutating func writeStorage(_ lines: inout PolicyExportLines) {
    lines.bool("saveAsBlocked", !generator.once(in: 3))
    lines.texts("allowedDataStorageLocations", some(Settings.StorageService.self))
    lines.bool("blockDataIngestionIntoOrganizationDocuments", generator.once(in: 2))
    lines.texts("allowedDataIngestionLocations", some(Settings.IngestionService.self))
  }

  private mutating func writeURLs(_ lines: inout PolicyExportLines) {
    let schemes = "skype;app-settings;calshow;itms;itmss;itms-apps;itms-appss;itms-services"
    let more = generator.once(in: 3) ? ";mailto;sms;whatsapp" : ""
    lines.objects(
      "exemptedAppProtocols",
      ["        { \"name\": \"Default\", \"value\": \"\(schemes)\(more)\" }"])
    lines.texts("exemptedUniversalLinks", Self.both(Self.exempted))
    lines.texts("managedUniversalLinks", Self.both(Self.managed))
    lines.text("managedBrowser", any(Settings.Browser.self))
    lines.bool("managedBrowserToOpenLinksRequired", generator.once(in: 2))
    lines.text("customBrowserProtocol", generator.pick(["", "", "firefox-focus"]))
    lines.text("dialerRestrictionLevel", any(Settings.DialerLevel.self))
    lines.text("customDialerAppProtocol", generator.pick(["", "contosodialer"]))
    lines.text("protectedMessagingRedirectAppType", any(Settings.MessagingRedirect.self))
    lines.text("messagingRedirectAppUrlScheme", generator.pick(["", "contosochat"]))
  }

  private mutating func writeFunctions(_ lines: inout PolicyExportLines) {
    for name in [
      "printBlocked", "contactSyncBlocked", "allowWidgetContentSync", "dataBackupBlocked",
      "thirdPartyKeyboardsBlocked",
    ] {
      lines.bool(name, generator.once(in: 2))
    }
    lines.text("notificationRestriction", any(Settings.NotificationRestriction.self))
    lines.text("appDataEncryptionType", any(Settings.Encryption.self))
    for name in [
      "screenCaptureConfigurationState", "writingToolsConfigurationState",
      "genmojiConfigurationState",
    ] where generator.once(in: 2) {
      lines.text(name, any(Settings.ConfigurationState.self))
    }
  }

  private func writeAccess(_ lines: inout PolicyExportLines) {
    lines.bool("pinRequired", true)
    lines.number("minimumPinLength", 6)
    lines.number("maximumPinRetries", 5)
    lines.text("pinCharacterSet", "numeric")
    lines.text("pinRequiredInsteadOfBiometricTimeout", "PT30M")
    lines.bool("deviceComplianceRequired", true)
    lines.text("periodOfflineBeforeAccessCheck", "PT12H")
    lines.text("periodOnlineBeforeAccessCheck", "PT30M")
    lines.text("periodOfflineBeforeWipeIsEnforced", "P90D")
    lines.text("minimumRequiredOsVersion", "17.0")
    lines.text("maximumAllowedDeviceThreatLevel", "notConfigured")
  }

  /// The default exemptions of the admin centre.
  private static let exempted = [
    "maps.apple.com", "facetime.apple.com", "*.icloud.com", "apps.apple.com", "music.apple.com",
  ]
  private static let managed = [
    "*.onedrive.com/*", "*.sharepoint.com/*", "*.sharepoint-df.com/*", "*.teams.microsoft.com/*",
    "*.powerbi.com/*", "*.dynamics.com/*", "*.yammer.com/*", "*.service-now.com/*", "*.zoom.us/*",
    "*.appsplatform.us/*", "*.azurewebsites.net/*", "*.office.com/*",
  ]

  private static func both(_ links: [String]) -> [String] {
    links.flatMap { ["http://\($0)", "https://\($0)"] }
  }
}
