import Model
import Policy

/// An independent implementation of conditional launch, written from the documents without the
/// engine.
///
/// It computes the app's action and its state afterwards, as numbers and strings without rules.
struct NaiveLaunch: Equatable {
  /// The action: 0 for nothing, 1 for warn, 2 for block, 3 for wipe.
  var action: Int
  var access: AccessState

  init(_ request: LaunchRequest) {
    action = 0
    access = request.access
    guard var settings = request.policy?.settings else { return }
    Self.forget(&settings, request)
    action = Self.conditions(request, settings).max() ?? 0
    if action < 2 { ask(request, settings) }
  }

  /// Removes the settings that the SDK is too old for.
  private static func forget(_ settings: inout Settings, _ request: LaunchRequest) {
    guard let version = request.app.sdkVersion.map(numbers) else { return }
    func isOlder(than numbers: Int...) -> Bool { isLess(version, numbers) }
    if isOlder(than: 7, 0, 1) {
      settings.minimumWarningOsVersion = nil
      settings.minimumRequiredOsVersion = nil
      settings.minimumWipeOsVersion = nil
      settings.minimumWarningAppVersion = nil
      settings.minimumRequiredAppVersion = nil
      settings.minimumWipeAppVersion = nil
      settings.disableAppPinIfDevicePinIsSet = false
    }
    if isOlder(than: 7, 1, 12) { settings.pinCharacterSet = .numeric }
    if isOlder(than: 12, 0, 15) { settings.maximumAllowedDeviceThreatLevel = .notConfigured }
    if isOlder(than: 14, 4, 0) {
      settings.maximumWarningOsVersion = nil
      settings.maximumRequiredOsVersion = nil
      settings.maximumWipeOsVersion = nil
    }
  }

  // MARK: Conditions

  private static func number(_ action: Settings.Remediation) -> Int {
    ["warn": 1, "block": 2, "wipe": 3][action.rawValue] ?? 0
  }

  private static func conditions(_ request: LaunchRequest, _ settings: Settings) -> [Int] {
    var found: [Int] = []
    func when(_ isBroken: Bool, _ action: Int) { if isBroken { found.append(action) } }

    let system = numbers(request.device.osVersion)
    let app = request.appVersion.map(numbers) ?? [-1]
    let sdk = request.app.sdkVersion.map(numbers) ?? [.max]
    for (bound, have, action) in [
      (settings.minimumWarningOsVersion, system, 1), (settings.minimumRequiredOsVersion, system, 2),
      (settings.minimumWipeOsVersion, system, 3), (settings.minimumWarningAppVersion, app, 1),
      (settings.minimumRequiredAppVersion, app, 2), (settings.minimumWipeAppVersion, app, 3),
      (settings.minimumWarningSdkVersion, sdk, 1), (settings.minimumRequiredSdkVersion, sdk, 2),
      (settings.minimumWipeSdkVersion, sdk, 3),
    ] {
      if let bound { when(isLess(have, numbers(bound)), action) }
    }
    for (bound, action) in [
      (settings.maximumWarningOsVersion, 1), (settings.maximumRequiredOsVersion, 2),
      (settings.maximumWipeOsVersion, 3),
    ] {
      if let bound { when(isLess(numbers(bound), system), action) }
    }

    let interval = settings.periodOnlineBeforeAccessCheck
    let wasAdmitted =
      isRecent(request.access.lastUnlock, request.now, interval)
      || isRecent(request.access.lastSignIn, request.now, interval)
    when(
      settings.deviceComplianceRequired && request.device.isJailbroken && !wasAdmitted,
      number(settings.appActionIfDeviceComplianceRequired))
    when(settings.appDataEncryptionType != .useDeviceSettings && !request.device.hasPIN, 2)
    if let models = settings.allowedIosDeviceModels {
      let isListed = models.contains { $0.lowercased() == request.device.model.lowercased() }
      when(!isListed, number(settings.appActionIfIosDeviceModelNotAllowed))
    }
    let heights = ["secured": 0, "low": 1, "medium": 2, "high": 3]
    if let most = heights[settings.maximumAllowedDeviceThreatLevel.rawValue] {
      let height = request.device.threatLevel.flatMap { heights[$0.rawValue] } ?? 4
      when(height > most, number(settings.mobileThreatDefenseRemediationAction))
    }
    if request.account.isDisabled, let action = settings.appActionIfUnableToAuthenticateUser {
      found.append(number(action))
    }
    if request.account.isClockedOut, let action = settings.appActionIfAccountIsClockedOut {
      found.append(number(action))
    }
    let away = request.account.lastCheckIn.map { request.now - $0 } ?? -1
    let block = settings.periodOfflineBeforeAccessCheck
    let wipe = settings.periodOfflineBeforeWipeIsEnforced
    when(away < 0 ? block != 0 || wipe != 0 : block != 0 && away >= block, 2)
    when(wipe != 0 && away >= wipe, request.account.awaitsCheckIn ? 2 : 3)
    return found
  }

  private static func isRecent(_ time: Int?, _ now: Int, _ period: Int) -> Bool {
    guard let time else { return false }
    return time <= now && now - time < period
  }

  /// Returns the version's numbers, padded to eight.
  private static func numbers(_ version: Version) -> [Int] {
    var numbers = version.description.split(separator: ".").map { Int($0) ?? 0 }
    while numbers.count < 8 { numbers.append(0) }
    return numbers
  }

  private static func isLess(_ left: [Int], _ right: [Int]) -> Bool {
    for (a, b) in zip(left, right) where a != b { return a < b }
    return false
  }

  // MARK: PIN and credentials

  private mutating func ask(_ request: LaunchRequest, _ settings: Settings) {
    let now = request.now
    let interval = settings.periodOnlineBeforeAccessCheck
    let wasUnlocked = Self.isRecent(access.lastUnlock, now, interval)
    let wasSignedIn = Self.isRecent(access.lastSignIn, now, interval)

    let isStandIn =
      settings.disableAppPinIfDevicePinIsSet && request.device.hasPIN
      && request.device.isMDMEnrolled && request.app.hasEnrolledUPN
    let needsPIN = settings.pinRequired && !isStandIn
    if needsPIN { action = max(action, unlock(request, settings, wasUnlocked: wasUnlocked)) }
    if action == 3 { return }

    if settings.organizationalCredentialsRequired {
      if request.offer.hasSignedIn {
        access.lastSignIn = now
      } else if !wasSignedIn {
        action = max(action, 2)
      }
    }
    guard action < 2 else { return }
    if needsPIN { access.lastUnlock = now }
    if settings.organizationalCredentialsRequired { access.lastSignIn = now }
  }

  /// Evaluates the PIN requirement.
  private mutating func unlock(
    _ request: LaunchRequest, _ settings: Settings, wasUnlocked: Bool
  ) -> Int {
    guard !access.isResetRequired, let current = access.current else { return 2 }
    let age = request.now - current.setAt
    if settings.periodBeforePinReset != 0, age < 0 || age >= settings.periodBeforePinReset {
      return 2
    }
    if !Self.isStrong(current.pin.text, settings) { return 2 }
    if wasUnlocked { return 0 }
    var isOpen = false
    var isWrong = false
    switch request.offer.unlock {
    case .nothing: break
    case .biometrics: isOpen = Self.takesBiometrics(request, settings)
    case .pin(let pin):
      isOpen = pin.text == current.pin.text
      isWrong = !isOpen
    }
    let attempts = access.failedAttempts + (isWrong ? 1 : 0)
    if settings.maximumPinRetries != 0, attempts >= settings.maximumPinRetries {
      if settings.appActionIfMaximumPinRetriesExceeded == .wipe {
        access.failedAttempts = 0
        access.lastUnlock = nil
        access.lastSignIn = nil
        return 3
      }
      access.isResetRequired = true
      access.lastUnlock = nil
      return 2
    }
    access.failedAttempts = attempts
    guard isOpen else { return 2 }
    access.lastUnlock = request.now
    if request.offer.unlock != .biometrics { access.failedAttempts = 0 }
    return 0
  }

  private static func takesBiometrics(_ request: LaunchRequest, _ settings: Settings) -> Bool {
    let isBlocked =
      switch request.device.biometrics {
      case .none: true
      case .touchID: settings.fingerprintBlocked
      case .faceID: settings.faceIdBlocked
      }
    if isBlocked { return false }
    if settings.pinRequiredInsteadOfBiometricTimeout == 0 { return true }
    guard let last = request.access.lastUnlock, last <= request.now else { return false }
    return request.now - last < settings.pinRequiredInsteadOfBiometricTimeout
  }

  // MARK: New PINs

  /// Returns whether a user who signed in may set `pin`.
  static func accepts(_ pin: String, _ settings: Settings, previous: [String]) -> Bool {
    if settings.pinCharacterSet == .numeric, pin.contains(where: { !digits.contains($0) }) {
      return false
    }
    let kept = previous.enumerated().filter { $0.offset < settings.previousPinBlockCount }
    return isStrong(pin, settings) && !kept.contains { $0.element == pin }
  }

  private static let digits = "0123456789"
  private static let letters = "abcdefghijklmnopqrstuvwxyz"

  private static func isStrong(_ pin: String, _ settings: Settings) -> Bool {
    if pin.isEmpty || pin.count < settings.minimumPinLength { return false }
    let capitals = letters.uppercased()
    if settings.pinCharacterSet == .alphanumericAndSymbol {
      let hasNumber = pin.contains { digits.contains($0) }
      let hasLetter = pin.contains { letters.contains($0) || capitals.contains($0) }
      let hasSymbol = pin.contains { !(digits + letters + capitals + " ").contains($0) }
      let isComposed =
        settings.simplePinBlocked
        ? hasNumber && hasLetter && hasSymbol : hasLetter || hasSymbol
      if !isComposed { return false }
    }
    guard settings.simplePinBlocked else { return true }
    let repeated = Set(pin).map { String(repeating: $0, count: 3) }
    return !(runs + repeated).contains { holds($0, in: pin) }
  }

  /// Every three consecutive characters of an alphabet, in both directions.
  private static let runs: [String] = [digits, letters, letters.uppercased()].flatMap { alphabet in
    let all = Array(alphabet)
    return (0..<(all.count - 2)).flatMap { start in
      [String(all[start...(start + 2)]), String(all[start...(start + 2)].reversed())]
    }
  }

  private static func holds(_ run: String, in pin: String) -> Bool {
    var rest = pin[...]
    while !rest.isEmpty {
      if rest.hasPrefix(run) { return true }
      rest.removeFirst()
    }
    return false
  }
}
