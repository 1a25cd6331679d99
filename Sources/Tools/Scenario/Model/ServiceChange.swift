internal import Encodings
public import Transfer

/// What a scenario says of the service that enrolls accounts; nil leaves it as it is.
public struct ServiceChange: Sendable, Equatable {
  public var isReachable: Bool?
  /// Seconds until it answers.
  public var delay: Int?
  /// Whether apps start anew for their first policy.
  public var restartsApps: Bool?
  /// Whether enrolled apps hear at once of another policy.
  public var pushesPolicies: Bool?
  /// The only account that may be enrolled, as MDM, a third-party MDM, or the device has it; unset: any may.
  public var mdmUser: IdentityReference?
  public var emmAccount: IdentityReference?
  public var deviceAccount: IdentityReference?
  /// By the names of accounts.
  public var users: [String: User] = [:]

  /// What is so of one account.
  public struct User: Sendable, Equatable {
    public var isLicensed: Bool?
    /// Whether the account has to sign in before the SDK can speak for it.
    public var needsCredentials: Bool?
    /// Whether the user gives up when asked for them.
    public var cancelsLogin: Bool?
    /// Whether its data is to be removed from the next app that asks.
    public var isWiped: Bool?
    public var answer: Answer?

    public init() {}
  }

  /// What the service answers.
  public enum Answer: Sendable, Equatable {
    /// What follows from all else.
    case regular
    /// A status of 200 and above.
    case failure(EnrollmentStatus)
  }

  public init() {}

  /// Whether nothing is said.
  var isEmpty: Bool { self == ServiceChange() }

  /// In one line: `unreachable, answers after PT10S`.
  var text: String {
    var parts: [String] = []
    if let isReachable { parts.append(isReachable ? "reachable" : "unreachable") }
    if let delay { parts.append("answering after \(ISODuration.text(delay))") }
    if let restartsApps {
      parts.append(restartsApps ? "starting apps anew" : "starting no app anew")
    }
    if let pushesPolicies {
      parts.append(
        pushesPolicies ? "telling of policies at once" : "telling of policies when asked")
    }
    for (noun, account) in [("MDM", mdmUser), ("EMM", emmAccount), ("device", deviceAccount)] {
      if let account { parts.append("of the \(noun) account \(account.text)") }
    }
    for (name, user) in users.sorted(by: { $0.key < $1.key }) {
      parts.append("\(name) \(user.text)")
    }
    return parts.joined(separator: ", ")
  }
}

extension ServiceChange.User {
  fileprivate var text: String {
    var parts: [String] = []
    if let isLicensed { parts.append(isLicensed ? "licensed" : "not licensed") }
    if let needsCredentials {
      parts.append(needsCredentials ? "without credentials" : "with credentials")
    }
    if let cancelsLogin { parts.append(cancelsLogin ? "cancelling" : "signing in") }
    if let isWiped { parts.append(isWiped ? "to be wiped" : "not to be wiped") }
    switch answer {
    case nil: break
    case .regular?: parts.append("answered regularly")
    case .failure(let status)?: parts.append("answered \(status.name)")
    }
    return parts.joined(separator: " and ")
  }
}
