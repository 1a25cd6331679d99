package import Model

/// The app PIN of an account, with the times of the last unlock and sign-in. Several accounts and apps can share one
/// state; ``PublisherAccess`` determines which.
///
/// The methods are the state transitions. Times are in seconds of the virtual clock.
///
/// Source: Microsoft Learn, "App protection policies overview", Intune app PIN.
package struct AccessState: Sendable, Hashable {
  package struct CurrentPIN: Sendable, Hashable {
    package var pin: PIN
    package var setAt: Int

    package init(_ pin: PIN, setAt: Int) {
      self.pin = pin
      self.setAt = setAt
    }
  }

  package var current: CurrentPIN?
  /// The previous PINs, newest first.
  package var earlierPINs: [PIN]
  /// The number of consecutive wrong PINs. A correct PIN, a new PIN and a wipe for too many wrong PINs reset it.
  package var failedAttempts: Int
  /// Whether the user must set a new PIN, because there were too many wrong PINs.
  package var isResetRequired: Bool
  /// The time of the latest unlock: a new PIN, an unlock with PIN or biometrics, or the last use of an app that
  /// requires a PIN. Nil before the first unlock, and after too many wrong PINs.
  package var lastUnlock: Int?
  /// The time of the latest work or school sign-in, or of the last use of an app that requires one, if that is later.
  /// Nil before the first sign-in, and after a wipe for too many wrong PINs.
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

  /// Updates the state after a launch. `verdict` is the result of ``evaluateLaunch(_:)`` for this state.
  ///
  /// A wipe for too many wrong PINs keeps the PIN, because the publisher's other apps may use it. The wipe resets the
  /// count of wrong PINs, and the next prompt requests the PIN and the credentials again.
  package mutating func apply(_ verdict: Verdict, at now: Int) {
    if verdict.reasons.contains(where: { $0.rule == .pinRetriesExceededWipes }) {
      failedAttempts = 0
      lastUnlock = nil
      lastSignIn = nil
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

  /// Records that an app leaves the foreground. If `verdict` allowed the app's launch, the inactivity period starts
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

  /// The maximum number of earlier PINs that are kept. The admin centre's maximum is lower.
  private static let longestHistory = 64

  /// Sets a new PIN. ``evaluatePINChange(_:)`` must have allowed it.
  package mutating func set(_ pin: PIN, at now: Int) {
    if let current { earlierPINs = [current.pin] + earlierPINs.prefix(Self.longestHistory - 1) }
    current = CurrentPIN(pin, setAt: now)
    failedAttempts = 0
    isResetRequired = false
    lastUnlock = now
  }
}

// MARK: - Publishers

/// A range of SDK versions. Apps share PINs only if their SDK versions are in the same range.
///
/// Source: Microsoft Learn, "App protection policies overview", setting a PIN twice on apps from the same publisher.
package enum PINGeneration: Int, Sendable, CaseIterable {
  /// SDK versions before 7.1.12, without passcodes: a PIN consists of digits.
  case numeric
  /// SDK versions from 7.1.12 to before 14.6.0.
  case passcode
  /// SDK versions from 14.6.0.
  case current

  /// Creates the generation of an SDK version; the current one if the version is unknown.
  package init(sdkVersion: Version?) {
    guard let sdkVersion else {
      self = .current
      return
    }
    self =
      sdkVersion < Version(7, 1, 12)
      ? .numeric : sdkVersion < Version(14, 6) ? .passcode : .current
  }
}

/// The access states of one publisher's apps, that is, of the apps signed by one team. There is one state for each
/// account and SDK generation.
///
/// A PIN belongs to the account that set it, and remains after the account has left. An account without a state uses
/// the state of another managed account in the same app, so the user is asked only once.
///
/// Sources: Microsoft Learn, "App protection policies overview", Intune PIN and a selective wipe; "Multiple managed
/// accounts for app protection policies".
package struct PublisherAccess: Sendable {
  package struct Entry: Sendable {
    package var account: Account
    package var generation: PINGeneration
    package var state: AccessState

    package init(account: Account, generation: PINGeneration, state: AccessState) {
      self.account = account
      self.generation = generation
      self.state = state
    }
  }

  /// An account that is about to be used in an app.
  package struct User {
    package var account: Account
    /// All managed accounts that are signed in to the app, in the order of their sign-ins.
    package var managedAccounts: [Account]
    package var generation: PINGeneration

    package init(_ account: Account, among managedAccounts: [Account], sdkVersion: Version?) {
      self.account = account
      self.managedAccounts = managedAccounts
      generation = PINGeneration(sdkVersion: sdkVersion)
    }
  }

  private struct Key: Hashable {
    /// The account's object id or, if that is unknown, its UPN. In lower case.
    var account: String
    var generation: PINGeneration

    init(_ account: Account, _ generation: PINGeneration) {
      self.account = (account.objectID ?? account.upn).lowercased()
      self.generation = generation
    }
  }

  /// The states, in the order of their creation. No state is ever removed.
  package private(set) var entries: [Entry] = []
  private var places: [Key: Int] = [:]

  package init(_ entries: [Entry] = []) {
    self.entries = entries
    for (place, entry) in entries.enumerated() {
      places[Key(entry.account, entry.generation)] = place
    }
  }

  package func state(of user: User) -> AccessState {
    place(of: user).map { entries[$0].state } ?? AccessState()
  }

  /// Calls `body` to change the state that applies to the user.
  ///
  /// - Returns: The index of the changed entry; nil if nothing changed.
  package mutating func update(_ user: User, _ body: (inout AccessState) -> Void) -> Int? {
    let place = place(of: user)
    let before = place.map { entries[$0].state } ?? AccessState()
    var state = before
    body(&state)
    guard state != before else { return nil }
    guard let place else {
      entries.append(Entry(account: user.account, generation: user.generation, state: state))
      places[Key(user.account, user.generation)] = entries.count - 1
      return entries.count - 1
    }
    entries[place].state = state
    return place
  }

  /// Moves an account's states to its new name. States that another account has under the new name move to the old
  /// name, so no name has two states.
  ///
  /// - Returns: The indices of the changed entries.
  package mutating func rename(_ account: Account, to new: Account) -> [Int] {
    PINGeneration.allCases.flatMap { generation in
      let (oldKey, newKey) = (Key(account, generation), Key(new, generation))
      guard let place = places.removeValue(forKey: oldKey) else { return [Int]() }
      let other = places.updateValue(place, forKey: newKey)
      entries[place].account = new
      guard let other else { return [place] }
      places[oldKey] = other
      entries[other].account = account
      return [place, other]
    }
  }

  /// Returns the index of the state that applies to the user; nil if there is none. If the account's own state is
  /// missing or empty, the first non-empty state of another managed account applies, if there is one.
  private func place(of user: User) -> Int? {
    let own = places[Key(user.account, user.generation)]
    if let own, entries[own].state != AccessState() { return own }
    let shared = user.managedAccounts.lazy.compactMap { places[Key($0, user.generation)] }
    return shared.first { entries[$0].state != AccessState() } ?? own
  }
}

// MARK: - PIN change

/// A request to set or change the app PIN.
package struct PINChange: Sendable {
  /// The policy of the account for which the app acts; nil if the account is unmanaged.
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

/// Returns the verdict on a request to set or change the PIN. If the verdict allows it, the caller then calls
/// ``AccessState/set(_:at:)``.
///
/// Source: Microsoft Learn, "Frequently asked questions about MAM and app protection", Is the PIN secure. A user signs
/// in before the PIN is set or reset.
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
