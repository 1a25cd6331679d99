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
