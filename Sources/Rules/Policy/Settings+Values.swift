extension Settings {
  /// "Send org data to other apps": the destinations of org data.
  public enum Destinations: String, Sendable, CaseIterable {
    case allApps, managedApps, none
  }

  /// "Receive data from other apps": the sources of data for an org document.
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

  /// "Allow user to save copies to selected services".
  public enum StorageService: String, Sendable, CaseIterable {
    case oneDriveForBusiness, sharePoint, box, localStorage, photoLibrary, iManage, egnyte
  }

  /// "Allow users to open data from selected services".
  public enum IngestionService: String, Sendable, CaseIterable {
    case oneDriveForBusiness, sharePoint, camera, photoLibrary, box, iManage, egnyte
  }

  /// "Transfer telecommunication data to".
  public enum DialerLevel: String, Sendable, CaseIterable {
    case allApps, customApp, managedApps, blocked
  }

  /// "Transfer messaging data to".
  public enum MessagingRedirect: String, Sendable, CaseIterable {
    case anyApp, specificApps, anyManagedApp, blocked
  }

  /// "Org data notifications".
  public enum NotificationRestriction: String, Sendable, CaseIterable {
    case allow, blockOrganizationalData, block
  }

  /// The state of screen capture, of writing tools or of Genmoji.
  public enum ConfigurationState: String, Sendable, CaseIterable {
    case notBlocked, blocked
  }

  /// "Encrypt org data".
  public enum Encryption: String, Sendable, CaseIterable {
    case useDeviceSettings, afterDeviceRestart, whenDeviceLockedExceptOpenFiles, whenDeviceLocked
  }

  /// "PIN type".
  public enum PINCharacters: String, Sendable, CaseIterable {
    case numeric, alphanumericAndSymbol
  }

  /// The action of an app where a condition does not hold. `block` is a PIN reset where PIN retries are at issue.
  public enum Remediation: String, Sendable, CaseIterable {
    case warn, block, wipe
  }

  /// "Max allowed device threat level": the highest level that is let through.
  public enum ThreatLevel: String, Sendable, CaseIterable {
    case notConfigured, high, medium, low, secured
  }
}
