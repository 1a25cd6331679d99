import Model
import Policy
import TestSupport

extension Settings {
  /// Settings that decide flows, each with some chance away from its default.
  static func random(_ generator: inout SeededGenerator) -> Settings {
    var settings = Settings()
    settings.randomizeTransfer(&generator)
    settings.randomizeURLs(&generator)
    settings.randomizeFunctions(&generator)
    return settings
  }

  /// The same with a few values drawn anew.
  func varied(_ generator: inout SeededGenerator) -> Settings {
    let other = Settings.random(&generator)
    var settings = self
    let differing = differences(from: other)
    let count = Int.random(in: 1...3, using: &generator)
    for setting in differing.shuffled(using: &generator).prefix(count) {
      settings.take(setting, from: other)
    }
    return settings
  }

  private mutating func randomizeTransfer(_ generator: inout SeededGenerator) {
    allowedOutboundDataTransferDestinations = .any(&generator)
    allowedInboundDataTransferSources = .any(&generator)
    disableProtectionOfManagedOutboundOpenInData = .random(using: &generator)
    filterOpenInToOnlyManagedApps = .random(using: &generator)
    protectInboundDataFromUnknownSources = .random(using: &generator)
    saveAsBlocked = .random(using: &generator)
    allowedDataStorageLocations = .subset(&generator)
    blockDataIngestionIntoOrganizationDocuments = .random(using: &generator)
    allowedDataIngestionLocations = .subset(&generator)
    allowedOutboundClipboardSharingLevel = .any(&generator)
    allowedOutboundClipboardSharingExceptionLength =
      [0, 0, 1, 5, 20, 65535].randomElement(using: &generator) ?? 0
  }

  private mutating func randomizeURLs(_ generator: inout SeededGenerator) {
    exemptedAppProtocols = .subset(Self.schemes, &generator)
    exemptedUniversalLinks = Self.patterns.filter { _ in .random(using: &generator) }
    managedUniversalLinks = Self.patterns.filter { _ in .random(using: &generator) }
    dialerRestrictionLevel = .any(&generator)
    customDialerAppProtocol = ["", "dial", "call"].randomElement(using: &generator) ?? ""
    protectedMessagingRedirectAppType = .any(&generator)
    messagingRedirectAppUrlScheme = ["", "chat"].randomElement(using: &generator) ?? ""
    managedBrowser = .any(&generator)
    managedBrowserToOpenLinksRequired = .random(using: &generator)
    customBrowserProtocol = ["", "", "browse"].randomElement(using: &generator) ?? ""
  }

  private mutating func randomizeFunctions(_ generator: inout SeededGenerator) {
    printBlocked = .random(using: &generator)
    notificationRestriction = .any(&generator)
    contactSyncBlocked = .random(using: &generator)
    allowWidgetContentSync = .random(using: &generator)
    dataBackupBlocked = .random(using: &generator)
    thirdPartyKeyboardsBlocked = .random(using: &generator)
    screenCaptureConfigurationState = .anyOrNone(&generator)
    writingToolsConfigurationState = .anyOrNone(&generator)
    genmojiConfigurationState = .anyOrNone(&generator)
    appDataEncryptionType = .any(&generator)
  }

  static let schemes = ["skype", "tel", "sms", "mailto", "https", "webex"]

  private static let patterns = [
    LinkPattern("https://maps.example.com"), LinkPattern("https://*.example.com/*"),
    LinkPattern("*://files.example.net/*"),
  ]
}

extension Settings.ConfigurationState? {
  fileprivate static func anyOrNone(_ generator: inout SeededGenerator) -> Self {
    Bool.random(using: &generator) ? nil : .some(.any(&generator))
  }
}

extension CaseIterable {
  static func any(_ generator: inout SeededGenerator) -> Self {
    guard let element = allCases.randomElement(using: &generator) else {
      preconditionFailure("an enumeration without cases has no value")
    }
    return element
  }
}

extension Set {
  fileprivate static func subset(
    _ all: [Element], _ generator: inout SeededGenerator
  ) -> Set<Element> {
    Set(all.filter { _ in .random(using: &generator) })
  }
}

extension Set where Element: CaseIterable {
  fileprivate static func subset(_ generator: inout SeededGenerator) -> Set<Element> {
    subset(Array(Element.allCases), &generator)
  }
}

extension SeededGenerator {
  mutating func flag() -> Bool { Bool.random(using: &self) }

  /// From 0 up to `bound`, often 0.
  mutating func number(to bound: Int) -> Int {
    flag() ? 0 : Int.random(in: 0...bound, using: &self)
  }

  mutating func element<Choice>(of choices: [Choice]) -> Choice {
    choices[Int.random(in: 0..<choices.count, using: &self)]
  }

  mutating func choice<Choice: CaseIterable>() -> Choice { element(of: Array(Choice.allCases)) }

  mutating func option<Choice: CaseIterable>() -> Choice? { flag() ? nil : choice() }

  mutating func subset<Element: Hashable>(of elements: some Sequence<Element>) -> Set<Element> {
    Set(elements.filter { _ in flag() })
  }

  mutating func version() -> Version? {
    flag() ? nil : Version(number(to: 26), number(to: 9), number(to: 3))
  }
}

extension Settings {
  /// Anything that a policy can state.
  static func random(using random: inout SeededGenerator) -> Settings {
    var settings = Settings()
    settings.randomizeTransfer(using: &random)
    settings.randomizeFunctionality(using: &random)
    settings.randomizeAccess(using: &random)
    settings.randomizeLaunch(using: &random)
    settings.randomizeVersions(using: &random)
    return settings
  }

  private mutating func randomizeTransfer(using random: inout SeededGenerator) {
    allowedOutboundDataTransferDestinations = random.choice()
    allowedInboundDataTransferSources = random.choice()
    disableProtectionOfManagedOutboundOpenInData = random.flag()
    filterOpenInToOnlyManagedApps = random.flag()
    protectInboundDataFromUnknownSources = random.flag()
    exemptedAppProtocols = random.subset(of: ["skype", "itms", "https", "sms"])
    exemptedUniversalLinks = random.subset(of: ["https://maps.apple.com", "http://A.b/*"])
      .map { LinkPattern($0) }
    managedUniversalLinks = random.subset(of: ["https://*.zoom.us/*", "https://x.y/z"])
      .map { LinkPattern($0) }
    saveAsBlocked = random.flag()
    allowedDataStorageLocations = random.subset(of: StorageService.allCases)
    blockDataIngestionIntoOrganizationDocuments = random.flag()
    allowedDataIngestionLocations = random.subset(of: IngestionService.allCases)
    allowedOutboundClipboardSharingLevel = random.choice()
    allowedOutboundClipboardSharingExceptionLength = random.number(to: 65535)
    dialerRestrictionLevel = random.choice()
    customDialerAppProtocol = random.element(of: ["", "dial", "Call"])
    protectedMessagingRedirectAppType = random.choice()
    messagingRedirectAppUrlScheme = random.element(of: ["", "chat"])
    managedBrowser = random.choice()
    managedBrowserToOpenLinksRequired = random.flag()
    customBrowserProtocol = random.element(of: ["", "firefox"])
  }

  private mutating func randomizeFunctionality(using random: inout SeededGenerator) {
    printBlocked = random.flag()
    notificationRestriction = random.choice()
    contactSyncBlocked = random.flag()
    allowWidgetContentSync = random.flag()
    dataBackupBlocked = random.flag()
    thirdPartyKeyboardsBlocked = random.flag()
    screenCaptureConfigurationState = random.option()
    writingToolsConfigurationState = random.option()
    genmojiConfigurationState = random.option()
    appDataEncryptionType = random.choice()
  }

  private mutating func randomizeAccess(using random: inout SeededGenerator) {
    pinRequired = random.flag()
    pinCharacterSet = random.choice()
    simplePinBlocked = random.flag()
    minimumPinLength = random.number(to: 16)
    maximumPinRetries = random.number(to: 10)
    appActionIfMaximumPinRetriesExceeded = random.choice()
    periodBeforePinReset = random.number(to: 10_000_000)
    previousPinBlockCount = random.number(to: 24)
    fingerprintBlocked = random.flag()
    faceIdBlocked = random.flag()
    pinRequiredInsteadOfBiometricTimeout = random.number(to: 100_000)
    disableAppPinIfDevicePinIsSet = random.flag()
    organizationalCredentialsRequired = random.flag()
    periodOnlineBeforeAccessCheck = random.number(to: 100_000)
  }

  private mutating func randomizeLaunch(using random: inout SeededGenerator) {
    periodOfflineBeforeAccessCheck = random.number(to: 100_000)
    periodOfflineBeforeWipeIsEnforced = random.number(to: 10_000_000)
    deviceComplianceRequired = random.flag()
    appActionIfDeviceComplianceRequired = random.choice()
    appActionIfUnableToAuthenticateUser = random.option()
    appActionIfAccountIsClockedOut = random.option()
    allowedIosDeviceModels = random.flag() ? nil : random.subset(of: ["iphone14,5", "ipad13,1"])
    appActionIfIosDeviceModelNotAllowed = random.choice()
    maximumAllowedDeviceThreatLevel = random.choice()
    mobileThreatDefenseRemediationAction = random.choice()
  }

  private mutating func randomizeVersions(using random: inout SeededGenerator) {
    minimumRequiredOsVersion = random.version()
    minimumWarningOsVersion = random.version()
    minimumWipeOsVersion = random.version()
    maximumRequiredOsVersion = random.version()
    maximumWarningOsVersion = random.version()
    maximumWipeOsVersion = random.version()
    minimumRequiredAppVersion = random.version()
    minimumWarningAppVersion = random.version()
    minimumWipeAppVersion = random.version()
    minimumRequiredSdkVersion = random.version()
    minimumWarningSdkVersion = random.version()
    minimumWipeSdkVersion = random.version()
  }
}
