import Analysis
import Model
import Output
import Policy

extension DeadSettingTests {
  static let cases: [Case] = transferCases + linkCases + accessCases

  private static let transferCases: [Case] = [
    Case(.saveAsBlocked, .warning, { $0.saveAsBlocked = true }, revive: managedApps),
    Case(
      .saveAsBlocked, .note,
      {
        $0.saveAsBlocked = true
        $0.allowedOutboundDataTransferDestinations = .none
      }, revive: managedApps),
    Case(
      .allowedDataStorageLocations, .warning,
      {
        $0.allowedDataStorageLocations = [.box]
        $0.allowedOutboundDataTransferDestinations = .managedApps
      }, revive: { $0.saveAsBlocked = true }),
    Case(
      .blockDataIngestionIntoOrganizationDocuments, .warning,
      { $0.blockDataIngestionIntoOrganizationDocuments = true },
      revive: { $0.allowedInboundDataTransferSources = .managedApps }),
    Case(
      .allowedDataIngestionLocations, .warning,
      {
        $0.allowedDataIngestionLocations = [.box]
        $0.allowedInboundDataTransferSources = .managedApps
      }, revive: { $0.blockDataIngestionIntoOrganizationDocuments = true }),
    Case(
      .allowedDataIngestionLocations, .note,
      {
        $0.allowedDataIngestionLocations = [.box]
        $0.blockDataIngestionIntoOrganizationDocuments = true
        $0.allowedInboundDataTransferSources = .none
      }, revive: { $0.allowedInboundDataTransferSources = .managedApps }),
    Case(
      .allowedOutboundClipboardSharingExceptionLength, .warning,
      { $0.allowedOutboundClipboardSharingExceptionLength = 10 },
      revive: { $0.allowedOutboundClipboardSharingLevel = .blocked }),
  ]

  private static let linkCases: [Case] = [
    Case(.exemptedAppProtocols, .warning, { $0.exemptedAppProtocols = ["x"] }, revive: managedApps),
    Case(
      .exemptedAppProtocols, .warning, { $0.exemptedAppProtocols = ["x"] },
      revive: { $0.exemptedAppProtocols = ["tel"] }),
    Case(
      .customBrowserProtocol, .note,
      {
        $0.customBrowserProtocol = "firefox"
        $0.managedBrowser = .microsoftEdge
      }, revive: { $0.managedBrowser = .notConfigured }),
    Case(
      .managedUniversalLinks, .warning,
      { $0.managedUniversalLinks = [LinkPattern("https://x.example/*")] },
      revive: { $0.managedBrowser = .microsoftEdge }),
    Case(
      .exemptedUniversalLinks, .warning,
      { $0.exemptedUniversalLinks = [LinkPattern("https://x.example/*")] },
      revive: { $0.customBrowserProtocol = "firefox" }),
    Case(
      .customDialerAppProtocol, .warning, { $0.customDialerAppProtocol = "dial" },
      revive: { $0.dialerRestrictionLevel = .customApp }),
    Case(
      .customDialerAppProtocol, .note,
      {
        $0.customDialerAppProtocol = "dial"
        $0.dialerRestrictionLevel = .blocked
      }, revive: { $0.dialerRestrictionLevel = .customApp }),
    Case(
      .messagingRedirectAppUrlScheme, .warning, { $0.messagingRedirectAppUrlScheme = "chat" },
      revive: { $0.protectedMessagingRedirectAppType = .specificApps }),
  ]

  private static let accessCases: [Case] = [
    Case(
      .pinCharacterSet, .warning, { $0.pinCharacterSet = .alphanumericAndSymbol }, revive: pin),
    Case(.minimumPinLength, .warning, { $0.minimumPinLength = 6 }, revive: pin),
    Case(.faceIdBlocked, .warning, { $0.faceIdBlocked = true }, revive: pin),
    Case(.previousPinBlockCount, .warning, { $0.previousPinBlockCount = 3 }, revive: pin),
    Case(
      .appActionIfMaximumPinRetriesExceeded, .warning,
      {
        $0.pinRequired = true
        $0.appActionIfMaximumPinRetriesExceeded = .wipe
      }, revive: { $0.maximumPinRetries = 5 }),
    Case(
      .pinRequiredInsteadOfBiometricTimeout, .note,
      {
        $0.pinRequired = true
        $0.pinRequiredInsteadOfBiometricTimeout = 60
        $0.fingerprintBlocked = true
        $0.faceIdBlocked = true
      }, revive: { $0.faceIdBlocked = false }),
    Case(
      .appActionIfDeviceComplianceRequired, .warning,
      { $0.appActionIfDeviceComplianceRequired = .wipe },
      revive: { $0.deviceComplianceRequired = true }),
    Case(
      .appActionIfIosDeviceModelNotAllowed, .warning,
      { $0.appActionIfIosDeviceModelNotAllowed = .wipe },
      revive: { $0.allowedIosDeviceModels = ["iphone14,5"] }),
    Case(
      .mobileThreatDefenseRemediationAction, .warning,
      { $0.mobileThreatDefenseRemediationAction = .wipe },
      revive: { $0.maximumAllowedDeviceThreatLevel = .low }),
  ]

  private static let managedApps: @Sendable (inout Settings) -> Void = {
    $0.allowedOutboundDataTransferDestinations = .managedApps
  }

  private static let pin: @Sendable (inout Settings) -> Void = { $0.pinRequired = true }
}
