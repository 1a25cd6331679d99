internal import GraphDocuments
import Model

/// "Access requirements": the PIN or biometrics, and the work or school account's credentials.
struct AccessRules {
  let request: LaunchRequest
  let settings: Settings

  var reasons: [Reason] { [pin, credentials].compactMap { $0 } }

  // MARK: Credentials

  private var credentials: Reason? {
    guard settings.organizationalCredentialsRequired else { return nil }
    if request.offer.hasSignedIn {
      return Reason(.credentialsGiven, .app, .organizationalCredentialsRequired)
    }
    return isRecheckDue(since: request.access.lastSignIn)
      ? Reason(.credentialsAsked, .app, .organizationalCredentialsRequired)
      : Reason(.credentialsRecheckNotDue, .app, .periodOnlineBeforeAccessCheck)
  }

  private func isRecheckDue(since time: Int?) -> Bool {
    guard let elapsed = request.elapsed(since: time) else { return true }
    return elapsed >= settings.periodOnlineBeforeAccessCheck
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

  /// Whether the device's PIN stands in for the app's, which needs an app that knows that the device is enrolled.
  private var isWaived: Bool {
    let management = ManagementState(
      isMDMEnrolled: request.device.isMDMEnrolled, hasEnrolledUPN: request.app.hasEnrolledUPN)
    return settings.disableAppPinIfDevicePinIsSet && request.device.hasPIN
      && management == .enrolled
  }

  /// The reason why a new PIN is needed first; nil where none is.
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
    if !isRecheckDue(since: request.access.lastUnlock) {
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
