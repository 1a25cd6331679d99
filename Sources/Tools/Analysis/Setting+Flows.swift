internal import Transfer

extension Setting {
  /// Whether the setting decides flows, rather than who gets at the app at all.
  var decidesFlows: Bool {
    switch self {
    case .allowedOutboundDataTransferDestinations, .allowedInboundDataTransferSources,
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
      .genmojiConfigurationState, .appDataEncryptionType:
      true
    default: false
    }
  }
}
