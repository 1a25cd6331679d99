import Model

/// "Conditional launch": the conditions on device, app and account before anybody is asked for anything.
struct LaunchRules {
  let request: LaunchRequest
  let settings: Settings

  /// One reason for each condition that the policy sets, in the order in which an app checks them.
  var reasons: [Reason] {
    [
      minimumSDKVersion, minimumAppVersion, minimumOSVersion, maximumOSVersion, jailbreak, model,
      threatLevel, disabledAccount, workingTime, offlineGrace,
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

  /// The strictest bound that is broken, or the mildest that is met; `bounds` is in that order.
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

  private var jailbreak: Reason? {
    guard settings.deviceComplianceRequired else { return nil }
    return reason(
      .jailbroken, .deviceComplianceRequired, settings.appActionIfDeviceComplianceRequired,
      isBroken: request.device.isJailbroken)
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

  /// The reason of the time since the last check-in. It does not matter whether the device is online now: the service
  /// may be unreachable, or refuse the account.
  ///
  /// A check-in ahead of the clock means that the clock was set back. It blocks but never wipes, whichever of the two
  /// periods the policy sets, and so does an account without a check-in.
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
