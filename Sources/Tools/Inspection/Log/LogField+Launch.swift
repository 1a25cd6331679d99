import Model
import Policy

/// The names under which the SDK logs settings of the admin centre's page "Conditional launch".
extension LogField {
  static let launchFields: [LogField] = [
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

  static let versionFields: [LogField] = [
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

  /// The version, or nil for version 0, which bounds nothing and stands for no bound in logs.
  static func bound(_ version: Version?) -> Version? { version == Version() ? nil : version }

  private static let remediation = Kind.level([0: "Block access", 1: "Wipe data", 2: "Warn"])

  private static func minimum(
    _ name: String, _ setting: Setting, _ version: @escaping @Sendable (Settings) -> Version?
  ) -> LogField {
    LogField(name, setting, .version(none: "0.0")) { .version(bound(version($0))) }
  }

  /// The field of a maximum. Logs write the empty string where no maximum is set, unlike for minima.
  private static func maximum(
    _ name: String, _ setting: Setting, _ version: @escaping @Sendable (Settings) -> Version?
  ) -> LogField {
    LogField(name, setting, .version(none: "")) { .version(bound(version($0))) }
  }
}

extension Settings {
  /// The models that are let in, where `action` is taken on others; else none, which the SDK logs as an empty list.
  fileprivate func models(unless action: Remediation) -> LogValue {
    guard appActionIfIosDeviceModelNotAllowed == action else { return .list([]) }
    return .list(Set((allowedIosDeviceModels ?? []).map { $0.lowercased() }))
  }
}
