public import Model

/// The action of an app on the conditions that an account's policy sets, the mildest first.
public enum LaunchAction: String, Sendable, CaseIterable, Comparable {
  case none
  /// The user sees a notification and goes on.
  case warn
  /// The account's data stays closed.
  case block
  /// The account's data is removed from the app.
  case wipe

  public static func < (left: LaunchAction, right: LaunchAction) -> Bool {
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
public enum LaunchPrompt: String, Sendable, CaseIterable {
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
  public var launchAction: LaunchAction {
    switch consequence {
    case .allows: .none
    case .warns: .warn
    case .encrypts, .blocks: .block
    case .wipes: .wipe
    }
  }

  /// The request to the user by which the rule can be satisfied at once; nil: there is none, or none is needed.
  public var launchPrompt: LaunchPrompt? {
    LaunchPrompt.allCases.first { $0.rules.contains(self) }
  }
}

extension Verdict {
  /// The strictest action among the reasons of a launch.
  public var launchAction: LaunchAction {
    reasons.reduce(.none) { max($0, $1.rule.launchAction) }
  }

  /// Whether the account's offline grace period is over; only a check-in then unlocks it.
  public var isOfflineGraceOver: Bool {
    reasons.contains { $0.rule == .offlineGraceBlocks || $0.rule == .offlineGraceWipes }
  }

  /// The requests of the app to its user, in order; empty where it opens, or where no answer would open it.
  public var launchPrompts: [LaunchPrompt] { reasons.compactMap(\.rule.launchPrompt) }
}
