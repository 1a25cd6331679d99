import Model
import Policy

/// A step by which an administrator makes one setting stricter.
struct Tightening: Sendable {
  var name: String
  /// Whether the step may turn a refusal into ciphertext on the system's path: "None" encrypts there what
  /// "Policy managed apps" may block, and so does giving up OS sharing. Neither lets anybody read more.
  var mayEncrypt = false
  let apply: @Sendable (inout Settings) -> Void

  /// Whether `after` is no better than `before`.
  func isMonotone(from before: Outcome, to after: Outcome, via: SharingPath) -> Bool {
    if mayEncrypt && via == .os { return after != .allowed || before == .allowed }
    return after <= before
  }

  /// A step for every setting that a channel may read.
  static func steps(on channel: Channel) -> [Tightening] {
    switch channel.counterpart {
    case .app: sides + transfer
    case .url: sides + links + telephone
    case .location: sides + storage
    case .system: sides + functionality + links + telephone
    }
  }

  private static let sides = [
    Tightening(name: "Send one step tighter", mayEncrypt: true) {
      step(&$0.allowedOutboundDataTransferDestinations)
    },
    Tightening(name: "Receive one step tighter") { step(&$0.allowedInboundDataTransferSources) },
  ]

  private static let transfer = [
    Tightening(name: "OS sharing off", mayEncrypt: true) {
      $0.disableProtectionOfManagedOutboundOpenInData = false
    },
    Tightening(name: "filtering on") { $0.filterOpenInToOnlyManagedApps = true },
    Tightening(name: "clipboard one step tighter") {
      step(&$0.allowedOutboundClipboardSharingLevel)
    },
    Tightening(name: "a shorter clipboard exception") {
      let length = $0.allowedOutboundClipboardSharingExceptionLength
      $0.allowedOutboundClipboardSharingExceptionLength = max(0, length - 1)
    },
    Tightening(name: "no clipboard exception") {
      $0.allowedOutboundClipboardSharingExceptionLength = 0
    },
  ]

  private static let storage =
    [
      Tightening(name: "copies blocked") { $0.saveAsBlocked = true },
      Tightening(name: "ingestion blocked") {
        $0.blockDataIngestionIntoOrganizationDocuments = true
      },
    ]
    + Settings.StorageService.allCases.map { service in
      Tightening(name: "no copies to \(service)") {
        $0.allowedDataStorageLocations.remove(service)
      }
    }
    + Settings.IngestionService.allCases.map { service in
      Tightening(name: "no ingestion from \(service)") {
        $0.allowedDataIngestionLocations.remove(service)
      }
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
    // One browser and the managed one are no steps of one scale, as with dialers.
    Tightening(name: "the managed browser instead of any") {
      if $0.browserScheme == nil { step(&$0.managedBrowser) }
    },
    Tightening(name: "managed browser required") { $0.managedBrowserToOpenLinksRequired = true },
    Tightening(name: "one browser instead of any") {
      if $0.browserScheme == nil, !$0.managedBrowserToOpenLinksRequired {
        $0.customBrowserProtocol = "firefox"
      }
    },
  ]

  /// One app and managed apps are no steps of one scale: what the one lets in, the other may refuse.
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

  private static let functionality = [
    Tightening(name: "printing blocked") { $0.printBlocked = true },
    Tightening(name: "notifications one step tighter") { step(&$0.notificationRestriction) },
    Tightening(name: "contact sync blocked") { $0.contactSyncBlocked = true },
    Tightening(name: "widgets without content") { $0.allowWidgetContentSync = false },
    Tightening(name: "backup blocked") { $0.dataBackupBlocked = true },
    Tightening(name: "keyboards blocked") { $0.thirdPartyKeyboardsBlocked = true },
    Tightening(name: "screen capture one step tighter") {
      step(&$0.screenCaptureConfigurationState)
    },
    Tightening(name: "writing tools one step tighter") {
      step(&$0.writingToolsConfigurationState)
    },
    Tightening(name: "Genmoji one step tighter") { step(&$0.genmojiConfigurationState) },
    Tightening(name: "encryption one step tighter") { step(&$0.appDataEncryptionType) },
  ]

  /// To the next case: the cases of every enumeration are listed from permissive to strict.
  private static func step<Value: CaseIterable & Equatable>(_ value: inout Value) {
    let cases = Array(Value.allCases)
    guard let index = cases.firstIndex(of: value), index + 1 < cases.count else { return }
    value = cases[index + 1]
  }

  /// A state that follows Send stands between the two that are set.
  private static func step(_ state: inout Settings.ConfigurationState?) {
    switch state {
    case .notBlocked: state = nil
    case nil, .blocked: state = .blocked
    }
  }
}
