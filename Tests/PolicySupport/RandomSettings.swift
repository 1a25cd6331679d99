package import Model
package import Policy
package import TestSupport

/// The values from which settings without a fixed list of values are drawn. A repeated value is drawn more often.
package struct SettingPool: Sendable {
  /// The numbers; nil for any number that Graph allows. These are often 0 and often small.
  package var counts: [Int]?
  /// The members of lists of schemes.
  package var exemptedSchemes = ["skype", "itms", "https", "sms"]
  package var links = [
    "https://maps.apple.com", "http://A.b/*", "https://*.zoom.us/*", "https://x.y/z",
  ].map { LinkPattern($0) }
  /// Each possible member is in a list with a probability of one in this number.
  package var listOdds = 2
  /// The scheme of a single app, by setting.
  package var schemes: [Setting: [String]] = [:]
  package var otherSchemes = ["", "dial", "Call", "chat", "firefox"]

  package init() {}
}

extension Settings {
  /// Draws every setting of the pages, from its row's values and from the pool.
  package static func random(
    using random: inout SeededGenerator, on pages: [SettingPage] = SettingPage.allCases,
    from pool: SettingPool = SettingPool()
  ) -> Settings {
    var settings = Settings()
    for setting in Setting.allCases {
      guard let page = setting.page, pages.contains(page) else { continue }
      settings.draw(setting, from: pool, using: &random)
    }
    return settings
  }

  /// Draws one setting.
  package mutating func draw(
    _ setting: Setting, from pool: SettingPool = SettingPool(),
    using random: inout SeededGenerator
  ) {
    guard let domain = setting.domain else { return }
    switch domain {
    case .flag, .choice: random.element(of: domain.values)(&self)
    case .count(let path):
      self[keyPath: path] =
        pool.counts.map { random.element(of: $0) }
        ?? random.number(to: random.element(of: [10, 24, 65_535]))
    case .period(let path, _):
      self[keyPath: path] = random.number(to: random.element(of: [100_000, 10_000_000]))
    case .version(let path): self[keyPath: path] = random.version()
    case .scheme(let path):
      self[keyPath: path] = random.element(of: pool.schemes[setting] ?? pool.otherSchemes)
    case .schemes(let path):
      self[keyPath: path] = Set(
        pool.exemptedSchemes.filter { _ in random.flag(outOf: pool.listOdds) })
    case .links(let path):
      self[keyPath: path] = pool.links.filter { _ in random.flag(outOf: pool.listOdds) }
    case .services(let services):
      for service in services where random.flag() { service.add(&self) }
    case .models(let path):
      self[keyPath: path] = random.flag() ? nil : random.subset(of: ["iphone14,5", "ipad13,1"])
    }
  }
}

// MARK: - Drawing

extension SeededGenerator {
  /// Returns true with a probability of one in `count`.
  package mutating func flag(outOf count: Int = 2) -> Bool { index(below: count) == 0 }

  /// Returns a number from 0 to `bound`, often 0.
  package mutating func number(to bound: Int) -> Int { flag() ? 0 : index(below: bound + 1) }

  package mutating func element<Choice>(of choices: [Choice]) -> Choice {
    choices[index(below: choices.count)]
  }

  package mutating func choice<Choice: CaseIterable>() -> Choice {
    element(of: Array(Choice.allCases))
  }

  package mutating func subset<Element: Hashable>(of elements: some Sequence<Element>) -> Set<
    Element
  > {
    Set(elements.filter { _ in flag() })
  }

  /// Returns a version with few and small parts; nil half of the time.
  package mutating func version() -> Version? {
    flag() ? nil : Version(number(to: 26), number(to: 9), number(to: 3))
  }

  package mutating func index(below count: Int) -> Int {
    Int(truncatingIfNeeded: (next() >> 32) % UInt64(count))
  }
}

// MARK: - Lines of policies

extension Setting {
  /// The line on which the tests' policies state the setting. It is fixed for settings that
  /// expected texts and golden files cite. The other settings follow them.
  package var line: Int {
    Self.citedLines[self] ?? 100 + (Self.allCases.firstIndex(of: self) ?? 0)
  }

  private static let citedLines: [Setting: Int] = {
    let transfer: [Setting] = [
      .allowedOutboundDataTransferDestinations, .allowedInboundDataTransferSources,
      .disableProtectionOfManagedOutboundOpenInData, .filterOpenInToOnlyManagedApps,
      .protectInboundDataFromUnknownSources, .exemptedAppProtocols, .exemptedUniversalLinks,
      .managedUniversalLinks, .saveAsBlocked, .allowedDataStorageLocations,
      .blockDataIngestionIntoOrganizationDocuments, .allowedDataIngestionLocations,
      .allowedOutboundClipboardSharingLevel, .allowedOutboundClipboardSharingExceptionLength,
      .dialerRestrictionLevel, .customDialerAppProtocol, .protectedMessagingRedirectAppType,
      .messagingRedirectAppUrlScheme, .managedBrowser, .managedBrowserToOpenLinksRequired,
      .customBrowserProtocol, .printBlocked, .notificationRestriction, .contactSyncBlocked,
      .allowWidgetContentSync, .dataBackupBlocked, .thirdPartyKeyboardsBlocked,
      .screenCaptureConfigurationState, .writingToolsConfigurationState,
      .genmojiConfigurationState, .appDataEncryptionType,
    ]
    let launch: [Setting: Int] = [.minimumPinLength: 35, .minimumRequiredOsVersion: 52]
    return launch.merging(zip(transfer, 1...)) { $1 }
  }()
}
