package import Model

/// The facts that decide whether a managed account may be used, at launch, at resume and at every switch
/// to it.
///
/// Source: Microsoft Learn, "iOS app protection policy settings", access requirements and conditional
/// launch.
package struct LaunchRequest: Sendable {
  /// The policy of the account that the app would act for; nil: the account is unmanaged.
  package var policy: EffectivePolicy?
  package var device: DevicePosture
  package var app: AppState
  /// `CFBundleShortVersionString`; nil: the app states none, which meets no minimum (assumed).
  package var appVersion: Version?
  package var account: AccountConditions
  /// The state of the PIN that the publisher's apps share, before this launch.
  package var access: AccessState
  package var offer: AccessOffer
  /// The time in seconds of the virtual clock, whose origin does not matter.
  package var now: Int

  /// Creates a request.
  package init(
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
package struct AccountConditions: Sendable, Hashable {
  /// Whether the directory is known to have disabled the account.
  package var isDisabled: Bool
  /// Whether the account is outside its working time.
  package var isClockedOut: Bool
  /// The time of the last successful check-in of this app for this account; nil: there was none. Each app counts its own
  /// grace period.
  ///
  /// Source: ms-intune-app-sdk-ios, issue 338.
  package var lastCheckIn: Int?
  /// Whether a check-in that may end the grace period's lock is still to come. The account is not wiped before.
  package var awaitsCheckIn: Bool

  /// Creates the conditions of an account.
  package init(
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
package struct AccessOffer: Sendable, Hashable {
  /// The user's attempt to unlock the app.
  package enum Unlock: Sendable, Hashable {
    case nothing
    case pin(PIN)
    /// The device recognised a finger or a face.
    case biometrics
  }

  package var unlock: Unlock
  /// Whether the user signed in with the work or school account, successfully.
  package var hasSignedIn: Bool

  /// Creates an answer.
  package init(_ unlock: Unlock = .nothing, hasSignedIn: Bool = false) {
    self.unlock = unlock
    self.hasSignedIn = hasSignedIn
  }
}

// MARK: - Actions and prompts

/// The action of an app on the conditions that an account's policy sets, the mildest first.
package enum LaunchAction: String, Sendable, CaseIterable, Comparable {
  case none
  /// The user sees a notification and goes on.
  case warn
  /// The account's data stays closed.
  case block
  /// The account's data is removed from the app.
  case wipe

  package static func < (left: LaunchAction, right: LaunchAction) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    switch self {
    case .none: 0
    case .warn: 1
    case .block: 2
    case .wipe: 3
    }
  }
}

/// A request of an app to its user before it opens an account's data.
package enum LaunchPrompt: String, Sendable, CaseIterable {
  /// The PIN, or biometrics where they are allowed.
  case unlock
  /// A new PIN, after a sign-in with the work or school account.
  case newPIN
  /// The work or school account's credentials.
  case credentials

  /// The rules that the user's answer can satisfy.
  fileprivate var rules: [Rule] {
    switch self {
    case .unlock:
      [.pinAsked, .pinWrong, .biometricsUnavailable, .biometricsBlocked, .biometricsTimedOut]
    case .newPIN:
      [.pinNotSet, .pinResetRequired, .pinExpired, .pinOutdated, .pinRetriesExceededResets]
    case .credentials: [.credentialsAsked]
    }
  }
}

extension Rule {
  /// The action of an app where the rule applies at a launch.
  package var launchAction: LaunchAction {
    switch consequence {
    case .allows: .none
    case .warns: .warn
    case .encrypts, .blocks: .block
    case .wipes: .wipe
    }
  }

  /// The request to the user by which the rule can be satisfied at once; nil: there is none, or none is needed.
  var launchPrompt: LaunchPrompt? {
    LaunchPrompt.allCases.first { $0.rules.contains(self) }
  }
}

extension Verdict {
  /// The strictest action among the reasons of a launch.
  package var launchAction: LaunchAction {
    reasons.reduce(.none) { max($0, $1.rule.launchAction) }
  }

  /// Whether the account's offline grace period is over; only a check-in then unlocks it.
  package var isOfflineGraceOver: Bool {
    reasons.contains { $0.rule == .offlineGraceBlocks || $0.rule == .offlineGraceWipes }
  }

  /// The requests of the app to its user, in order; empty where it opens, or where no answer would open it.
  package var launchPrompts: [LaunchPrompt] { reasons.compactMap(\.rule.launchPrompt) }
}
