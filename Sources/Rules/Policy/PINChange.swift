public import Model

/// A user's change of the app PIN, for the first time or anew.
public struct PINChange: Sendable {
  /// The policy of the account that the app acts for; nil: the account is unmanaged.
  public var policy: EffectivePolicy?
  public var pin: PIN
  /// Whether the user signed in with the work or school account just before.
  public var hasSignedIn: Bool
  /// The state of the PIN before the change.
  public var access: AccessState

  /// Creates a change.
  public init(policy: EffectivePolicy?, pin: PIN, hasSignedIn: Bool, access: AccessState) {
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
public func evaluatePINChange(_ change: PINChange) -> Verdict {
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
