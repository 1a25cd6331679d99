package import Model

/// The enrollment service as seen by a device.
package struct EnrollmentService: Sendable, Equatable {
  /// The SDK's timeout, in seconds (**assumed**: `docs/ASSUMPTIONS.md`, enrollment).
  package static let timeout = 60

  /// Whether an online device can reach the service.
  package var isReachable = true
  /// The time until the service answers, in seconds; 0 or more.
  package var delay = 0
  /// The limit of requests per minute from all devices; nil for none. Excess requests fail (HTTP 429).
  package var requestsPerMinute: Int?
  /// Whether an app restarts for its first policy. Apps on phones restart, unless the SDK's hooks are active from
  /// launch.
  package var restartsApps = false
  /// Whether changed policies are pushed to enrolled apps immediately, instead of at their next request.
  package var pushesPolicies = true
  /// The object id or UPN, in any casing, of the only account that may be enrolled; nil for any account.
  package var mdmUser: String?
  package var emmAccount: String?
  package var deviceAccount: String?
  private var users: [KnownUser] = []

  /// An account and its properties. A renamed account is matched by its object id.
  private struct KnownUser: Sendable, Equatable {
    var account: Account
    var user: User

    static func == (one: Self, other: Self) -> Bool {
      one.account.isSameUser(as: other.account) && one.user == other.user
    }
  }

  /// The service's data on an account, and the behaviour of its user.
  package struct User: Sendable, Equatable {
    package var isLicensed = true
    /// Whether the account must sign in before the SDK can act for it.
    package var needsCredentials = false
    /// Whether the user cancels when asked for credentials.
    package var cancelsLogin = false
    /// Whether the user is on the list of user-level wipes: every app that sends a request must remove the
    /// account's data.
    ///
    /// Source: Microsoft Learn, "How to wipe only corporate data from Intune-managed apps".
    package var isWiped = false
    /// The service's status once credentials are available; nil if it follows from the other properties.
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

  /// A later account with the old name is a different account.
  package mutating func rename(_ account: Account, to new: Account) {
    for index in users.indices where users[index].account.isSameUser(as: account) {
      users[index].account = new
    }
  }

  /// The inputs of a request from the SDK to the service.
  package struct Question: Sendable {
    package var account: Account
    package var request: AccountEnrollment.RequestKind
    /// The policies and configurations targeted at the account in the app; nil if there are none.
    package var revision: TargetedRevision?
    /// Whether no policy applies in the app yet.
    package var isFirstPolicy: Bool
    /// Whether the SDK's hooks are active from the app's launch. If so, the first policy needs no restart.
    package var isHooked = false
    /// Whether the MDM user has a different account. If so, only the MDM user's account can be enrolled in the app.
    package var isOtherUser = false
    /// Whether the app has a managed account and accepts no second managed account.
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

  /// Returns whether the app must restart before the targeted policies apply.
  ///
  /// Source: ms-intune-app-sdk-ios, issue 561: the SDK's hooks take effect with a restart, which is
  /// unnecessary if they are active from launch.
  package func needsRestart(for question: Question) -> Bool {
    restartsApps && question.isFirstPolicy && !question.isHooked
      && question.revision?.policies != nil
  }

  /// Returns the status that the SDK produces immediately without a request to the service; nil if it sends a request.
  ///
  /// Without the account's credentials, the SDK has no token for the service.
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

  /// Returns the number of seconds until the answer or the SDK's timeout; 0 if the service is unreachable.
  package func wait(isDeviceOnline: Bool) -> Int {
    isDeviceOnline && isReachable ? min(delay, Self.timeout) : 0
  }
}

// MARK: - Answers

/// The service's answer to a request about one account in one app.
package enum ServiceAnswer: Sendable, Equatable {
  /// Policies or configurations are targeted at the account. `needsRestart` means that this is the app's
  /// first policy, which requires a restart.
  case policies(revision: TargetedRevision, needsRestart: Bool)
  /// The account is licensed, but no policy or configuration targets it.
  case notTargeted
  /// The account's data must be removed.
  case wipe
  /// A status of 200 and above.
  case failure(EnrollmentStatus)
  /// A status that the SDK produced without a request to the service. It does not count as a contact.
  case unasked(EnrollmentStatus)
}

/// The policies and configurations that the service has for an account in an app; at least one.
///
/// An app configuration alone enrolls an account but does not protect it. In Microsoft Graph, both
/// are a `managedAppPolicy`. Sources: ms-intune-app-sdk-ios, issue 281; ms-intune-app-sdk-android,
/// issue 173; MicrosoftDocs/IntuneDocs, pull requests 2634 and 3218.
package struct TargetedRevision: Sendable, Equatable {
  /// The names of the app protection policies, joined; nil if none is targeted.
  package let policies: String?
  /// The names of the app configurations, joined; nil if none is targeted.
  package let configurations: String?

  /// Creates a revision; nil if both arguments are nil.
  package init?(policies: String?, configurations: String? = nil) {
    guard policies != nil || configurations != nil else { return nil }
    self.policies = policies
    self.configurations = configurations
  }
}

extension TargetedRevision: ExpressibleByStringLiteral {
  /// Creates a revision with app protection policies only.
  package init(stringLiteral policies: String) {
    self.policies = policies
    configurations = nil
  }
}

// MARK: - Load

/// Limits the rate of requests that the service answers, across all devices.
package final class ServiceLoad {
  /// The current minute; ``count`` is the number of requests in this minute.
  private var minute = 0
  private var count = 0

  package init() {}

  /// Counts a request, unless the current minute's limit is reached.
  ///
  /// - Parameters:
  ///   - time: The current time, in seconds since 1970-01-01T00:00:00Z.
  ///   - limit: The maximum number of requests per clock minute; nil for no limit.
  /// - Returns: Whether the request is answered.
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
