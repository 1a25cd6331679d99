internal import Encodings
internal import JSON
internal import Model
internal import Policy

/// The members of a request's `launch`, beside those of a party.
enum LaunchKey: String, CaseIterable {
  case app, account, objectId, tenant, managed, policy, enrolledUPN, sdkVersion, appVersion
  case disabled, clockedOut, offlineFor, idleFor, currentPIN, pinAge, failedAttempts, offers
}

/// The members of a launch's `offers`.
enum OfferKey: String, CaseIterable {
  case pin, biometrics, credentials
}

/// Decides whether an account's policy lets an app open the account now.
extension Decider {
  /// The verdict on the request's `launch`, on the request's `device`.
  mutating func launch(
    _ value: JSONValue, on device: JSONValue?
  ) throws(JSONSyntaxError) -> ExplainedVerdict {
    let fields = try DecisionFields(value, keys: LaunchKey.self)
    let state = try DeviceRestrictions(device)
    let party = try self.party(fields, state)
    var conditions = try DevicePosture(device)
    conditions.isMDMEnrolled = state.isMDMEnrolled
    // The time of the request is fixed; earlier events lie as far back as the request states.
    let now = 10 * 365 * 86_400
    let offline = try fields.duration(LaunchKey.offlineFor)
    conditions.isOnline = offline == nil
    let request = LaunchRequest(
      policy: party.policy, device: conditions, app: party.app,
      appVersion: try fields.version(LaunchKey.appVersion),
      account: AccountConditions(
        isDisabled: try fields.bool(LaunchKey.disabled) ?? false,
        isClockedOut: try fields.bool(LaunchKey.clockedOut) ?? false,
        lastCheckIn: now - (offline ?? 0)),
      access: try AccessState(fields, now: now), offer: try AccessOffer(fields), now: now)
    return Explainer.explain(request, evaluateLaunch(request))
  }
}

extension AccessState {
  fileprivate init(_ fields: DecisionFields, now: Int) throws(JSONSyntaxError) {
    self.init()
    if let pin = try fields.string(LaunchKey.currentPIN) {
      current = CurrentPIN(PIN(pin), setAt: now - (try fields.duration(LaunchKey.pinAge) ?? 0))
    }
    if let failed = try fields.int(LaunchKey.failedAttempts) {
      guard failed >= 0 else {
        throw fields.mistake(LaunchKey.failedAttempts, "`failedAttempts` must be 0 or more")
      }
      failedAttempts = failed
    }
    if let idle = try fields.duration(LaunchKey.idleFor) {
      lastUnlock = now - idle
      lastSignIn = now - idle
    }
  }
}

extension AccessOffer {
  fileprivate init(_ fields: DecisionFields) throws(JSONSyntaxError) {
    self.init()
    guard let value = fields.value(LaunchKey.offers) else { return }
    let offers = try DecisionFields(value, keys: OfferKey.self)
    if let pin = try offers.string(OfferKey.pin) {
      unlock = .pin(PIN(pin))
    } else if try offers.bool(OfferKey.biometrics) ?? false {
      unlock = .biometrics
    }
    hasSignedIn = try offers.bool(OfferKey.credentials) ?? false
  }
}

extension DevicePosture {
  /// Reads the posture of a request's `device`; a device without fault where nothing is stated.
  fileprivate init(_ value: JSONValue?) throws(JSONSyntaxError) {
    self.init(osVersion: Version(26, 0), model: "iPhone17,1", hasPIN: true)
    guard let value else { return }
    let device = try DecisionFields(value, keys: DeviceKey.self)
    osVersion = try device.version(DeviceKey.osVersion) ?? osVersion
    model = try device.string(DeviceKey.model) ?? model
    isJailbroken = try device.bool(DeviceKey.jailbroken) ?? false
    threatLevel = try device.word(DeviceKey.threatLevel)
    hasPIN = try device.bool(DeviceKey.pin) ?? hasPIN
    biometrics = try device.word(DeviceKey.biometrics) ?? .none
  }
}

extension DecisionFields {
  /// The duration in a member, in seconds, at most ten years; nil where there is no such member.
  fileprivate func duration(
    _ key: some RawRepresentable<String>
  ) throws(JSONSyntaxError) -> Int? {
    guard let text = try string(key) else { return nil }
    guard let seconds = ISODuration.seconds(text, .graph), seconds <= 10 * 365 * 86_400 else {
      throw mistake(
        key, "`\(text)` is no duration of ten years at most, such as `P90D` or `PT12H`")
    }
    return seconds
  }

  func version(_ key: some RawRepresentable<String>) throws(JSONSyntaxError) -> Version? {
    guard let text = try string(key) else { return nil }
    guard let version = Version(text) else {
      throw mistake(key, "`\(text)` is no version; expected numbers with dots between")
    }
    return version
  }
}
