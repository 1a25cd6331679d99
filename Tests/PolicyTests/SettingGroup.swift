import Model
import Policy

/// Settings that are copied together.
struct SettingGroup: Sendable {
  let copy: @Sendable (_ from: Settings, _ to: inout Settings) -> Void

  init<each Value: Sendable>(_ paths: repeat any WritableKeyPath<Settings, each Value> & Sendable) {
    copy = { from, to in repeat to[keyPath: each paths] = from[keyPath: each paths] }
  }

  /// Each setting that transfers read, alone.
  static let every: [SettingGroup] = [
    SettingGroup(\.allowedOutboundDataTransferDestinations),
    SettingGroup(\.allowedInboundDataTransferSources),
    SettingGroup(\.disableProtectionOfManagedOutboundOpenInData),
    SettingGroup(\.filterOpenInToOnlyManagedApps),
    SettingGroup(\.protectInboundDataFromUnknownSources),
    SettingGroup(\.exemptedAppProtocols),
    SettingGroup(\.exemptedUniversalLinks),
    SettingGroup(\.managedUniversalLinks),
    SettingGroup(\.saveAsBlocked),
    SettingGroup(\.allowedDataStorageLocations),
    SettingGroup(\.blockDataIngestionIntoOrganizationDocuments),
    SettingGroup(\.allowedDataIngestionLocations),
    SettingGroup(\.allowedOutboundClipboardSharingLevel),
    SettingGroup(\.allowedOutboundClipboardSharingExceptionLength),
    SettingGroup(\.dialerRestrictionLevel),
    SettingGroup(\.customDialerAppProtocol),
    SettingGroup(\.protectedMessagingRedirectAppType),
    SettingGroup(\.messagingRedirectAppUrlScheme),
    SettingGroup(\.managedBrowser),
    SettingGroup(\.managedBrowserToOpenLinksRequired),
    SettingGroup(\.customBrowserProtocol),
    SettingGroup(\.printBlocked),
    SettingGroup(\.notificationRestriction),
    SettingGroup(\.contactSyncBlocked),
    SettingGroup(\.allowWidgetContentSync),
    SettingGroup(\.dataBackupBlocked),
    SettingGroup(\.thirdPartyKeyboardsBlocked),
    SettingGroup(\.screenCaptureConfigurationState),
    SettingGroup(\.writingToolsConfigurationState),
    SettingGroup(\.genmojiConfigurationState),
    SettingGroup(\.appDataEncryptionType),
  ]

  /// Those that a channel may read.
  static func read(on channel: Channel) -> SettingGroup {
    switch channel {
    case .share, .openIn, .import, .extensionResult, .dragAndDrop: transfer
    case .clipboard:
      SettingGroup(
        \.allowedOutboundClipboardSharingLevel, \.allowedOutboundClipboardSharingExceptionLength)
    case .contactRead: SettingGroup()
    case .openURL: url
    case .universalLink, .appClip: link
    case .saveTo, .openFrom: storage
    case .documentPickerExport, .spotlight, .siriIntents, .appIntents, .webView,
      .safariExtension:
      SettingGroup(\.allowedOutboundDataTransferDestinations)
    case .documentPickerImport: SettingGroup(\.allowedInboundDataTransferSources)
    case .mailComposer:
      SettingGroup(\.allowedOutboundDataTransferDestinations, \.exemptedAppProtocols)
    case .messageComposer:
      SettingGroup(
        \.allowedOutboundDataTransferDestinations, \.exemptedAppProtocols,
        \.protectedMessagingRedirectAppType, \.messagingRedirectAppUrlScheme)
    case .print: SettingGroup(\.printBlocked)
    case .notification: SettingGroup(\.notificationRestriction)
    case .contactSync: SettingGroup(\.contactSyncBlocked)
    case .widget: SettingGroup(\.allowWidgetContentSync)
    case .backup: SettingGroup(\.dataBackupBlocked)
    case .screenCapture:
      SettingGroup(\.allowedOutboundDataTransferDestinations, \.screenCaptureConfigurationState)
    case .writingTools:
      SettingGroup(\.allowedOutboundDataTransferDestinations, \.writingToolsConfigurationState)
    case .genmoji:
      SettingGroup(\.allowedOutboundDataTransferDestinations, \.genmojiConfigurationState)
    case .keyboard: SettingGroup(\.thirdPartyKeyboardsBlocked)
    case .fileEncryption: SettingGroup(\.appDataEncryptionType)
    }
  }

  private static let transfer = SettingGroup(
    \.allowedOutboundDataTransferDestinations, \.allowedInboundDataTransferSources,
    \.disableProtectionOfManagedOutboundOpenInData, \.filterOpenInToOnlyManagedApps)

  private static let url = SettingGroup(
    \.allowedOutboundDataTransferDestinations, \.exemptedAppProtocols, \.managedBrowser,
    \.managedBrowserToOpenLinksRequired, \.customBrowserProtocol, \.dialerRestrictionLevel,
    \.customDialerAppProtocol, \.protectedMessagingRedirectAppType,
    \.messagingRedirectAppUrlScheme)

  private static let link = SettingGroup(
    \.allowedOutboundDataTransferDestinations, \.exemptedAppProtocols, \.managedBrowser,
    \.managedBrowserToOpenLinksRequired, \.customBrowserProtocol, \.dialerRestrictionLevel,
    \.customDialerAppProtocol, \.protectedMessagingRedirectAppType,
    \.messagingRedirectAppUrlScheme, \.exemptedUniversalLinks, \.managedUniversalLinks)

  private static let storage = SettingGroup(
    \.allowedOutboundDataTransferDestinations, \.allowedInboundDataTransferSources,
    \.saveAsBlocked, \.allowedDataStorageLocations,
    \.blockDataIngestionIntoOrganizationDocuments, \.allowedDataIngestionLocations)
}
