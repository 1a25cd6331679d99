import Model
import Policy
import PolicySupport
import TestSupport

/// Draws launches with every possible input. Most inputs are near the limits of settings.
struct LaunchRequestSource {
  private var generator: SeededGenerator
  /// The generator for the inputs that are not drawn explicitly.
  private var others: SeededGenerator
  private var policies: [EffectivePolicy?] = []

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    others = SeededGenerator(seed: ~seed)
    for _ in 0..<4_000 { policies.append(flag(outOf: 50) ? nil : policy()) }
  }

  mutating func request() -> LaunchRequest {
    let now = pick([0, 3_000, 50_000_000])
    return LaunchRequest(
      policy: pick(policies), device: device(),
      app: AppState(
        bundleID: "app", hasEnrolledUPN: flag(), sdkVersion: flag(outOf: 6) ? nil : version()),
      appVersion: flag(outOf: 6) ? nil : version(),
      account: AccountConditions(
        isDisabled: flag(outOf: 6), isClockedOut: flag(outOf: 6),
        lastCheckIn: flag(outOf: 20) ? nil : time(before: now), awaitsCheckIn: flag(outOf: 6)),
      access: access(at: now), offer: offer(), now: now)
  }

  mutating func policy() -> EffectivePolicy {
    var settings = Settings.random(
      using: &others, on: [.accessRequirements, .conditionalLaunch])
    drawAccess(&settings)
    drawVersions(&settings)
    drawConditions(&settings)
    return Fixtures.policy { $0 = settings }
  }

  static let pins = [
    "1379", "1378", "1234", "4321", "1122", "1112", "135", "abcd", "k1379", "k1!79", "cba1!", "",
  ]

  mutating func pin() -> PIN { PIN(pick(Self.pins)) }

  mutating func pick<Value>(_ values: [Value]) -> Value { generator.element(of: values) }

  /// Returns true with a probability of one in `count`.
  mutating func flag(outOf count: Int = 2) -> Bool { generator.flag(outOf: count) }

  // MARK: Settings

  private mutating func drawAccess(_ settings: inout Settings) {
    settings.pinRequired = !flag(outOf: 3)
    settings.pinCharacterSet = flag(outOf: 6) ? .alphanumericAndSymbol : .numeric
    settings.simplePinBlocked = flag(outOf: 4)
    settings.minimumPinLength = pick([0, 0, 4, 5])
    settings.maximumPinRetries = pick([0, 1, 3, 5])
    settings.appActionIfMaximumPinRetriesExceeded = pick(Settings.Remediation.allCases)
    settings.periodBeforePinReset = flag(outOf: 3) ? pick(Self.periods) : 0
    settings.previousPinBlockCount = pick([0, 1, 3])
    settings.fingerprintBlocked = flag(outOf: 3)
    settings.faceIdBlocked = flag(outOf: 3)
    settings.pinRequiredInsteadOfBiometricTimeout = flag(outOf: 3) ? pick(Self.periods) : 0
    settings.disableAppPinIfDevicePinIsSet = flag()
    settings.organizationalCredentialsRequired = flag(outOf: 4)
    settings.periodOnlineBeforeAccessCheck = flag() ? pick(Self.periods) : 0
  }

  private mutating func drawVersions(_ settings: inout Settings) {
    for setting in Setting.ofPolicies {
      if case .version(let path) = setting.domain { settings[keyPath: path] = bound() }
    }
  }

  private mutating func drawConditions(_ settings: inout Settings) {
    let remediations = Settings.Remediation.allCases
    settings.periodOfflineBeforeAccessCheck = flag(outOf: 3) ? pick(Self.periods) : 0
    settings.periodOfflineBeforeWipeIsEnforced = flag(outOf: 3) ? pick(Self.periods) : 0
    settings.deviceComplianceRequired = flag()
    settings.appActionIfDeviceComplianceRequired = pick(remediations)
    settings.appActionIfUnableToAuthenticateUser = flag(outOf: 3) ? pick(remediations) : nil
    settings.appActionIfAccountIsClockedOut = flag(outOf: 3) ? pick(remediations) : nil
    settings.allowedIosDeviceModels = flag(outOf: 6) ? pick([["iphone14,5"], []]) : nil
    settings.appActionIfIosDeviceModelNotAllowed = pick(remediations)
    settings.maximumAllowedDeviceThreatLevel =
      flag(outOf: 4) ? pick(Settings.ThreatLevel.allCases) : .notConfigured
    settings.mobileThreatDefenseRemediationAction = pick(remediations)
    settings.appDataEncryptionType =
      flag(outOf: 8) ? pick(Settings.Encryption.allCases) : .useDeviceSettings
  }

  private mutating func bound() -> Version? { flag(outOf: 16) ? version() : nil }

  private mutating func version() -> Version {
    pick([
      Version(), Version(9, 9), Version(16, 4), Version(16, 4, 1), Version(17), Version(17, 0, 1),
      Version(17, 10), Version(17, 9), Version(18), Version(7, 1, 11), Version(7, 1, 12),
      Version(12, 0, 14), Version(14, 3, 9), Version(14, 4),
    ])
  }

  private static let periods = [60, 1800, 86400, .max]

  // MARK: Facts

  private mutating func device() -> DevicePosture {
    DevicePosture(
      osVersion: version(), model: pick(["iPhone14,5", "iphone14,5", "iPad11,1", ""]),
      isJailbroken: flag(outOf: 4),
      threatLevel: flag(outOf: 5) ? nil : pick(DevicePosture.ThreatLevel.allCases),
      hasPIN: flag(), biometrics: pick(DevicePosture.Biometrics.allCases),
      isMDMEnrolled: flag(), isOnline: flag())
  }

  private mutating func access(at now: Int) -> AccessState {
    AccessState(
      current: flag(outOf: 8) ? nil : .init(pin(), setAt: time(before: now)),
      earlierPINs: (0..<generator.index(below: 4)).map { _ in pin() },
      failedAttempts: pick([0, 0, 1, 2, 4, 5]), isResetRequired: flag(outOf: 12),
      lastUnlock: flag(outOf: 6) ? nil : time(before: now),
      lastSignIn: flag(outOf: 6) ? nil : time(before: now))
  }

  private mutating func time(before now: Int) -> Int {
    now - pick([-1, 0, 59, 60, 61, 1799, 1800, 1801, 86399, 86400, 200_000])
  }

  private mutating func offer() -> AccessOffer {
    let unlock: AccessOffer.Unlock =
      switch generator.index(below: 4) {
      case 0: .nothing
      case 1: .biometrics
      default:  // open: the last of the numbers
        .pin(flag() ? PIN("1379") : pin())
      }
    return AccessOffer(unlock, hasSignedIn: flag())
  }
}
