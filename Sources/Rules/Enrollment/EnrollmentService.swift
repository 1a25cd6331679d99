package import Model

/// The service that enrolls accounts, as far as a device notices it.
package struct EnrollmentService: Sendable, Equatable {
  /// The number of seconds after which the SDK gives up waiting (**assumed**: `docs/ASSUMPTIONS.md`, enrollment).
  package static let timeout = 60

  /// Whether the device reaches the service, where the device is online.
  package var isReachable = true
  /// The number of seconds until the service answers, 0 or more.
  package var delay = 0
  /// The number of requests that the service answers in a minute, of all devices; nil: any number. It turns the others away
  /// (HTTP 429).
  package var requestsPerMinute: Int?
  /// Whether an app restarts for its first policy, as on a phone unless the SDK's hooks are active from its start.
  package var restartsApps = false
  /// Whether enrolled apps are told at once of a changed policy, and not when they ask next.
  package var pushesPolicies = true
  /// The object id or UPN, in lower case, of the only account that may be enrolled; nil: any account may be.
  package var mdmUser: String?
  package var emmAccount: String?
  package var deviceAccount: String?
  /// The facts about single accounts.
  private var users: [KnownUser] = []

  /// An account and the facts about it. An account that has another name now is known by its object id.
  private struct KnownUser: Sendable, Equatable {
    var account: Account
    var user: User

    static func == (one: Self, other: Self) -> Bool {
      one.account.isSame(as: other.account) && one.user == other.user
    }
  }

  /// The service's facts about an account, and the behaviour of its user.
  package struct User: Sendable, Equatable {
    package var isLicensed = true
    /// Whether the account has to sign in before the SDK can speak for it.
    package var needsCredentials = false
    /// Whether the user gives up when asked for credentials.
    package var cancelsLogin = false
    /// Whether the account's data is to be removed from the next app that asks.
    package var isWiped = false
    /// The status that the service answers once no credentials are missing; nil: the answer follows from other facts.
    package var status: EnrollmentStatus?

    /// Creates a licensed user.
    package init() {}
  }

  /// Creates a service that answers at once.
  package init() {}

  package subscript(account: Account) -> User {
    get { users.first { $0.account.isSame(as: account) }?.user ?? User() }
    set {
      let index = users.firstIndex { $0.account.isSame(as: account) }
      switch (index, newValue == User()) {
      case (nil, true): break
      case (nil, false): users.append(KnownUser(account: account, user: newValue))
      case (let index?, true): users.remove(at: index)
      case (let index?, false): users[index].user = newValue
      }
    }
  }

  /// Knows the account by its new name from now on. Whoever gets the former name is another account.
  package mutating func rename(_ account: Account, to new: Account) {
    for index in users.indices where users[index].account.isSame(as: account) {
      users[index].account = new
    }
  }

  /// The facts with which the SDK asks the service.
  package struct Question: Sendable {
    package var account: Account
    package var request: AccountEnrollment.Request
    /// The names of the policies and configurations that are targeted at the account in the app; nil: none is.
    package var revision: TargetedRevision?
    /// Whether no policy has applied in the app before.
    package var isFirstPolicy: Bool
    /// Whether the SDK's hooks are active in the app from its start, so its first policy needs no restart.
    package var isHooked = false
    /// Whether MDM's user is another account, and the only one that can be enrolled in the app.
    package var isOtherUser = false
    /// Whether the app has a managed account, and accepts no second one.
    package var isTaken: Bool
    package var isDeviceOnline: Bool
    /// Whether the service has not turned the request away.
    package var isAdmitted = true

    /// Creates a question.
    package init(
      account: Account, request: AccountEnrollment.Request, revision: TargetedRevision? = nil,
      isFirstPolicy: Bool = true, isTaken: Bool = false, isDeviceOnline: Bool = true
    ) {
      self.account = account
      self.request = request
      self.revision = revision
      self.isFirstPolicy = isFirstPolicy
      self.isTaken = isTaken
      self.isDeviceOnline = isDeviceOnline
    }
  }

  /// The answer that is due after ``delay``, or at once where the network reports that the service is unreachable.
  package func answer(to question: Question) -> ServiceAnswer {
    if let status = statusWithoutAsking(question) { return .unasked(status) }
    guard question.isDeviceOnline, isReachable, question.isAdmitted else {
      return .failure(
        question.request == .policy
          ? .policyEndPointNetworkFailure : .enrollmentEndPointNetworkFailure)
    }
    guard delay <= Self.timeout else { return .failure(.timeout) }
    let user = self[question.account]
    if let refusal = refusal(of: user, question) { return .failure(refusal) }
    if user.isWiped { return .wipe }
    guard let revision = question.revision else { return .notTargeted }
    guard !question.isTaken else { return .failure(.singleManagedAccountMode) }
    return .policies(revision: revision, needsRestart: needsRestart(for: question))
  }

  /// Whether the app restarts before what is targeted applies.
  ///
  /// Source: ms-intune-app-sdk-ios, issue 561: the SDK's hooks take effect with a restart; none occurs in an app where
  /// they are active from the start.
  package func needsRestart(for question: Question) -> Bool {
    restartsApps && question.isFirstPolicy && !question.isHooked
      && question.revision?.policies != nil
  }

  /// The status that the SDK gives by itself, at once; nil: it asks the service.
  ///
  /// Without the account's credentials the SDK has no token for the service.
  package func statusWithoutAsking(_ question: Question) -> EnrollmentStatus? {
    if question.isOtherUser { return .mdmEnrolledDifferentUser }
    guard question.isDeviceOnline, isReachable, self[question.account].needsCredentials else {
      return nil
    }
    guard question.request == .login else { return .authRequired }
    return self[question.account].cancelsLogin ? .loginCanceled : nil
  }

  private func refusal(of user: User, _ question: Question) -> EnrollmentStatus? {
    if let status = user.status { return status }
    if let emmAccount, !question.account.isNamed(emmAccount) { return .notEmmAccount }
    if let mdmUser, !question.account.isNamed(mdmUser) { return .mdmEnrolledDifferentUser }
    if let deviceAccount, !question.account.isNamed(deviceAccount) { return .notDeviceAccount }
    return user.isLicensed ? nil : .accountNotLicensed
  }

  /// The number of seconds until the answer comes or the SDK gives up; 0 where the network reports at once that the
  /// service is unreachable.
  package func wait(isDeviceOnline: Bool) -> Int {
    isDeviceOnline && isReachable ? min(delay, Self.timeout) : 0
  }
}

// MARK: - Answers

/// The service's answer to a request about one account in one app.
package enum ServiceAnswer: Sendable, Equatable {
  /// Policies or configurations are targeted at the account, and `revision` names them. `needsRestart`: no policy
  /// applied in the app before, and the app has to restart.
  case policies(revision: TargetedRevision, needsRestart: Bool)
  /// The account is licensed, and neither a policy nor a configuration is targeted at it.
  case notTargeted
  /// The account's data is to be removed.
  case wipe
  /// A status of 200 and above.
  case failure(EnrollmentStatus)
  /// A status that the SDK gives by itself. The service was not asked, so this is no contact with it.
  case unasked(EnrollmentStatus)
}

/// The names of what the service has for an account in an app, at least one.
///
/// An app configuration alone enrolls an account, and protects nothing. Sources: ms-intune-app-sdk-ios, issue 281;
/// ms-intune-app-sdk-android, issue 173; MicrosoftDocs/IntuneDocs, pull requests 2634 and 3218. In Microsoft Graph both are
/// a `managedAppPolicy`.
package struct TargetedRevision: Sendable, Equatable {
  /// The names of the app protection policies, as one text; nil: none is targeted.
  package let policies: String?
  /// The names of the app configurations, as one text; nil: none is targeted.
  package let configurations: String?

  /// The revision of what is targeted; nil where nothing is.
  package init?(policies: String?, configurations: String? = nil) {
    guard policies != nil || configurations != nil else { return nil }
    self.policies = policies
    self.configurations = configurations
  }
}

extension TargetedRevision: ExpressibleByStringLiteral {
  /// The revision of app protection policies alone.
  package init(stringLiteral policies: String) {
    self.policies = policies
    configurations = nil
  }
}

// MARK: - Load

/// The requests that the service has answered, of all devices that ask it.
package final class ServiceLoad {
  /// The minute that is counted, and the requests in it.
  private var minute = Int.min
  private var count = 0

  /// Creates a service that nobody has asked.
  package init() {}

  /// Takes a request, unless the service has answered as many in this minute as it answers.
  ///
  /// - Parameters:
  ///   - time: the present time, in seconds since 1970-01-01T00:00:00Z.
  ///   - limit: the requests that the service answers in a minute of the clock; nil: any number.
  /// - Returns: whether the request is answered.
  package func admits(at time: Int, limit: Int?) -> Bool {
    guard let limit else { return true }
    // The devices of an organisation advance one after the other: one that lags counts in the present minute.
    if time / 60 > minute { (minute, count) = (time / 60, 0) }
    guard count < limit else { return false }
    count += 1
    return true
  }
}
