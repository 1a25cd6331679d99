public import Model

/// The facts that decide whether a managed account may be used, at launch, at resume and at every switch
/// to it.
///
/// Source: Microsoft Learn, "iOS app protection policy settings", access requirements and conditional
/// launch.
public struct LaunchRequest: Sendable {
  /// The policy of the account that the app would act for; nil: the account is unmanaged.
  public var policy: EffectivePolicy?
  public var device: DevicePosture
  public var app: AppState
  /// `CFBundleShortVersionString`; nil: the app states none, which meets no minimum (assumed).
  public var appVersion: Version?
  public var account: AccountConditions
  /// The state of the PIN that the publisher's apps share, before this launch.
  public var access: AccessState
  public var offer: AccessOffer
  /// The time in seconds of the virtual clock, whose origin does not matter.
  public var now: Int

  /// Creates a request.
  public init(
    policy: EffectivePolicy?, device: DevicePosture, app: AppState, appVersion: Version? = nil,
    account: AccountConditions, access: AccessState = AccessState(),
    offer: AccessOffer = AccessOffer(), now: Int
  ) {
    self.policy = policy
    self.device = device
    self.app = app
    self.appVersion = appVersion
    self.account = account
    self.access = access
    self.offer = offer
    self.now = now
  }

  /// The seconds that passed since `time`; nil where that is nil, or ahead of the clock.
  func elapsed(since time: Int?) -> Int? {
    guard let time, time <= now else { return nil }
    let (seconds, overflows) = now.subtractingReportingOverflow(time)
    return overflows ? .max : seconds
  }
}

/// The facts about the account in the app that conditional launch checks.
public struct AccountConditions: Sendable, Hashable {
  /// Whether the directory is known to have disabled the account.
  public var isDisabled: Bool
  /// Whether the account is outside its working time.
  public var isClockedOut: Bool
  /// The time of the last successful check-in of this app for this account; nil: there was none. Each app counts its own
  /// grace period.
  ///
  /// Source: ms-intune-app-sdk-ios, issue 338.
  public var lastCheckIn: Int?
  /// Whether a check-in that may end the grace period's lock is still to come. The account is not wiped before.
  public var awaitsCheckIn: Bool

  /// Creates the conditions of an account.
  public init(
    isDisabled: Bool = false, isClockedOut: Bool = false, lastCheckIn: Int?,
    awaitsCheckIn: Bool = false
  ) {
    self.isDisabled = isDisabled
    self.isClockedOut = isClockedOut
    self.lastCheckIn = lastCheckIn
    self.awaitsCheckIn = awaitsCheckIn
  }
}

/// The user's answer at the prompt.
public struct AccessOffer: Sendable, Hashable {
  /// The user's attempt to unlock the app.
  public enum Unlock: Sendable, Hashable {
    case nothing
    case pin(PIN)
    /// The device recognised a finger or a face.
    case biometrics
  }

  public var unlock: Unlock
  /// Whether the user signed in with the work or school account, successfully.
  public var hasSignedIn: Bool

  /// Creates an answer.
  public init(_ unlock: Unlock = .nothing, hasSignedIn: Bool = false) {
    self.unlock = unlock
    self.hasSignedIn = hasSignedIn
  }
}
