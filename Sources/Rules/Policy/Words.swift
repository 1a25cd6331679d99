import Model

/// Kinds of values in the admin centre's words.
enum Words {
  static func block(_ isBlocked: Bool) -> String { isBlocked ? "Block" : "Allow" }

  static func require(_ isRequired: Bool) -> String { isRequired ? "Require" : "Not required" }

  static func scheme(_ scheme: String) -> String { scheme.isEmpty ? "none" : scheme }

  static func version(_ version: Version?) -> String { version?.description ?? "none" }

  static func list(_ words: [String], separator: String = ", ") -> String {
    words.isEmpty ? "none" : words.joined(separator: separator)
  }

  static func state(_ state: Settings.ConfigurationState?) -> String {
    state.map { block($0 == .blocked) } ?? "not configured"
  }

  static func action(_ action: Settings.Remediation?) -> String {
    action?.words ?? "not configured"
  }

  /// The period in days, as far as they come out even; `zero` is the text for none.
  static func days(_ seconds: Int, zero: String) -> String {
    seconds.isMultiple(of: 86400)
      ? period(seconds, unit: 86400, "day", zero) : minutes(seconds, zero: zero)
  }

  /// The period in minutes, as far as they come out even; `zero` is the text for none.
  static func minutes(_ seconds: Int, zero: String) -> String {
    seconds.isMultiple(of: 60)
      ? period(seconds, unit: 60, "minute", zero) : period(seconds, unit: 1, "second", zero)
  }

  private static func period(_ seconds: Int, unit: Int, _ name: String, _ zero: String) -> String {
    let count = seconds / unit
    return switch count {
    case 0: zero
    case 1: "1 \(name)"
    default:  // open: any other count
      "\(count) \(name)s"
    }
  }
}

extension BrowserChoice {
  /// The admin centre's word.
  var words: String {
    switch self {
    case .any: "Any app"
    case .unmanaged: "Unmanaged browser"
    case .managed: "Microsoft Edge"
    }
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

extension Settings.StorageService {
  /// The admin centre's word.
  var words: String {
    switch self {
    case .oneDriveForBusiness: "OneDrive for Business"
    case .sharePoint: "SharePoint"
    case .box: "Box"
    case .localStorage: "Local Storage"
    case .photoLibrary: "Photo Library"
    case .iManage: "iManage"
    case .egnyte: "Egnyte"
    }
  }
}

extension Settings.IngestionService {
  /// The admin centre's word.
  var words: String {
    switch self {
    case .oneDriveForBusiness: "OneDrive for Business"
    case .sharePoint: "SharePoint"
    case .camera: "Camera"
    case .photoLibrary: "Photo Library"
    case .box: "Box"
    case .iManage: "iManage"
    case .egnyte: "Egnyte"
    }
  }
}

extension Settings.DialerLevel {
  /// The admin centre's word.
  var words: String {
    switch self {
    case .allApps: "Any dialer app"
    case .customApp: "A specific dialer app"
    case .managedApps: "Any policy-managed dialer app"
    case .blocked: "None, do not transfer this data between apps"
    }
  }
}

extension Settings.MessagingRedirect {
  /// The admin centre's word.
  var words: String {
    switch self {
    case .anyApp: "Any messaging app"
    case .specificApps: "A specific messaging app"
    case .anyManagedApp: "Any policy-managed messaging app"
    case .blocked: "None, do not transfer this data between apps"
    }
  }
}

extension Settings.NotificationRestriction {
  /// The admin centre's word.
  var words: String {
    switch self {
    case .allow: "Allow"
    case .blockOrganizationalData: "Block org Data"
    case .block: "Block"
    }
  }
}

extension Settings.Encryption {
  /// The admin centre's word.
  var words: String {
    switch self {
    case .useDeviceSettings: "Use device settings"
    case .afterDeviceRestart: "After device restart"
    case .whenDeviceLockedExceptOpenFiles: "When device is locked and there are open files"
    case .whenDeviceLocked: "When device is locked"
    }
  }
}

extension Settings.PINCharacters {
  /// The admin centre's word.
  var words: String {
    switch self {
    case .numeric: "Numeric"
    case .alphanumericAndSymbol: "Passcode"
    }
  }
}

extension Settings.Remediation {
  /// The admin centre's word.
  var words: String {
    switch self {
    case .warn: "Warn"
    case .block: "Block access"
    case .wipe: "Wipe data"
    }
  }
}

extension Settings.ThreatLevel {
  /// The admin centre's word.
  var words: String {
    switch self {
    case .notConfigured: "not configured"
    case .high: "High"
    case .medium: "Medium"
    case .low: "Low"
    case .secured: "Secured"
    }
  }
}
