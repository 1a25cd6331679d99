package import Model

/// The facts on which a launch decision depends. The decision is made at launch, at resume and at every switch to a
/// managed account.
///
/// Source: Microsoft Learn, "iOS app protection policy settings", access requirements and conditional launch.
package struct LaunchRequest: Sendable {
  /// The policy of the account that is about to be used; nil if the account is unmanaged.
  package var policy: EffectivePolicy?
  package var device: DevicePosture
  package var app: AppState
  /// The app's `CFBundleShortVersionString`; nil if it has none. An app without a version is below every minimum
  /// (assumed).
  package var appVersion: Version?
  package var account: AccountConditions
  /// The state of the PIN that the publisher's apps share, before this launch.
  package var access: AccessState
  package var offer: AccessOffer
  /// The current time of the virtual clock, in seconds. The clock's origin is arbitrary, but the same for all times.
  package var now: Int

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

  /// Returns the seconds since `time`; nil if `time` is nil or in the future.
  func elapsed(since time: Int?) -> Int? {
    guard let time, time <= now else { return nil }
    let (seconds, overflows) = now.subtractingReportingOverflow(time)
    return overflows ? .max : seconds
  }
}

/// The facts about an account in an app that conditional launch checks.
package struct AccountConditions: Sendable, Hashable {
  /// Whether it is known that the directory has disabled the account.
  package var isDisabled: Bool
  /// Whether the account is outside its working time.
  package var isClockedOut: Bool
  /// The time of the app's last successful check-in for the account; nil if there was none. Each app has its own
  /// offline grace period, which its extensions share.
  ///
  /// Source: ms-intune-app-sdk-ios, issue 338.
  package var lastCheckIn: Int?
  /// Whether a check-in may still succeed: one is in progress, or the user must first connect or sign in. If so, an
  /// account whose grace period is over is blocked but not wiped.
  package var awaitsCheckIn: Bool

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

/// What the user has entered or done at the prompt.
package struct AccessOffer: Sendable, Hashable {
  package enum Unlock: Sendable, Hashable {
    case nothing
    case pin(PIN)
    /// The device recognised a finger or a face.
    case biometrics
  }

  package var unlock: Unlock
  /// Whether the user successfully signed in with the work or school account.
  package var hasSignedIn: Bool

  package init(_ unlock: Unlock = .nothing, hasSignedIn: Bool = false) {
    self.unlock = unlock
    self.hasSignedIn = hasSignedIn
  }
}

// MARK: - Actions and prompts

/// The action that an app takes when the user opens an account's data, from mildest to strictest.
package enum LaunchAction: String, Sendable, CaseIterable, Comparable {
  case none
  /// The app shows a warning, and the user can continue.
  case warn
  /// The account's data stays inaccessible.
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

/// A prompt that an app shows before it opens an account's data.
package enum LaunchPrompt: String, Sendable, CaseIterable {
  /// A prompt for the PIN, or for biometrics if they are allowed.
  case unlock
  /// A prompt for a new PIN. The user first signs in with the work or school account.
  case newPIN
  /// A prompt for the credentials of the work or school account.
  case credentials

  /// The rules that cause the prompt. The user's response can lift them.
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
  /// The action that the app takes if the rule applies at launch.
  package var launchAction: LaunchAction {
    switch consequence {
    case .allows: .none
    case .warns: .warn
    case .encrypts, .blocks: .block
    case .wipes: .wipe
    }
  }

  /// The prompt by which the user can lift the rule immediately. Nil if there is none, or if the rule blocks nothing.
  var launchPrompt: LaunchPrompt? {
    LaunchPrompt.allCases.first { $0.rules.contains(self) }
  }
}

extension Verdict {
  /// The app's action on the launch: the strictest one among the verdict's reasons.
  package var launchAction: LaunchAction {
    reasons.reduce(.none) { max($0, $1.rule.launchAction) }
  }

  /// Whether the account is inaccessible because its offline grace period is over. Only a check-in then unlocks it.
  package var isOfflineGraceOver: Bool {
    reasons.contains { $0.rule == .offlineGraceBlocks || $0.rule == .offlineGraceWipes }
  }

  /// The prompts to show, in the order of the verdict's reasons. Empty if the account opens without a prompt, or if no
  /// response would open it.
  package var launchPrompts: [LaunchPrompt] { reasons.compactMap(\.rule.launchPrompt) }
}
