public import Model

/// A user who sets an app PIN, for the first time or anew.
public struct PINChange: Sendable {
  /// The policy of the account that the app acts for; nil: unmanaged.
  public var policy: EffectivePolicy?
  public var pin: PIN
  /// Whether the user signed in with the work or school account just before.
  public var hasSignedIn: Bool
  /// Before the change.
  public var access: AccessState

  public init(policy: EffectivePolicy?, pin: PIN, hasSignedIn: Bool, access: AccessState) {
    self.policy = policy
    self.pin = pin
    self.hasSignedIn = hasSignedIn
    self.access = access
  }
}

/// Whether the PIN may be set. Where it may, ``AccessState/set(_:at:)`` sets it.
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
