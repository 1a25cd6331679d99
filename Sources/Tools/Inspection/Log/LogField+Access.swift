import Model
import Policy

/// The names under which the SDK logs settings of the admin centre's page "Access requirements".
extension LogField {
  static let accessFields: [LogField] = [
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
  /// The number that the SDK logs. Microsoft's table has 0 and 1; that 2 is a warning is assumed.
  var logged: Int {
    switch self {
    case .block: 0
    case .wipe: 1
    case .warn: 2
    }
  }
}
