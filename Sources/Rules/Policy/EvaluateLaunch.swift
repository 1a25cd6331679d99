internal import GraphDocuments
package import Model

/// Returns the verdict on using the account now. The result depends only on `request`, and every request has a verdict.
///
/// Each condition that the policy sets gives a reason, whether the condition is met or not. Exception: "Encrypt org
/// data" gives a reason only if the device has no PIN. Reasons are ordered by action: wipe, block, warn, none. Within
/// an action, the order is SDK version, app version, OS version, other device conditions, account, offline time.
///
/// If a condition blocks or wipes, the user is not asked for a PIN or credentials, and the verdict has no reasons about
/// them.
///
/// Source: Microsoft Learn, "Frequently asked questions about MAM and app protection", several access settings on iOS.
package func evaluateLaunch(_ request: LaunchRequest) -> Verdict {
  guard let stated = request.policy?.settings else {
    return Verdict([Reason(.noRuleApplied, .device)])
  }
  let (settings, unread) = stated.known(to: request.app)
  var reasons = LaunchRules(request: request, settings: settings).reasons
  if reasons.allSatisfy({ $0.rule.launchAction < .block }) {
    reasons += AccessRules(request: request, settings: settings).reasons
  }
  reasons += unread.filter { $0.page != .dataProtection }.map { Reason(.settingNotRead, .app, $0) }
  if reasons.isEmpty { reasons.append(Reason(.noAccessRequirement, .app)) }
  return Verdict(
    LaunchAction.allCases.reversed().flatMap { action in
      reasons.filter { $0.rule.launchAction == action }
    })
}

// MARK: - Conditional launch

/// The rules of "Conditional launch": conditions on device, app and account. An app checks them before it asks for a
/// PIN or credentials.
private struct LaunchRules {
  let request: LaunchRequest
  let settings: Settings

  /// One reason for each condition that the policy sets, in the order in which an app checks them.
  var reasons: [Reason] {
    [
      minimumSDKVersion, minimumAppVersion, minimumOSVersion, maximumOSVersion, jailbreak,
      devicePIN, model, threatLevel, disabledAccount, workingTime, offlineGrace,
    ].compactMap { $0 }
  }

  // MARK: Versions

  private struct Bound {
    var setting: Setting
    var version: Version
    var action: Settings.Remediation

    init?(_ setting: Setting, _ version: Version?, _ action: Settings.Remediation) {
      guard let version else { return nil }
      self.setting = setting
      self.version = version
      self.action = action
    }
  }

  private var minimumSDKVersion: Reason? {
    let bounds = [
      Bound(.minimumWipeSdkVersion, settings.minimumWipeSdkVersion, .wipe),
      Bound(.minimumRequiredSdkVersion, settings.minimumRequiredSdkVersion, .block),
      Bound(.minimumWarningSdkVersion, settings.minimumWarningSdkVersion, .warn),
    ]
    return reason(.minimumSDKVersion, bounds) { bound in
      request.app.sdkVersion.map { $0 < bound } ?? false
    }
  }

  private var minimumAppVersion: Reason? {
    let bounds = [
      Bound(.minimumWipeAppVersion, settings.minimumWipeAppVersion, .wipe),
      Bound(.minimumRequiredAppVersion, settings.minimumRequiredAppVersion, .block),
      Bound(.minimumWarningAppVersion, settings.minimumWarningAppVersion, .warn),
    ]
    return reason(.minimumAppVersion, bounds) { bound in
      request.appVersion.map { $0 < bound } ?? true
    }
  }

  private var minimumOSVersion: Reason? {
    let bounds = [
      Bound(.minimumWipeOsVersion, settings.minimumWipeOsVersion, .wipe),
      Bound(.minimumRequiredOsVersion, settings.minimumRequiredOsVersion, .block),
      Bound(.minimumWarningOsVersion, settings.minimumWarningOsVersion, .warn),
    ]
    return reason(.minimumOSVersion, bounds) { request.device.osVersion < $0 }
  }

  private var maximumOSVersion: Reason? {
    let bounds = [
      Bound(.maximumWipeOsVersion, settings.maximumWipeOsVersion, .wipe),
      Bound(.maximumRequiredOsVersion, settings.maximumRequiredOsVersion, .block),
      Bound(.maximumWarningOsVersion, settings.maximumWarningOsVersion, .warn),
    ]
    return reason(.maximumOSVersion, bounds) { request.device.osVersion > $0 }
  }

  /// Returns the reason for a version condition; nil if the policy sets no bound. The reason cites the strictest
  /// violated bound or, if no bound is violated, the mildest bound.
  ///
  /// - Parameter bounds: The bounds from the strictest to the mildest; nil for those that the policy does not set.
  private func reason(
    _ rules: ConditionRules, _ bounds: [Bound?], isBroken: (Version) -> Bool
  ) -> Reason? {
    let bounds = bounds.compactMap { $0 }
    if let broken = bounds.first(where: { isBroken($0.version) }) {
      return Reason(rules.broken(broken.action), .app, broken.setting)
    }
    return bounds.last.map { Reason(rules.met, .app, $0.setting) }
  }

  // MARK: Device

  /// The reason that the jailbreak check gives; nil if the policy does not require the check. There is no check within
  /// the recheck interval after an unlock or sign-in in any of the publisher's apps.
  private var jailbreak: Reason? {
    guard settings.deviceComplianceRequired else { return nil }
    let access = request.access
    let isCheckDue = [access.lastUnlock, access.lastSignIn].allSatisfy {
      request.isRecheckDue(since: $0, settings)
    }
    if request.device.isJailbroken, !isCheckDue {
      return Reason(.jailbreakCheckNotDue, .app, .periodOnlineBeforeAccessCheck)
    }
    return reason(
      .jailbroken, .deviceComplianceRequired, settings.appActionIfDeviceComplianceRequired,
      isBroken: request.device.isJailbroken)
  }

  /// The reason to ask the user for a device PIN, without which the system encrypts no files. Nil if the policy
  /// requires no encryption, or the device has a PIN.
  private var devicePIN: Reason? {
    guard settings.encryptsFiles, !request.device.hasPIN else { return nil }
    return Reason(.devicePINMissing, .app, .appDataEncryptionType)
  }

  private var model: Reason? {
    guard let models = settings.allowedIosDeviceModels else { return nil }
    return reason(
      .deviceModel, .allowedIosDeviceModels, settings.appActionIfIosDeviceModelNotAllowed,
      isBroken: !models.contains(request.device.model.lowercased()))
  }

  private var threatLevel: Reason? {
    let maximum = settings.maximumAllowedDeviceThreatLevel
    guard maximum != .notConfigured else { return nil }
    let setting = Setting.maximumAllowedDeviceThreatLevel
    let action = settings.mobileThreatDefenseRemediationAction
    guard let level = request.device.threatLevel else {
      return Reason(ConditionRules.threatLevelUnknown.broken(action), .app, setting)
    }
    return reason(.threatLevel, setting, action, isBroken: !maximum.accepts(level))
  }

  // MARK: Account

  private var disabledAccount: Reason? {
    guard let action = settings.appActionIfUnableToAuthenticateUser else { return nil }
    return reason(
      .accountDisabled, .appActionIfUnableToAuthenticateUser, action,
      isBroken: request.account.isDisabled)
  }

  private var workingTime: Reason? {
    guard let action = settings.appActionIfAccountIsClockedOut else { return nil }
    return reason(
      .clockedOut, .appActionIfAccountIsClockedOut, action, isBroken: request.account.isClockedOut)
  }

  /// The reason for the time since the last check-in. It does not depend on whether the device is online, because the
  /// service may be unreachable or refuse the account.
  ///
  /// If the last check-in is later than the current time, the clock was set back. In this case, and if there was no
  /// check-in, the account is blocked but never wiped, regardless of the policy's periods.
  private var offlineGrace: Reason? {
    let blocksAfter = settings.periodOfflineBeforeAccessCheck
    let wipesAfter = settings.periodOfflineBeforeWipeIsEnforced
    guard blocksAfter > 0 || wipesAfter > 0 else { return nil }
    let setting: Setting =
      blocksAfter > 0 ? .periodOfflineBeforeAccessCheck : .periodOfflineBeforeWipeIsEnforced
    let holds = Reason(.offlineGraceHolds, .app, setting)
    let blocks = Reason(.offlineGraceBlocks, .app, setting)
    guard let elapsed = request.elapsed(since: request.account.lastCheckIn) else { return blocks }
    if wipesAfter > 0, elapsed >= wipesAfter {
      guard !request.account.awaitsCheckIn else { return blocks }
      return Reason(.offlineGraceWipes, .app, .periodOfflineBeforeWipeIsEnforced)
    }
    return blocksAfter > 0 && elapsed >= blocksAfter ? blocks : holds
  }

  private func reason(
    _ rules: ConditionRules, _ setting: Setting, _ action: Settings.Remediation, isBroken: Bool
  ) -> Reason {
    Reason(isBroken ? rules.broken(action) : rules.met, .app, setting)
  }
}

/// The rules of one launch condition. If the condition is met, `met` applies; otherwise, the rule for the policy's
/// action.
private struct ConditionRules {
  var met: Rule
  var warns: Rule
  var blocks: Rule
  var wipes: Rule

  /// Returns the rule that applies if the condition is not met and the policy sets this action.
  func broken(_ action: Settings.Remediation) -> Rule {
    switch action {
    case .warn: warns
    case .block: blocks
    case .wipe: wipes
    }
  }

  static let minimumSDKVersion = ConditionRules(
    met: .minimumSDKVersionMet, warns: .minimumSDKVersionWarns, blocks: .minimumSDKVersionBlocks,
    wipes: .minimumSDKVersionWipes)
  static let minimumAppVersion = ConditionRules(
    met: .minimumAppVersionMet, warns: .minimumAppVersionWarns, blocks: .minimumAppVersionBlocks,
    wipes: .minimumAppVersionWipes)
  static let minimumOSVersion = ConditionRules(
    met: .minimumOSVersionMet, warns: .minimumOSVersionWarns, blocks: .minimumOSVersionBlocks,
    wipes: .minimumOSVersionWipes)
  static let maximumOSVersion = ConditionRules(
    met: .maximumOSVersionMet, warns: .maximumOSVersionWarns, blocks: .maximumOSVersionBlocks,
    wipes: .maximumOSVersionWipes)
  static let jailbroken = ConditionRules(
    met: .notJailbroken, warns: .jailbrokenWarns, blocks: .jailbrokenBlocks,
    wipes: .jailbrokenWipes)
  static let deviceModel = ConditionRules(
    met: .deviceModelAllowed, warns: .deviceModelWarns, blocks: .deviceModelBlocks,
    wipes: .deviceModelWipes)
  static let threatLevel = ConditionRules(
    met: .threatLevelAccepted, warns: .threatLevelWarns, blocks: .threatLevelBlocks,
    wipes: .threatLevelWipes)
  static let threatLevelUnknown = ConditionRules(
    met: .threatLevelAccepted, warns: .threatLevelUnknownWarns, blocks: .threatLevelUnknownBlocks,
    wipes: .threatLevelUnknownWipes)
  static let accountDisabled = ConditionRules(
    met: .accountEnabled, warns: .accountDisabledWarns, blocks: .accountDisabledBlocks,
    wipes: .accountDisabledWipes)
  static let clockedOut = ConditionRules(
    met: .notClockedOut, warns: .clockedOutWarns, blocks: .clockedOutBlocks,
    wipes: .clockedOutWipes)
}

extension Settings.ThreatLevel {
  func accepts(_ level: DevicePosture.ThreatLevel) -> Bool {
    switch self {
    case .notConfigured, .high: true
    case .medium: level != .high
    case .low: level == .secured || level == .low
    case .secured: level == .secured
    }
  }
}

// MARK: - Access requirements

extension LaunchRequest {
  /// Returns whether the period in "Recheck the access requirements after" has passed since `time`. True if `time` is
  /// nil or in the future.
  fileprivate func isRecheckDue(since time: Int?, _ settings: Settings) -> Bool {
    guard let elapsed = elapsed(since: time) else { return true }
    return elapsed >= settings.periodOnlineBeforeAccessCheck
  }
}

/// The rules of "Access requirements": the PIN or biometrics, and the credentials of the work or school account.
private struct AccessRules {
  let request: LaunchRequest
  let settings: Settings

  var reasons: [Reason] { [pin, credentials].compactMap { $0 } }

  // MARK: Credentials

  private var credentials: Reason? {
    guard settings.organizationalCredentialsRequired else { return nil }
    if request.offer.hasSignedIn {
      return Reason(.credentialsGiven, .app, .organizationalCredentialsRequired)
    }
    return request.isRecheckDue(since: request.access.lastSignIn, settings)
      ? Reason(.credentialsAsked, .app, .organizationalCredentialsRequired)
      : Reason(.credentialsRecheckNotDue, .app, .periodOnlineBeforeAccessCheck)
  }

  // MARK: PIN

  private var pin: Reason? {
    guard settings.pinRequired else { return nil }
    if isWaived { return Reason(.pinWaived, .app, .disableAppPinIfDevicePinIsSet) }
    if request.access.isResetRequired {
      return Reason(.pinResetRequired, .app, .maximumPinRetries)
    }
    guard let current = request.access.current else {
      return Reason(.pinNotSet, .app, .pinRequired)
    }
    return unusable(current) ?? unlocked(current)
  }

  /// Whether the app needs no PIN of its own, because the device's PIN replaces it. For this, the device must be
  /// enrolled and the app must know the enrolled user.
  private var isWaived: Bool {
    let management = ManagementState(
      isMDMEnrolled: request.device.isMDMEnrolled, hasEnrolledUPN: request.app.hasEnrolledUPN)
    return settings.disableAppPinIfDevicePinIsSet && request.device.hasPIN
      && management == .enrolled
  }

  /// Returns the reason why the user must first replace the current PIN; nil if the PIN can be used.
  private func unusable(_ current: AccessState.CurrentPIN) -> Reason? {
    let period = settings.periodBeforePinReset
    if period > 0, request.elapsed(since: current.setAt) ?? .max >= period {
      return Reason(.pinExpired, .app, .periodBeforePinReset)
    }
    return PINRules.weakness(of: current.pin, settings).map {
      Reason(.pinOutdated, .app, $0.setting)
    }
  }

  private func unlocked(_ current: AccessState.CurrentPIN) -> Reason {
    if !request.isRecheckDue(since: request.access.lastUnlock, settings) {
      return Reason(.pinRecheckNotDue, .app, .periodOnlineBeforeAccessCheck)
    }
    var failedAttempts = request.access.failedAttempts
    var answer: Reason
    switch request.offer.unlock {
    case .nothing: answer = Reason(.pinAsked, .app, .pinRequired)
    case .biometrics: answer = biometrics
    case .pin(current.pin): answer = Reason(.pinEntered, .app, .pinRequired)
    case .pin:
      failedAttempts += 1
      answer = Reason(.pinWrong, .app, .pinRequired)
    }
    let maximum = settings.maximumPinRetries
    guard maximum > 0, failedAttempts >= maximum else { return answer }
    let wipes = settings.appActionIfMaximumPinRetriesExceeded == .wipe
    return Reason(
      wipes ? .pinRetriesExceededWipes : .pinRetriesExceededResets, .app, .maximumPinRetries)
  }

  private var biometrics: Reason {
    let (isBlocked, setting): (Bool, Setting)
    switch request.device.biometrics {
    case .none: return Reason(.biometricsUnavailable, .app, .pinRequired)
    case .touchID: (isBlocked, setting) = (settings.fingerprintBlocked, .fingerprintBlocked)
    case .faceID: (isBlocked, setting) = (settings.faceIdBlocked, .faceIdBlocked)
    }
    guard !isBlocked else { return Reason(.biometricsBlocked, .app, setting) }
    let timeout = settings.pinRequiredInsteadOfBiometricTimeout
    let elapsed = request.elapsed(since: request.access.lastUnlock) ?? .max
    if timeout > 0, elapsed >= timeout {
      return Reason(.biometricsTimedOut, .app, .pinRequiredInsteadOfBiometricTimeout)
    }
    return Reason(.biometricsAccepted, .app, setting)
  }
}
