extension Action {
  /// An account that an app has the service enroll.
  public struct Enrollment: Sendable, Equatable {
    /// Name of a guest, or of an app for all its guests one after the other.
    public var guest: String
    /// Name of an account of the scenario; nil: the app names none.
    public var account: String?
    /// Whether the user may be asked for credentials.
    public var isLogin: Bool
  }

  public struct Unenrollment: Sendable, Equatable {
    public var guest: String
    /// Name of an account of the scenario.
    public var account: String
    /// Whether its data goes, too.
    public var wipes: Bool
  }

  /// An account that an app makes compliant with conditional access.
  public struct Remediation: Sendable, Equatable {
    public var guest: String
    /// Name of an account of the scenario.
    public var account: String
    /// Whether the user may not be asked for anything.
    public var isSilent: Bool
  }

  /// An access token that an app wants to have.
  public struct Token: Sendable, Equatable {
    public var guest: String
    /// Name of an account of the scenario.
    public var account: String
    /// Application id or URI of who is to take it.
    public var resource: String
    /// What the app declares that it can do; nil: what the scenario says of the app.
    public var capabilities: [String]?
  }

  /// The accounts of a conditional access policy from now on, all of them.
  public struct ConditionalAccessTargeting: Sendable, Equatable {
    /// Name of a conditional access policy of the scenario.
    public var policy: String
    /// Names of accounts; none: it is for nobody.
    public var accounts: [String]
  }
}

extension Action.Enrollment {
  var text: String {
    let who = account ?? "nobody"
    return isLogin ? "\(guest) has \(who) log in" : "\(guest) registers \(who)"
  }
}

extension Action.Unenrollment {
  var text: String { "\(guest) unenrolls \(account)\(wipes ? " with a wipe" : "")" }
}

extension Action.Remediation {
  var text: String { "\(guest) remediates \(account)\(isSilent ? " silently" : "")" }
}

extension Action.Token {
  var text: String { "\(guest) gets a token for \(resource) as \(account)" }
}

extension Action.ConditionalAccessTargeting {
  var text: String {
    let who = accounts.isEmpty ? "nobody" : accounts.joined(separator: " and ")
    return "the conditional access policy \(policy) is for \(who)"
  }
}
