import Model
import Policy

/// A name under which the SDK logs a setting of its effective policy.
///
/// Source: Microsoft Learn, "Review client app protection logs", iOS/iPadOS, and logs that apps print.
struct LogField: Sendable {
  /// The name in the SDK's spelling.
  let name: String
  /// The Graph property behind the name.
  let setting: Setting
  /// Additional Graph properties that affect the value.
  private(set) var otherSettings: [Setting] = []
  let kind: Kind
  /// Returns the value that the SDK logs for the settings; nil if it logs none.
  let value: @Sendable (Settings) -> LogValue?
  /// Whether the SDK writes the number or flag as a string.
  private var isQuoted = false
  /// Whether public documentation does not specify the logged value for the settings. Then any value is
  /// accepted.
  private(set) var isOpen: @Sendable (Settings) -> Bool = { _ in false }

  /// The value's format and meaning.
  enum Kind: Sendable {
    /// The texts for false and true.
    case flag(String, String)
    /// The text for each number.
    case level([Int: String])
    /// A count, with the noun for the counted things.
    case count(String)
    /// A bit mask of locations.
    case locations([Int: String])
    /// A dotted version, with the text that stands for no version.
    case version(none: String)
    case text
    /// Words, each followed by the separator.
    case list(Character)
  }

  private init(
    _ name: String, _ setting: Setting, _ kind: Kind,
    _ value: @escaping @Sendable (Settings) -> LogValue?
  ) {
    self.name = name
    self.setting = setting
    self.kind = kind
    self.value = value
  }

  /// A copy whose value the SDK writes as a string.
  private var quoted: LogField {
    var field = self
    field.isQuoted = true
    return field
  }

  /// A copy with additional Graph properties that affect the value.
  private func also(_ settings: Setting...) -> LogField {
    var field = self
    field.otherSettings = settings
    return field
  }

  /// A copy that accepts any value for settings that meet the condition.
  private func open(for settings: @escaping @Sendable (Settings) -> Bool) -> LogField {
    var field = self
    field.isOpen = settings
    return field
  }

  /// All fields, sorted by name.
  static let all: [LogField] =
    (transferFields + functionalityFields + accessFields + launchFields + versionFields)
    .sorted { $0.name < $1.name }

  /// The fields by lowercased name.
  static let byName = Dictionary(
    uniqueKeysWithValues: all.map { ($0.name.lowercased(), $0) })
}

// MARK: - Values

/// The value of one name in the SDK's diagnostic log.
enum LogValue: Sendable, Hashable {
  case flag(Bool)
  case number(Int)
  /// A version; nil means no bound.
  case version(Version?)
  case text(String)
  /// A list of words, in lower case.
  case list(Set<String>)
  /// A value of an unexpected kind, as in the log.
  case unreadable(String)
}

extension LogField {
  /// Returns the value in JSON as the SDK writes it.
  func spelling(of value: LogValue) -> String {
    let text =
      switch (value, kind) {
      case (.flag(let flag), _): flag ? "true" : "false"
      case (.number(let number), _): "\(number)"
      case (.version(let version), .version(let none)): version?.description ?? none
      case (.version(let version), _): version?.description ?? ""
      case (.list(let words), .list(let separator)):
        words.sorted().map { "\($0)\(separator)" }.joined()
      case (.list(let words), _): words.sorted().joined(separator: ";")
      case (.text(let text), _), (.unreadable(let text), _): text
      }
    let isBare =
      switch value {
      case .flag, .number: !isQuoted
      case .version, .text, .list, .unreadable: false
      }
    return isBare ? text : "\"\(Self.escape(text))\""
  }

  /// Escapes the text as the SDK's JSON does, including slashes.
  private static func escape(_ text: String) -> String {
    var escaped = ""
    for character in text {
      if "\"\\/".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }

  /// Parses a log's text; nil if the text stands for no value.
  func value(from text: String) -> LogValue? {
    let word = text.lowercased()
    if ["null", "<null>", "(null)", "nil"].contains(word) { return nil }
    switch kind {
    case .flag:
      if ["1", "true", "yes"].contains(word) { return .flag(true) }
      if ["0", "false", "no"].contains(word) { return .flag(false) }
    case .level, .count, .locations:
      if word.isEmpty { return nil }
      if let number = Int(word) { return .number(number) }
    case .version:
      if word.isEmpty { return .version(nil) }
      if let version = Version(word) { return .version(Self.bound(version)) }
    case .text: return .text(word)
    case .list(let separator):
      let words = word.split(separator: separator).map { $0.filter { !$0.isWhitespace } }
      return .list(Set(words.filter { !$0.isEmpty }))
    }
    return .unreadable(text)
  }

  /// Returns the value as text, such as `Policy managed apps` or `30 minutes`.
  func words(for value: LogValue) -> String {
    switch (value, kind) {
    case (.flag(let flag), .flag(let off, let on)): return flag ? on : off
    case (.number(let number), .level(let words)): return words[number] ?? "unknown value \(number)"
    case (.number(let number), .count(let unit)): return "\(number) \(unit)"
    case (.number(let number), .locations(let names)):
      let chosen = names.keys.sorted().filter { number & $0 != 0 }.compactMap { names[$0] }
      return chosen.isEmpty ? "none" : chosen.joined(separator: ", ")
    case (.version(let version), _): return version?.description ?? "none"
    case (.list(let list), _):
      return list.isEmpty ? "none" : list.sorted().joined(separator: ", ")
    case (.text(let text), _): return text.isEmpty ? "none" : text
    case (.unreadable(let text), _): return "unreadable `\(text)`"
    case (.flag(let flag), _): return "\(flag)"
    case (.number(let number), _): return "\(number)"
    }
  }

  /// Whether two values are equivalent. In a sum of locations, only documented bits count.
  func isSame(_ left: LogValue, _ right: LogValue) -> Bool {
    if case .locations(let names) = kind, case .number(let left) = left,
      case .number(let right) = right
    {
      let mask = names.keys.reduce(0, |)
      return left & mask == right & mask
    }
    return left == right
  }
}

// MARK: - Data transfer

/// The names under which the SDK logs settings of the admin centre's page "Data protection".
extension LogField {
  private static let transferFields: [LogField] = [
    LogField("AppSharingToLevel", .allowedOutboundDataTransferDestinations, .level(sharing)) {
      switch $0.allowedOutboundDataTransferDestinations {
      case .none: .number(0)
      case .managedApps: .number(1)
      case .allApps: .number(2)
      }
    },
    LogField("AppSharingFromLevel", .allowedInboundDataTransferSources, .level(sharing)) {
      switch $0.allowedInboundDataTransferSources {
      case .none: .number(0)
      case .managedApps: .number(1)
      case .allApps: .number(2)
      }
    },
    LogField("EnableOpenInFilter", .filterOpenInToOnlyManagedApps, .flag("Disabled", "Enabled")) {
      .flag($0.filterOpenInToOnlyManagedApps)
    },
    // Assumption: the value follows Graph's flag. Microsoft's table states that it is true with the filter
    // and can be true with OS sharing.
    LogField(
      "ProtectManagedOpenInData", .disableProtectionOfManagedOutboundOpenInData,
      .flag("False", "True")
    ) {
      .flag(
        $0.allowedOutboundDataTransferDestinations == .managedApps
          && !$0.disableProtectionOfManagedOutboundOpenInData)
    }.also(.allowedOutboundDataTransferDestinations)
      .open { $0.disableProtectionOfManagedOutboundOpenInData },
    LogField("ProtocolExclusions", .exemptedAppProtocols, .list(";")) {
      .list(Set($0.exemptedAppProtocols.map { $0.lowercased() }))
    },
    LogField("UniversalLinkExclusions", .exemptedUniversalLinks, .list("|")) {
      .list(Set($0.exemptedUniversalLinks.map { $0.text.lowercased() }))
    },
    LogField("ManagedUniversalLinks", .managedUniversalLinks, .list("|")) {
      .list(Set($0.managedUniversalLinks.map { $0.text.lowercased() }))
    },
    LogField("FileSharingSaveAsDisabled", .saveAsBlocked, .flag("Allow", "Block")) {
      .flag($0.saveAsBlocked)
    },
    LogField("ManagedLocations", .allowedDataStorageLocations, .locations(storage)) {
      .number($0.allowedDataStorageLocations.reduce(0) { $0 | $1.bit })
    },
    LogField(
      "OpenDataIntoOrgDocumentsBlocked", .blockDataIngestionIntoOrganizationDocuments,
      .flag("Allow", "Block")
    ) { .flag($0.blockDataIngestionIntoOrganizationDocuments) },
    LogField(
      "OpenDataFromManagedLocations", .allowedDataIngestionLocations, .locations(ingestion)
    ) { .number($0.allowedDataIngestionLocations.reduce(0) { $0 | $1.bit }) },
    LogField(
      "ClipboardSharingLevel", .allowedOutboundClipboardSharingLevel,
      .level([
        0: "Blocked", 1: "Policy managed apps", 2: "Policy managed apps with paste in",
        3: "Any app",
      ])
    ) {
      switch $0.allowedOutboundClipboardSharingLevel {
      case .blocked: .number(0)
      case .managedApps: .number(1)
      case .managedAppsWithPasteIn: .number(2)
      case .allApps: .number(3)
      }
    },
    LogField(
      "ClipboardCharacterLengthException", .allowedOutboundClipboardSharingExceptionLength,
      .count("characters")
    ) { .number($0.allowedOutboundClipboardSharingExceptionLength) },
    // Assumption: 2 is `managedApps`. Microsoft's table has no 2, and the admin centre has no such choice for
    // iOS.
    LogField(
      "DialerRestrictionLevel", .dialerRestrictionLevel,
      .level([
        0: "None, do not transfer this data between apps", 1: "A specific dialer app",
        2: "Any policy-managed dialer app", 3: "Any dialer app",
      ])
    ) {
      switch $0.dialerRestrictionLevel {
      case .blocked: .number(0)
      case .customApp: .number(1)
      case .managedApps: .number(2)
      case .allApps: .number(3)
      }
    },
    LogField("SpecificDialerProtocol", .customDialerAppProtocol, .text) {
      .text($0.customDialerAppProtocol.lowercased())
    },
  ]

  private static let sharing = [0: "None", 1: "Policy managed apps", 2: "All apps"]

  private static let storage = [
    1: "OneDrive for Business", 2: "SharePoint", 4: "Box", 32: "Local Storage",
    128: "Photo Library",
  ]

  private static let ingestion = [
    1: "OneDrive for Business", 2: "SharePoint", 4: "Camera", 8: "Local Storage",
    16: "Photo Library",
  ]
}

extension Settings.StorageService {
  /// The service's bit in the logged sum; 0 if none is documented.
  fileprivate var bit: Int {
    switch self {
    case .oneDriveForBusiness: 1
    case .sharePoint: 2
    case .box: 4
    case .localStorage: 32
    case .photoLibrary: 128
    case .iManage, .egnyte: 0
    }
  }
}

extension Settings.IngestionService {
  /// The service's bit in the logged sum; 0 if none is documented.
  fileprivate var bit: Int {
    switch self {
    case .oneDriveForBusiness: 1
    case .sharePoint: 2
    case .camera: 4
    case .photoLibrary: 16
    case .box, .iManage, .egnyte: 0
    }
  }
}

// MARK: - Functionality

/// The names under which the SDK logs the functionality that a policy restricts.
extension LogField {
  private static let functionalityFields: [LogField] = [
    LogField("PrintingBlocked", .printBlocked, allowOrBlock) { .flag($0.printBlocked) },
    LogField(
      "NotificationRestriction", .notificationRestriction,
      .level([0: "Allow", 1: "Block Org Data", 2: "Block"])
    ) {
      switch $0.notificationRestriction {
      case .allow: .number(0)
      case .blockOrganizationalData: .number(1)
      case .block: .number(2)
      }
    },
    LogField("ContactSyncDisabled", .contactSyncBlocked, allowOrBlock) {
      .flag($0.contactSyncBlocked)
    },
    LogField("DataBackupDisabled", .dataBackupBlocked, allowOrBlock) {
      .flag($0.dataBackupBlocked)
    },
    LogField("ThirdPartyKeyboardsBlocked", .thirdPartyKeyboardsBlocked, allowOrBlock) {
      .flag($0.thirdPartyKeyboardsBlocked)
    },
    LogField(
      "FileEncryptionLevel", .appDataEncryptionType,
      .level([
        0: "When device is locked", 1: "When device is locked and there are open files",
        2: "After device restart", 3: "Use device settings",
      ])
    ) {
      switch $0.appDataEncryptionType {
      case .whenDeviceLocked: .number(0)
      case .whenDeviceLockedExceptOpenFiles: .number(1)
      case .afterDeviceRestart: .number(2)
      case .useDeviceSettings: .number(3)
      }
    },
    LogField(
      "ManagedBrowserRequired", .managedBrowserToOpenLinksRequired, .flag("False", "True")
    ) { .flag($0.managedBrowserToOpenLinksRequired || $0.managedBrowser == .microsoftEdge) }
    .also(.managedBrowser),
    LogField("UnmanagedBrowserProtocol", .customBrowserProtocol, .text) {
      .text($0.customBrowserProtocol.lowercased())
    },
    LogField("ScreenCaptureConfigurationState", .screenCaptureConfigurationState, state) {
      $0.screenCaptureConfigurationState?.logged
    },
    LogField("WritingToolsConfigurationState", .writingToolsConfigurationState, state) {
      $0.writingToolsConfigurationState?.logged
    },
    LogField("GenmojiConfigurationState", .genmojiConfigurationState, state) {
      $0.genmojiConfigurationState?.logged
    },
  ]

  private static let allowOrBlock = Kind.flag("Allow", "Block")
  private static let state = Kind.level([0: "Allow", 1: "Block"])
}

extension Settings.ConfigurationState {
  fileprivate var logged: LogValue { .number(self == .blocked ? 1 : 0) }
}

// MARK: - Access requirements

/// The names under which the SDK logs settings of the admin centre's page "Access requirements".
extension LogField {
  private static let accessFields: [LogField] = [
    LogField("PINEnabled", .pinRequired, notRequiredOrRequire) { .flag($0.pinRequired) },
    LogField("PINCharacterType", .pinCharacterSet, .level([0: "Passcode", 1: "Numeric"])) {
      .number($0.pinCharacterSet == .numeric ? 1 : 0)
    },
    LogField("PINMinLength", .minimumPinLength, .count("characters")) {
      .number($0.minimumPinLength)
    },
    LogField("PINNumRetry", .maximumPinRetries, .count("attempts")) {
      .number($0.maximumPinRetries)
    },
    LogField("PINExpiryDays", .periodBeforePinReset, .count("days")) {
      .number($0.periodBeforePinReset / 86400)
    },
    LogField("SimplePINAllowed", .simplePinBlocked, .flag("Block", "Allow")) {
      .flag(!$0.simplePinBlocked)
    },
    LogField(
      "MaxPinRetryExceededAction", .appActionIfMaximumPinRetriesExceeded,
      .level([0: "Reset PIN", 1: "Wipe data", 2: "Warn"])
    ) { .number($0.appActionIfMaximumPinRetriesExceeded.logged) },
    LogField("TouchIDEnabled", .fingerprintBlocked, .flag("Block", "Allow")) {
      .flag(!$0.fingerprintBlocked)
    },
    LogField("FaceIDEnabled", .faceIdBlocked, .flag("Block", "Allow")) {
      .flag(!$0.faceIdBlocked)
    },
    LogField(
      "NonBioPassTimeOutRequired", .pinRequiredInsteadOfBiometricTimeout, notRequiredOrRequire
    ) { .flag($0.pinRequiredInsteadOfBiometricTimeout > 0) },
    LogField("NonBioPassTimeout", .pinRequiredInsteadOfBiometricTimeout, .count("minutes")) {
      .number($0.pinRequiredInsteadOfBiometricTimeout / 60)
    },
    LogField("AppPinDisabled", .disableAppPinIfDevicePinIsSet, .flag("Require", "Not required")) {
      .flag($0.disableAppPinIfDevicePinIsSet)
    },
    LogField("AuthenticationEnabled", .organizationalCredentialsRequired, notRequiredOrRequire) {
      .flag($0.organizationalCredentialsRequired)
    },
    LogField("AccessRecheckOnlineTimeout", .periodOnlineBeforeAccessCheck, .count("minutes")) {
      .number($0.periodOnlineBeforeAccessCheck / 60)
    },
  ]

  private static let notRequiredOrRequire = Kind.flag("Not required", "Require")
}

extension Settings.Remediation {
  /// The number that the SDK logs. Microsoft's table has 0 and 1; 2 for a warning is an assumption.
  fileprivate var logged: Int {
    switch self {
    case .block: 0
    case .wipe: 1
    case .warn: 2
    }
  }
}

// MARK: - Conditional launch

/// The names under which the SDK logs settings of the admin centre's page "Conditional launch".
extension LogField {
  private static let launchFields: [LogField] = [
    LogField("AccessRecheckOfflineTimeout", .periodOfflineBeforeAccessCheck, .count("minutes")) {
      .number($0.periodOfflineBeforeAccessCheck / 60)
    },
    LogField("DeviceComplianceEnabled", .deviceComplianceRequired, .flag("False", "True")) {
      .flag($0.deviceComplianceRequired)
    },
    LogField(
      "DeviceComplianceFailureAction", .appActionIfDeviceComplianceRequired, remediation
    ) { .number($0.appActionIfDeviceComplianceRequired.logged) },
    LogField(
      "AppActionIfUnableToAuthenticateUser", .appActionIfUnableToAuthenticateUser, remediation
    ) { $0.appActionIfUnableToAuthenticateUser.map { .number($0.logged) } }.quoted,
    LogField("AllowedIOSModelsElseBlock", .allowedIosDeviceModels, .list(";")) {
      $0.models(unless: .block)
    }.also(.appActionIfIosDeviceModelNotAllowed),
    LogField("AllowedIOSModelsElseWipe", .allowedIosDeviceModels, .list(";")) {
      $0.models(unless: .wipe)
    }.also(.appActionIfIosDeviceModelNotAllowed),
    LogField(
      "MinimumRequiredDeviceThreatProtectionLevel", .maximumAllowedDeviceThreatLevel,
      .level([0: "Not configured", 1: "Secured", 2: "Low", 3: "Medium", 4: "High"])
    ) {
      switch $0.maximumAllowedDeviceThreatLevel {
      case .notConfigured: .number(0)
      case .secured: .number(1)
      case .low: .number(2)
      case .medium: .number(3)
      case .high: .number(4)
      }
    }.quoted,
    LogField(
      "MobileThreatDefenseRemediationAction", .mobileThreatDefenseRemediationAction, remediation
    ) { .number($0.mobileThreatDefenseRemediationAction.logged) },
  ]

  private static let versionFields: [LogField] = [
    minimum("MinOsVersion", .minimumRequiredOsVersion) { $0.minimumRequiredOsVersion },
    minimum("MinOsVersionWarning", .minimumWarningOsVersion) { $0.minimumWarningOsVersion },
    minimum("MinOSVersionWipe", .minimumWipeOsVersion) { $0.minimumWipeOsVersion },
    minimum("MinAppVersion", .minimumRequiredAppVersion) { $0.minimumRequiredAppVersion },
    minimum("MinAppVersionWarning", .minimumWarningAppVersion) { $0.minimumWarningAppVersion },
    minimum("MinAppVersionWipe", .minimumWipeAppVersion) { $0.minimumWipeAppVersion },
    minimum("MinSDKVersion", .minimumRequiredSdkVersion) { $0.minimumRequiredSdkVersion },
    minimum("MinSDKVersionWarning", .minimumWarningSdkVersion) { $0.minimumWarningSdkVersion },
    minimum("MinSDKVersionWipe", .minimumWipeSdkVersion) { $0.minimumWipeSdkVersion },
    maximum("MaxOsVersion", .maximumRequiredOsVersion) { $0.maximumRequiredOsVersion },
    maximum("MaxOsVersionWarning", .maximumWarningOsVersion) { $0.maximumWarningOsVersion },
    maximum("MaxOsVersionWipe", .maximumWipeOsVersion) { $0.maximumWipeOsVersion },
  ]

  /// Returns nil for version 0, which bounds nothing and stands for no bound in logs.
  static func bound(_ version: Version?) -> Version? { version == Version() ? nil : version }

  private static let remediation = Kind.level([0: "Block access", 1: "Wipe data", 2: "Warn"])

  private static func minimum(
    _ name: String, _ setting: Setting, _ version: @escaping @Sendable (Settings) -> Version?
  ) -> LogField {
    LogField(name, setting, .version(none: "0.0")) { .version(bound(version($0))) }
  }

  /// Returns the field of a maximum version. Without a bound, logs contain an empty string for maxima and
  /// `0.0` for minima.
  private static func maximum(
    _ name: String, _ setting: Setting, _ version: @escaping @Sendable (Settings) -> Version?
  ) -> LogField {
    LogField(name, setting, .version(none: "")) { .version(bound(version($0))) }
  }
}

extension Settings {
  /// Returns the allowed models if `action` applies to all others. Otherwise returns an empty list, as the
  /// SDK logs it.
  fileprivate func models(unless action: Remediation) -> LogValue {
    guard appActionIfIosDeviceModelNotAllowed == action else { return .list([]) }
    return .list(Set((allowedIosDeviceModels ?? []).map { $0.lowercased() }))
  }
}
