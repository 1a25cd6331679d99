public import Transfer

extension Setting {
  /// The name of the setting where an administrator finds it: the Intune admin centre's label, or the key
  /// itself where there is none.
  ///
  /// Several Graph properties share one label, because the admin centre offers their combinations as the
  /// values of one setting. Source: Microsoft Learn, "iOS app protection policy settings".
  public var label: String {
    switch self {
    case .allowedOutboundDataTransferDestinations, .disableProtectionOfManagedOutboundOpenInData,
      .filterOpenInToOnlyManagedApps:
      "Send org data to other apps"
    case .allowedInboundDataTransferSources, .protectInboundDataFromUnknownSources:
      "Receive data from other apps"
    case .allowedOutboundClipboardSharingLevel: "Restrict cut, copy, and paste between other apps"
    case .allowedOutboundClipboardSharingExceptionLength:
      "Cut and copy character limit for any app"
    case .exemptedAppProtocols: "Select apps to exempt"
    case .managedBrowser, .managedBrowserToOpenLinksRequired:
      "Restrict web content transfer with other apps"
    case .customBrowserProtocol: "Unmanaged browser protocol"
    case .allowedAccountsOnly, .enrolledUPN, .enrolledObjectID, .allowOpenFromManagedToUnmanaged:
      rawValue
    case .keychainAccessGroups: "Keychain Sharing"
    case .applicationGroups: "App Groups"
    }
  }
}
