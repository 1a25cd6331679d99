internal import Encodings
package import Model

/// A change to the enrollment service. A property that is nil stays unchanged.
package struct ServiceChange: StepDetail {
  package var isReachable: Bool?
  /// The service's delay before it answers, in seconds; nil for no change.
  package var delay: Int?
  /// The number of requests that the service answers per minute, for all devices together; nil for no change.
  package var capacity: Capacity?
  /// Whether apps restart in order to apply their first policy; nil for no change.
  package var restartsApps: Bool?
  /// Whether enrolled apps are notified immediately when their policies change; nil for no change.
  package var pushesPolicies: Bool?
  /// The user for whom MDM enrolled the device, and so the only account that may be enrolled; `unset` for any account.
  /// Likewise, ``emmAccount`` is the only account that a third-party MDM accepts, and ``deviceAccount`` the only one
  /// that the device accepts.
  package var mdmUser: IdentityReference?
  package var emmAccount: IdentityReference?
  package var deviceAccount: IdentityReference?
  /// Changes to single accounts, keyed by account name.
  package var users: [String: User] = [:]

  package enum Capacity: Sendable, Equatable {
    case unlimited
    /// A fixed number of requests, at least 1.
    case requests(Int)
  }

  /// A change that applies to one account.
  package struct User: Sendable, Equatable {
    package var isLicensed: Bool?
    /// Whether the account must sign in before the SDK can act for it; nil for no change.
    package var needsCredentials: Bool?
    /// Whether the user cancels when prompted for credentials; nil for no change.
    package var cancelsLogin: Bool?
    /// Whether every app that checks in must wipe the account's data; nil for no change.
    package var isWiped: Bool?
    package var answer: Answer?

    package init() {}
  }

  package enum Answer: Sendable, Equatable {
    /// The answer that the other properties determine.
    case regular
    /// A failure, with a status of at least 200.
    case failure(EnrollmentStatus)
  }

  package init() {}

  var isEmpty: Bool { self == ServiceChange() }

  package var concernsEachDevice: Bool { true }

  /// The change as clauses, such as `the service cannot be reached and answers after PT10S; anna is not licensed`.
  package var text: String {
    let service = words.isEmpty ? [] : ["the service \(words.joined(separator: " and "))"]
    let accounts = users.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text)" }
    return (service + accounts).joined(separator: "; ")
  }

  /// The change to the service as verb phrases.
  private var words: [String] {
    var words: [String] = []
    if let isReachable { words.append(isReachable ? "can be reached" : "cannot be reached") }
    if let delay { words.append("answers after \(ISODuration.text(delay))") }
    switch capacity {
    case nil: break
    case .unlimited?: words.append("answers any number of requests")
    case .requests(let count)?: words.append("answers \(count) requests a minute")
    }
    if let restartsApps {
      words.append("\(restartsApps ? "restarts" : "does not restart") apps for their first policy")
    }
    if let pushesPolicies {
      words.append(
        "notifies apps of policies \(pushesPolicies ? "immediately" : "when they check in")")
    }
    for (noun, account) in [
      ("MDM user", mdmUser), ("EMM account", emmAccount), ("device account", deviceAccount),
    ] {
      switch account {
      case nil: break
      case .account(let name)?: words.append("has \(name) as the \(noun)")
      case .unset?, .unknown?: words.append("has no \(noun)")
      }
    }
    return words
  }
}

extension ServiceChange.User {
  fileprivate var text: String {
    var parts: [String] = []
    if let isLicensed { parts.append(isLicensed ? "is licensed" : "is not licensed") }
    if let needsCredentials {
      parts.append(needsCredentials ? "has to sign in" : "need not sign in")
    }
    if let cancelsLogin {
      parts.append(cancelsLogin ? "cancels the sign-in" : "completes the sign-in")
    }
    if let isWiped {
      parts.append(isWiped ? "has its data wiped at every check-in" : "keeps its data")
    }
    switch answer {
    case nil: break
    case .regular?: parts.append("gets the regular answer")
    case .failure(let status)?: parts.append("gets the answer \(status.name)")
    }
    return parts.isEmpty ? "stays the same" : parts.joined(separator: " and ")
  }
}

extension ServiceChange {
  static let step = StepRow(
    "service",
    "Change the behaviour of the service that enrolls accounts",
    .mapping(
      MappingRow(
        "service", Key.self,
        "The service that enrolls accounts; an omitted key stays as it is",
        where: #""minProperties": 1"#)),
    example: #"{"reachable": false}"#
  ) { (value, names) throws(InputError) in .change(.service(try ServiceChange(value, names))) }

  static let userMapping = MappingRow(
    "serviceAccount", UserKey.self,
    "An account's state at the service, and its user's actions; an omitted key stays as it is")

  private enum Key: String, MappingKey {
    case reachable, delay, requestsPerMinute, restartsApps, pushesPolicies, mdmUser, emmAccount,
      deviceAccount
    case accounts

    var row: KeyRow {
      switch self {
      case .reachable: .optional(.flag, "Whether an online device reaches it. Initially true")
      case .delay:
        .optional(
          .duration,
          "The time until it answers, as an ISO 8601 duration; the SDK waits for a minute. Initially PT0S"
        )
      case .requestsPerMinute:
        .optional(
          .init(json: #""anyOf": [{"type": "integer", "minimum": 1}, {"const": "unlimited"}]"#),
          "The number of requests of all devices that it answers per minute, up to 1,000,000; "
            + "it rejects the others, and the SDK asks again later. Initially unlimited"
        )
      case .restartsApps:
        .optional(
          .flag,
          "Whether an app restarts for its first policy, unless the SDK's hooks are active from its start. Initially false"
        )
      case .pushesPolicies:
        .optional(
          .flag,
          "Whether enrolled apps get a changed policy immediately, not at their next check-in. Initially true"
        )
      case .mdmUser:
        .optional(
          .name,
          "The account for which MDM enrolled the device, the only one that can enroll; unset: any can"
        )
      case .emmAccount:
        .optional(
          .name, "The account that a third-party MDM names, as the only one that can enroll")
      case .deviceAccount:
        .optional(.name, "The account that the device belongs to, as the only one that can enroll")
      case .accounts:
        .optional(
          .mapping(to: .reference("serviceAccount")), "Settings of single accounts, by name")
      }
    }
  }

  private enum UserKey: String, MappingKey {
    case licensed, credentials, login, wipe, answer

    var row: KeyRow {
      switch self {
      case .licensed: .optional(.flag, "Whether the account is licensed")
      case .credentials:
        .optional(
          .word(of: Credentials.self),
          "Whether the SDK has the account's credentials, or its user must sign in first")
      case .login:
        .optional(.word(of: Login.self), "The user's response to a request for credentials")
      case .wipe:
        .optional(
          .flag,
          "Whether the user is on the list of user-level wipes: every app that checks in must remove the account's data"
        )
      case .answer:
        .optional(
          .word(of: Answer.allCases.map(\.name)),
          "The service's answer; regular: as the other keys imply")
      }
    }
  }

  private enum Credentials: String, CaseIterable {
    case cached, needed
  }

  private enum Login: String, CaseIterable {
    case succeeds, cancelled
  }

  init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "the service")
    self.init()
    isReachable = try fields[.reachable]?.bool()
    if let value = fields[.delay] {
      delay = try value.text() == "PT0S" ? 0 : try Action.Advance.seconds(value)
    }
    if let value = fields[.requestsPerMinute] {
      capacity =
        try value.text() == "unlimited"
        ? .unlimited : .requests(value.int(in: 1...Self.mostRequests))
    }
    restartsApps = try fields[.restartsApps]?.bool()
    pushesPolicies = try fields[.pushesPolicies]?.bool()
    mdmUser = try Self.account(fields[.mdmUser], names)
    emmAccount = try Self.account(fields[.emmAccount], names)
    deviceAccount = try Self.account(fields[.deviceAccount], names)
    for member in try fields[.accounts]?.mapping() ?? [] {
      guard names.accounts.contains(member.key) else {
        throw InputError(
          .unknownName, at: member.position,
          "no account is called `\(member.key)`"
            + Wording.hint(for: member.key, among: names.accounts.inOrder))
      }
      users[member.key] = try User(member.value)
    }
    guard !isEmpty else {
      throw value.mistake(.missingKey, "the step contains no change of the service")
    }
  }

  private static let mostRequests = 1_000_000

  /// Reads an account or `unset`; nil if there is no value.
  private static func account(
    _ value: YAMLValue?, _ names: Names
  ) throws(InputError) -> IdentityReference? {
    guard let value else { return nil }
    if try value.text() == "unset" { return .unset }
    return .account(try names.account(value))
  }
}

extension ServiceChange.User {
  fileprivate init(_ value: YAMLValue) throws(InputError) {
    let fields = try Fields<ServiceChange.UserKey>(value, "an account of the service")
    self.init()
    isLicensed = try fields[.licensed]?.bool()
    let credentials: ServiceChange.Credentials? = try fields[.credentials]?.word()
    needsCredentials = credentials.map { $0 == .needed }
    let login: ServiceChange.Login? = try fields[.login]?.word()
    cancelsLogin = login.map { $0 == .cancelled }
    isWiped = try fields[.wipe]?.bool()
    if let value = fields[.answer] { answer = try Self.answer(value) }
  }

  private static func answer(_ value: YAMLValue) throws(InputError) -> ServiceChange.Answer {
    try value.choice(
      of: ServiceChange.Answer.allCases, named: \.name, listedIn: "docs/enrollment.md")
  }
}

extension ServiceChange.Answer {
  static let allCases =
    [.regular]
    + EnrollmentStatus.allCases.filter { !$0.isSuccess }.map(ServiceChange.Answer.failure)

  var name: String {
    switch self {
    case .regular: "regular"
    case .failure(let status): status.name
    }
  }
}
