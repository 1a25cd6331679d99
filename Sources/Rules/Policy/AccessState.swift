package import Model

/// The state of the PIN that all apps of one publisher (team) share, and of its use.
///
/// A value without clock or storage: each method gives the state that follows. All times are seconds of the
/// virtual clock. Source: Microsoft Learn, "Frequently asked questions about MAM and app protection",
/// Intune app PIN.
package struct AccessState: Sendable, Hashable {
  /// A PIN in force, and the time at which it was set.
  package struct CurrentPIN: Sendable, Hashable {
    package var pin: PIN
    package var setAt: Int

    /// Creates the PIN that was set at that time.
    package init(_ pin: PIN, setAt: Int) {
      self.pin = pin
      self.setAt = setAt
    }
  }

  /// The PIN in force; nil: none was set yet.
  package var current: CurrentPIN?
  /// The PINs before the current one, the newest first.
  package var earlierPINs: [PIN]
  /// The number of wrong PINs since the last right one; 0 or more.
  package var failedAttempts: Int
  /// Whether the PIN was entered wrongly too often, so that only a new one helps.
  package var isResetRequired: Bool
  /// The time when an app was last unlocked by PIN or biometrics or, unlocked so, last in use; nil: never.
  package var lastUnlock: Int?
  /// The time when the work or school account's credentials last opened an app or, opened so, it was last in use; nil:
  /// never.
  package var lastSignIn: Int?

  /// Creates a state.
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

  /// Applies the verdict of ``evaluateLaunch(_:)`` on a request that held this state.
  ///
  /// A wipe for too many wrong PINs forgets the PIN; the next managed account sets a new one (assumed).
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

  /// Records that the app which `verdict` let in leaves the foreground: the time of inactivity counts from here.
  ///
  /// An app that asks for no PIN does not keep the publisher's other apps unlocked.
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

  /// The number of earlier PINs that are remembered; the admin centre offers fewer.
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

// MARK: - Change of the PIN

/// A user's change of the app PIN, for the first time or anew.
package struct PINChange: Sendable {
  /// The policy of the account that the app acts for; nil: the account is unmanaged.
  package var policy: EffectivePolicy?
  package var pin: PIN
  /// Whether the user signed in with the work or school account just before.
  package var hasSignedIn: Bool
  /// The state of the PIN before the change.
  package var access: AccessState

  /// Creates a change.
  package init(policy: EffectivePolicy?, pin: PIN, hasSignedIn: Bool, access: AccessState) {
    self.policy = policy
    self.pin = pin
    self.hasSignedIn = hasSignedIn
    self.access = access
  }
}

/// The verdict on the setting of the PIN. Where it allows, ``AccessState/set(_:at:)`` sets the PIN.
///
/// Source: Microsoft Learn, "Frequently asked questions about MAM and app protection", Is the PIN secure: a
/// user signs in before the PIN is set or reset.
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
