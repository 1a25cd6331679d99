package import Model

/// The enrollment service as seen by a device.
package struct EnrollmentService: Sendable, Equatable {
  /// The time after which the SDK stops waiting for an answer, in seconds (**assumed**: `docs/ASSUMPTIONS.md`,
  /// enrollment).
  package static let timeout = 60

  /// Whether devices with a network connection can reach the service.
  package var isReachable = true
  /// The time until the service answers, in seconds; 0 or more.
  package var delay = 0
  /// The maximum number of requests per minute from all devices together; nil for no limit. Further requests fail (HTTP
  /// 429).
  package var requestsPerMinute: Int?
  /// Whether an app must restart before its first policy applies. Apps on phones must, unless the SDK's hooks are
  /// active from launch.
  package var restartsApps = false
  /// Whether changed policies reach enrolled apps immediately. If not, apps receive them with their next request.
  package var pushesPolicies = true
  /// The only account that may be enrolled, as an object id or UPN in any casing; nil for any account.
  package var mdmUser: String?
  package var emmAccount: String?
  package var deviceAccount: String?
  private var users: [KnownUser] = []

  /// An account, and the data that the service has about it. Accounts are compared by object id, so a renamed account
  /// counts as the same.
  private struct KnownUser: Sendable, Equatable {
    var account: Account
    var user: User

    static func == (one: Self, other: Self) -> Bool {
      one.account.isSameUser(as: other.account) && one.user == other.user
    }
  }

  /// The service's data about an account, and the behaviour of the account's user.
  package struct User: Sendable, Equatable {
    package var isLicensed = true
    /// Whether the SDK has no credentials for the account until the user signs in.
    package var needsCredentials = false
    /// Whether the user cancels when prompted for credentials.
    package var cancelsLogin = false
    /// Whether the administrator has requested a wipe for the user. If so, each app that sends a request must remove
    /// the account's data.
    ///
    /// Source: Microsoft Learn, "How to wipe only corporate data from Intune-managed apps".
    package var isWiped = false
    /// The status with which every request with credentials fails; nil if the other properties determine the answer.
    package var status: EnrollmentStatus?

    package init() {}
  }

  package init() {}

  package subscript(account: Account) -> User {
    get { users.first { $0.account.isSameUser(as: account) }?.user ?? User() }
    set {
      let index = users.firstIndex { $0.account.isSameUser(as: account) }
      switch (index, newValue == User()) {
      case (nil, true): break
      case (nil, false): users.append(KnownUser(account: account, user: newValue))
      case (let index?, true): users.remove(at: index)
      case (let index?, false): users[index].user = newValue
      }
    }
  }

  /// Renames an account. An account that gets the old name later is a different account.
  package mutating func rename(_ account: Account, to new: Account) {
    for index in users.indices where users[index].account.isSameUser(as: account) {
      users[index].account = new
    }
  }

  /// A request from the SDK to the service, with all facts that affect the answer.
  package struct Question: Sendable {
    package var account: Account
    package var request: AccountEnrollment.RequestKind
    /// The policies and configurations that are targeted at the account in the app; nil if there are none.
    package var revision: TargetedRevision?
    /// Whether no policy has applied in the app so far.
    package var isFirstPolicy: Bool
    /// Whether the SDK's hooks are active from the app's launch. The first policy then needs no restart.
    package var isHooked = false
    /// Whether the account differs from the MDM user's account. If so, the SDK refuses to enroll it in the app.
    package var isOtherUser = false
    /// Whether the app already has a managed account and accepts only one.
    package var isTaken: Bool
    package var isDeviceOnline: Bool
    /// Whether the request is within the service's rate limit.
    package var isAdmitted = true

    package init(
      account: Account, request: AccountEnrollment.RequestKind, revision: TargetedRevision? = nil,
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

  /// Returns the answer. It is due after ``wait(isDeviceOnline:)`` seconds, or immediately if
  /// ``statusWithoutAsking(_:)`` returns a status.
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

  /// Returns whether the app must restart before the policies for its account apply.
  ///
  /// Source: ms-intune-app-sdk-ios, issue 561: the SDK's hooks take effect with a restart, which is unnecessary if they
  /// are active from launch.
  package func needsRestart(for question: Question) -> Bool {
    restartsApps && question.isFirstPolicy && !question.isHooked
      && question.revision?.policies != nil
  }

  /// Returns the status that the SDK determines itself, without a request to the service; nil if it sends a request.
  ///
  /// The SDK needs the account's credentials to get a token for the service.
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
    if let emmAccount, !question.account.matches(identifier: emmAccount) { return .notEmmAccount }
    if let mdmUser, !question.account.matches(identifier: mdmUser) {
      return .mdmEnrolledDifferentUser
    }
    if let deviceAccount, !question.account.matches(identifier: deviceAccount) {
      return .notDeviceAccount
    }
    return user.isLicensed ? nil : .accountNotLicensed
  }

  /// Returns the time until the service answers or the SDK's timeout expires, in seconds. 0 if the service is
  /// unreachable.
  package func wait(isDeviceOnline: Bool) -> Int {
    isDeviceOnline && isReachable ? min(delay, Self.timeout) : 0
  }
}

// MARK: - Answers

/// The service's answer to a request about one account in one app.
package enum ServiceAnswer: Sendable, Equatable {
  /// Policies or configurations are targeted at the account. If `needsRestart` is true, this is the app's first policy,
  /// and the app must restart.
  case policies(revision: TargetedRevision, needsRestart: Bool)
  /// The account is licensed, but no policy or configuration targets it.
  case notTargeted
  /// The account's data must be removed.
  case wipe
  /// A failure. Its status is 200 or higher.
  case failure(EnrollmentStatus)
  /// A status that the SDK determined itself. No request reached the service, so this is not a contact with the
  /// service.
  case unasked(EnrollmentStatus)
}

/// Identifies the policies and configurations that the service has for an account in an app. There is at least one
/// policy or configuration.
///
/// An app configuration alone enrolls an account but does not protect it. In Microsoft Graph, policies and
/// configurations are both a `managedAppPolicy`. Sources: ms-intune-app-sdk-ios, issue 281; ms-intune-app-sdk-android,
/// issue 173; MicrosoftDocs/IntuneDocs, pull requests 2634 and 3218.
package struct TargetedRevision: Sendable, Equatable {
  /// The names of the app protection policies as one text; nil if none is targeted at the account.
  package let policies: String?
  /// The names of the app configurations as one text; nil if none is targeted at the account.
  package let configurations: String?

  /// Creates a revision; nil if both arguments are nil.
  package init?(policies: String?, configurations: String? = nil) {
    guard policies != nil || configurations != nil else { return nil }
    self.policies = policies
    self.configurations = configurations
  }
}

extension TargetedRevision: ExpressibleByStringLiteral {
  /// Creates a revision without app configurations.
  package init(stringLiteral policies: String) {
    self.policies = policies
    configurations = nil
  }
}

// MARK: - Load

/// Counts the requests of all devices, and limits how many the service answers per minute.
package final class ServiceLoad {
  /// The current minute, counted from 1970. ``count`` is the number of requests answered in it.
  private var minute = 0
  private var count = 0

  package init() {}

  /// Returns whether the service answers a request. If there is a limit, counts the answered requests of the current
  /// minute.
  ///
  /// - Parameters:
  ///   - time: The current time, in seconds since 1970-01-01T00:00:00Z.
  ///   - limit: The maximum number of requests per clock minute; nil for no limit.
  package func admits(at time: Int, limit: Int?) -> Bool {
    guard let limit else { return true }
    // An organisation's devices advance one after the other. A device that lags counts in the
    // current minute.
    if time / 60 > minute { (minute, count) = (time / 60, 0) }
    guard count < limit else { return false }
    count += 1
    return true
  }
}
