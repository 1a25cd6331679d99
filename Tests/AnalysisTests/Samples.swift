import GraphDocuments
import Model
import Policy
import PolicySupport
import Testing

/// Policies for tests.
enum Samples {
  /// Returns a policy with each setting on its own line.
  static func document(
    _ name: String, levels: Set<Targeting.Level>? = nil, _ edit: (inout Settings) -> Void = { _ in }
  ) -> PolicyDocument {
    let file = "\(name).json"
    var settings = Settings()
    edit(&settings)
    var origins: [Setting: EffectivePolicy.Origin] = [:]
    for setting in Setting.allCases where setting.holder == .policy {
      origins[setting] = .init(file: file, line: setting.line, policy: name)
    }
    return PolicyDocument(
      displayName: name, file: file, settings: settings, origins: origins,
      targeting: Targeting(levels: levels))
  }

  static func policy(
    _ name: String, _ edit: (inout Settings) -> Void = { _ in }
  ) -> EffectivePolicy {
    let document = document(name, edit)
    return EffectivePolicy(settings: document.settings, origins: document.origins)
  }

  /// Sets up a policy like those of many organisations.
  static func common(_ settings: inout Settings) {
    settings.allowedOutboundDataTransferDestinations = .managedApps
    settings.disableProtectionOfManagedOutboundOpenInData = true
    settings.allowedInboundDataTransferSources = .managedApps
    settings.allowedOutboundClipboardSharingLevel = .managedAppsWithPasteIn
    settings.allowedOutboundClipboardSharingExceptionLength = 50
    settings.saveAsBlocked = true
    settings.allowedDataStorageLocations = [.oneDriveForBusiness, .sharePoint]
    settings.managedBrowser = .microsoftEdge
    settings.managedBrowserToOpenLinksRequired = true
    settings.exemptedAppProtocols = ["skype"]
    settings.exemptedUniversalLinks = [LinkPattern("https://maps.apple.com/*")]
    settings.managedUniversalLinks = [LinkPattern("https://*.sharepoint.com/*")]
    settings.dialerRestrictionLevel = .managedApps
    settings.notificationRestriction = .blockOrganizationalData
    settings.appDataEncryptionType = .whenDeviceLocked
    settings.minimumPinLength = 4
  }

  /// Sets up a revision of ``common(_:)``.
  static func revised(_ settings: inout Settings) {
    common(&settings)
    settings.allowedOutboundClipboardSharingExceptionLength = 20
    settings.allowedDataStorageLocations = [.oneDriveForBusiness, .box]
    settings.exemptedAppProtocols = ["skype", "webex"]
    settings.dialerRestrictionLevel = .blocked
    settings.printBlocked = true
    settings.appDataEncryptionType = .useDeviceSettings
    settings.allowedDataIngestionLocations = [.camera]
    settings.minimumPinLength = 6
    settings.minimumRequiredOsVersion = Version(17)
  }
}
