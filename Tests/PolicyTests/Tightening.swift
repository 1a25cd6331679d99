import Model
import Policy

/// A step by which an administrator makes one setting stricter.
struct Tightening: Sendable {
  var name: String
  /// Whether the step may replace a refusal by ciphertext on the OS path. "None" encrypts where
  /// "Policy managed apps" may block, and so does disabling OS sharing. In neither case does data
  /// become readable.
  var mayEncrypt = false
  let apply: @Sendable (inout Settings) -> Void

  /// Returns whether `after` is not more permissive than `before`.
  func isMonotone(from before: Outcome, to after: Outcome, via: SharingPath) -> Bool {
    if mayEncrypt && via == .os { return after != .allowed || before == .allowed }
    return after <= before
  }

  /// Returns a step for every setting that a channel may read.
  static func steps(on channel: Channel) -> [Tightening] {
    let own = Setting.ofTransfers.filter { setting in
      setting.decidedChannels.contains(channel)
        || setting.decidedChannels.isEmpty && !named.contains(setting)
    }
    let shared =
      switch channel.counterpart {
      case .app: sides + transfer
      case .url: sides + links + telephone
      case .location: sides + storage
      case .system: sides + links + telephone
      }
    return own.map { step($0) } + shared
  }

  /// The settings whose rows declare no channel. The steps below cover them, except "incoming org
  /// data", which changes no outcome.
  private static let named: Set<Setting> = [
    .allowedOutboundDataTransferDestinations, .allowedInboundDataTransferSources,
    .disableProtectionOfManagedOutboundOpenInData, .filterOpenInToOnlyManagedApps,
    .protectInboundDataFromUnknownSources, .exemptedAppProtocols, .exemptedUniversalLinks,
    .managedUniversalLinks, .allowedDataStorageLocations, .allowedDataIngestionLocations,
    .allowedOutboundClipboardSharingLevel, .allowedOutboundClipboardSharingExceptionLength,
    .dialerRestrictionLevel, .customDialerAppProtocol, .protectedMessagingRedirectAppType,
    .messagingRedirectAppUrlScheme, .managedBrowser, .managedBrowserToOpenLinksRequired,
    .customBrowserProtocol,
  ]

  /// Returns a step to the next value of a flag or choice. The setting's row lists them from the
  /// most permissive to the strictest.
  static func step(_ setting: Setting, mayEncrypt: Bool = false) -> Tightening {
    let values = setting.domain?.values ?? []
    let texts = values.map { value in
      var settings = Settings()
      value(&settings)
      return settings.graphValue(of: setting)
    }
    return Tightening(name: "\(setting.rawValue) one step tighter", mayEncrypt: mayEncrypt) {
      let current = texts.firstIndex(of: $0.graphValue(of: setting))
      if let current, current + 1 < values.count { values[current + 1](&$0) }
    }
  }

  private static let sides = [
    step(.allowedOutboundDataTransferDestinations, mayEncrypt: true),
    step(.allowedInboundDataTransferSources),
  ]

  private static let transfer = [
    step(.disableProtectionOfManagedOutboundOpenInData, mayEncrypt: true),
    step(.filterOpenInToOnlyManagedApps), step(.allowedOutboundClipboardSharingLevel),
    Tightening(name: "a shorter clipboard exception") {
      let length = $0.allowedOutboundClipboardSharingExceptionLength
      $0.allowedOutboundClipboardSharingExceptionLength = max(0, length - 1)
    },
    Tightening(name: "no clipboard exception") {
      $0.allowedOutboundClipboardSharingExceptionLength = 0
    },
  ]

  private static let storage =
    [Setting.allowedDataStorageLocations, .allowedDataIngestionLocations].flatMap { setting in
      services(of: setting).enumerated().map { index, service in
        Tightening(name: "\(setting.rawValue) without service \(index)", apply: service.remove)
      }
    }

  private static func services(
    of setting: Setting
  ) -> [(add: SettingDomain.Change, remove: SettingDomain.Change)] {
    guard case .services(let services) = setting.domain else { return [] }
    return services
  }

  private static let links = [
    Tightening(name: "no exempted schemes") { $0.exemptedAppProtocols = [] },
    Tightening(name: "one exempted scheme less") {
      $0.exemptedAppProtocols = Set($0.exemptedAppProtocols.sorted().dropFirst())
    },
    Tightening(name: "one exempted link less") {
      $0.exemptedUniversalLinks = Array($0.exemptedUniversalLinks.dropFirst())
    },
    Tightening(name: "no exempted links") { $0.exemptedUniversalLinks = [] },
    Tightening(name: "one managed link less") {
      $0.managedUniversalLinks = Array($0.managedUniversalLinks.dropLast())
    },
    Tightening(name: "no managed links") { $0.managedUniversalLinks = [] },
    // One browser and the managed browser are not comparable, as with dialers.
    Tightening(name: "the managed browser instead of any") {
      if $0.browserScheme == nil { $0.managedBrowser = .microsoftEdge }
    },
    step(.managedBrowserToOpenLinksRequired),
    Tightening(name: "one browser instead of any") {
      if $0.browserScheme == nil, !$0.managedBrowserToOpenLinksRequired {
        $0.customBrowserProtocol = "firefox"
      }
    },
  ]

  /// Steps for dialers and messaging. One app and managed apps are not comparable: each may refuse
  /// a receiver that the other accepts.
  private static let telephone = [
    Tightening(name: "one dialer instead of any") {
      if $0.dialerRestrictionLevel == .allApps { $0.dialerRestrictionLevel = .customApp }
    },
    Tightening(name: "managed dialers instead of any") {
      if $0.dialerRestrictionLevel == .allApps { $0.dialerRestrictionLevel = .managedApps }
    },
    Tightening(name: "no dialer") { $0.dialerRestrictionLevel = .blocked },
    Tightening(name: "no dialer app") { $0.customDialerAppProtocol = "" },
    Tightening(name: "one messaging app instead of any") {
      if $0.protectedMessagingRedirectAppType == .anyApp {
        $0.protectedMessagingRedirectAppType = .specificApps
      }
    },
    Tightening(name: "managed messaging apps instead of any") {
      if $0.protectedMessagingRedirectAppType == .anyApp {
        $0.protectedMessagingRedirectAppType = .anyManagedApp
      }
    },
    Tightening(name: "no messaging") { $0.protectedMessagingRedirectAppType = .blocked },
    Tightening(name: "no messaging app") { $0.messagingRedirectAppUrlScheme = "" },
  ]
}

extension Setting {
  /// The settings that are part of a policy.
  static let ofPolicies = allCases.filter { $0.holder == .policy }

  /// The settings that transfers may read.
  static let ofTransfers = allCases.filter { $0.page == .dataProtection }
}

extension Channel {
  /// The settings that a channel may read. These are the settings whose rows declare it, and the
  /// settings that it shares with other channels.
  var readSettings: [Setting] {
    Setting.allCases.filter { $0.decidedChannels.contains(self) } + sharedSettings
  }

  private var sharedSettings: [Setting] {
    switch self {
    case .share, .openIn, .import, .extensionResult, .dragAndDrop:
      [
        .allowedOutboundDataTransferDestinations, .allowedInboundDataTransferSources,
        .disableProtectionOfManagedOutboundOpenInData, .filterOpenInToOnlyManagedApps,
      ]
    case .clipboard:
      [
        .allowedOutboundClipboardSharingLevel, .allowedOutboundClipboardSharingExceptionLength,
      ]
    case .openURL: Self.urlSettings
    case .universalLink:
      Self.urlSettings + [.exemptedUniversalLinks, .managedUniversalLinks]
    case .appClip: Self.urlSettings + [.exemptedUniversalLinks]
    case .saveTo:
      [
        .allowedOutboundDataTransferDestinations, .allowedInboundDataTransferSources,
        .allowedDataStorageLocations,
      ]
    case .openFrom:
      [
        .allowedOutboundDataTransferDestinations, .allowedInboundDataTransferSources,
        .allowedDataIngestionLocations,
      ]
    case .documentPickerExport, .spotlight, .siriIntents, .appIntents, .webView,
      .safariExtension, .screenCapture, .writingTools, .genmoji:
      [.allowedOutboundDataTransferDestinations]
    case .documentPickerImport: [.allowedInboundDataTransferSources]
    case .mailComposer: [.allowedOutboundDataTransferDestinations, .exemptedAppProtocols]
    case .messageComposer:
      [
        .allowedOutboundDataTransferDestinations, .exemptedAppProtocols,
        .protectedMessagingRedirectAppType, .messagingRedirectAppUrlScheme,
      ]
    case .contactRead, .print, .notification, .contactSync, .widget, .backup, .keyboard,
      .fileEncryption:
      []
    }
  }

  private static let urlSettings: [Setting] = [
    .allowedOutboundDataTransferDestinations, .exemptedAppProtocols, .managedBrowser,
    .managedBrowserToOpenLinksRequired, .customBrowserProtocol, .dialerRestrictionLevel,
    .customDialerAppProtocol, .protectedMessagingRedirectAppType, .messagingRedirectAppUrlScheme,
  ]
}
