import Transfer

extension Settings {
  /// The value of `setting` in the admin centre's words; nil where no policy holds the setting.
  func words(for setting: Setting) -> String? {
    switch setting {
    case .allowedOutboundDataTransferDestinations, .disableProtectionOfManagedOutboundOpenInData,
      .filterOpenInToOnlyManagedApps:
      SendChoice(of: self).rawValue
    case .allowedInboundDataTransferSources, .protectInboundDataFromUnknownSources:
      ReceiveChoice(of: self).rawValue
    case .allowedOutboundClipboardSharingLevel: allowedOutboundClipboardSharingLevel.words
    case .allowedOutboundClipboardSharingExceptionLength:
      "\(allowedOutboundClipboardSharingExceptionLength)"
    case .exemptedAppProtocols:
      exemptedAppProtocols.isEmpty ? "none" : exemptedAppProtocols.sorted().joined(separator: ";")
    case .managedBrowser, .managedBrowserToOpenLinksRequired: browserWords
    case .customBrowserProtocol: customBrowserProtocol.isEmpty ? "none" : customBrowserProtocol
    case .allowedAccountsOnly, .enrolledUPN, .enrolledObjectID, .allowOpenFromManagedToUnmanaged,
      .keychainAccessGroups, .applicationGroups:
      nil
    }
  }

  private var browserWords: String {
    if managedBrowser == .microsoftEdge { return "Microsoft Edge" }
    if !customBrowserProtocol.isEmpty { return "Unmanaged browser" }
    return managedBrowserToOpenLinksRequired ? "Microsoft Edge" : "Any app"
  }
}

extension Settings.ClipboardLevel {
  /// The admin centre's word.
  var words: String {
    switch self {
    case .allApps: "Any app"
    case .managedAppsWithPasteIn: "Policy managed apps with paste in"
    case .managedApps: "Policy managed apps"
    case .blocked: "Blocked"
    }
  }
}
