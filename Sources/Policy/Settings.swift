/// The settings of one effective policy: what an administrator chose, or Graph's documented default.
///
/// Names and values are those of Microsoft Graph's `iosManagedAppProtection`.
public struct Settings: Sendable, Equatable {
  /// "Send org data to other apps": where org data may go.
  public enum Destinations: String, Sendable, CaseIterable {
    case allApps, managedApps, none
  }

  /// "Receive data from other apps": where an org document may get data from.
  public enum Sources: String, Sendable, CaseIterable {
    case allApps, managedApps, none
  }

  /// "Restrict cut, copy, and paste between other apps".
  public enum ClipboardLevel: String, Sendable, CaseIterable {
    case allApps, managedAppsWithPasteIn, managedApps, blocked
  }

  /// "Restrict web content transfer with other apps".
  public enum Browser: String, Sendable, CaseIterable {
    case notConfigured, microsoftEdge
  }

  public var allowedOutboundDataTransferDestinations: Destinations = .allApps
  public var allowedInboundDataTransferSources: Sources = .allApps
  public var disableProtectionOfManagedOutboundOpenInData = false
  public var filterOpenInToOnlyManagedApps = false
  public var protectInboundDataFromUnknownSources = false
  public var allowedOutboundClipboardSharingLevel: ClipboardLevel = .allApps
  /// In Unicode scalars, 0 to 65535; 0 means no exception.
  public var allowedOutboundClipboardSharingExceptionLength = 0
  /// Schemes without colon, lower case.
  public var exemptedAppProtocols: Set<String> = []
  public var managedBrowser: Browser = .notConfigured
  public var managedBrowserToOpenLinksRequired = false
  /// The scheme of the unmanaged browser to use instead; empty means none.
  public var customBrowserProtocol = ""

  /// Every setting at its documented default.
  public init() {}
}
