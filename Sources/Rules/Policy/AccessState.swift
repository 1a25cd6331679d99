package import Model

/// The state and the use of the PIN that all apps of one publisher (team) share.
///
/// The methods of this value type are the state transitions. Times are seconds of the virtual
/// clock.
///
/// Source: Microsoft Learn, "Frequently asked questions about MAM and app protection", Intune app PIN.
package struct AccessState: Sendable, Hashable {
  /// The current PIN, and the time at which it was set.
  package struct CurrentPIN: Sendable, Hashable {
    package var pin: PIN
    package var setAt: Int

    package init(_ pin: PIN, setAt: Int) {
      self.pin = pin
      self.setAt = setAt
    }
  }

  /// The current PIN; nil if no PIN has been set.
  package var current: CurrentPIN?
  /// The previous PINs, newest first.
  package var earlierPINs: [PIN]
  /// The number of wrong PINs since the last correct PIN; 0 or more.
  package var failedAttempts: Int
  /// Whether a new PIN is required after too many wrong PINs.
  package var isResetRequired: Bool
  /// The time of the last unlock with PIN or biometrics, or of the last use of an app that was unlocked that way; nil
  /// for never.
  package var lastUnlock: Int?
  /// The time of the last work or school sign-in, or of the last use of an app that was opened that way; nil for never.
  package var lastSignIn: Int?

  package init(
    current: CurrentPIN? = nil, earlierPINs: [PIN] = [], failedAttempts: Int = 0,
    isResetRequired: Bool = false, lastUnlock: Int? = nil, lastSignIn: Int? = nil
  ) {
    self.current = current
    self.earlierPINs = earlierPINs
    self.failedAttempts = failedAttempts
    self.isResetRequired = isResetRequired
    self.lastUnlock = lastUnlock
    self.lastSignIn = lastSignIn
  }

  /// Applies the verdict of ``evaluateLaunch(_:)`` on a request with this state.
  ///
  /// A wipe for too many wrong PINs removes the PIN. The next managed account sets a new PIN
  /// (assumed).
  package mutating func apply(_ verdict: Verdict, at now: Int) {
    if verdict.reasons.contains(where: { $0.rule == .pinRetriesExceededWipes }) {
      self = AccessState()
      return
    }
    for rule in verdict.reasons.map(\.rule) {
      if case .pinWrong = rule { failedAttempts += 1 }
      if case .pinRetriesExceededResets = rule {
        isResetRequired = true
        lastUnlock = nil
      }
      if case .pinEntered = rule { failedAttempts = 0 }
      if rule == .pinEntered || rule == .biometricsAccepted { lastUnlock = now }
      if case .credentialsGiven = rule { lastSignIn = now }
    }
    if verdict.outcome == .allowed { keepAlive(verdict, at: now) }
  }

  /// Records that an app admitted by `verdict` leaves the foreground. The inactivity period starts
  /// now.
  ///
  /// An app that requires no PIN does not keep the publisher's other apps unlocked.
  package mutating func leaveForeground(after verdict: Verdict, at now: Int) {
    if verdict.outcome == .allowed { keepAlive(verdict, at: now) }
  }

  private mutating func keepAlive(_ verdict: Verdict, at now: Int) {
    let unlocking: [Rule] = [.pinEntered, .biometricsAccepted, .pinRecheckNotDue]
    let signingIn: [Rule] = [.credentialsGiven, .credentialsRecheckNotDue]
    for reason in verdict.reasons {
      if unlocking.contains(reason.rule) { lastUnlock = now }
      if signingIn.contains(reason.rule) { lastSignIn = now }
    }
  }

  /// The maximum number of remembered PINs. The admin centre offers fewer.
  private static let longestHistory = 64

  /// Sets a new PIN that ``evaluatePINChange(_:)`` allowed.
  package mutating func set(_ pin: PIN, at now: Int) {
    if let current { earlierPINs = [current.pin] + earlierPINs.prefix(Self.longestHistory - 1) }
    current = CurrentPIN(pin, setAt: now)
    failedAttempts = 0
    isResetRequired = false
    lastUnlock = now
  }
}

// MARK: - PIN change

/// A user's first setting or later change of the app PIN.
package struct PINChange: Sendable {
  /// The policy of the account that the app acts for; nil if the account is unmanaged.
  package var policy: EffectivePolicy?
  package var pin: PIN
  /// Whether the user has just signed in with the work or school account.
  package var hasSignedIn: Bool
  /// The state of the PIN before the change.
  package var access: AccessState

  package init(policy: EffectivePolicy?, pin: PIN, hasSignedIn: Bool, access: AccessState) {
    self.policy = policy
    self.pin = pin
    self.hasSignedIn = hasSignedIn
    self.access = access
  }
}

/// Returns the verdict on a new PIN. If it is allowed, the caller applies
/// ``AccessState/set(_:at:)``.
///
/// Source: Microsoft Learn, "Frequently asked questions about MAM and app protection", Is the PIN
/// secure. A user signs in before the PIN is set or reset.
package func evaluatePINChange(_ change: PINChange) -> Verdict {
  guard let settings = change.policy?.settings else {
    return Verdict([Reason(.noRuleApplied, .device)])
  }
  guard change.hasSignedIn else {
    return Verdict([Reason(.pinChangeNeedsSignIn, .app, .pinRequired)])
  }
  let current = change.access.current.map { [$0.pin] } ?? []
  return PINRules.verdict(
    on: change.pin, settings, previous: current + change.access.earlierPINs)
}
