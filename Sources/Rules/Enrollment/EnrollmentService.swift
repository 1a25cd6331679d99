public import Model

/// The service that enrolls accounts, as far as a device notices it.
public struct EnrollmentService: Sendable, Equatable {
  /// The number of seconds after which the SDK gives up waiting (**assumed**: `docs/ASSUMPTIONS.md`, enrollment).
  public static let timeout = 60

  /// Whether the device reaches the service, where the device is online.
  public var isReachable = true
  /// The number of seconds until the service answers, 0 or more.
  public var delay = 0
  /// The number of requests that the service answers in a minute, of all devices; nil: any number. It turns the others away
  /// (HTTP 429).
  public var requestsPerMinute: Int?
  /// Whether an app restarts for its first policy, as on a phone unless the SDK's hooks are active from its start.
  public var restartsApps = false
  /// Whether enrolled apps are told at once of a changed policy, and not when they ask next.
  public var pushesPolicies = true
  /// The object id or UPN, in lower case, of the only account that may be enrolled; nil: any account may be.
  public var mdmUser: String?
  public var emmAccount: String?
  public var deviceAccount: String?
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
  public struct User: Sendable, Equatable {
    public var isLicensed = true
    /// Whether the account has to sign in before the SDK can speak for it.
    public var needsCredentials = false
    /// Whether the user gives up when asked for credentials.
    public var cancelsLogin = false
    /// Whether the account's data is to be removed from the next app that asks.
    public var isWiped = false
    /// The status that the service answers once no credentials are missing; nil: the answer follows from other facts.
    public var status: EnrollmentStatus?

    /// Creates a licensed user.
    public init() {}
  }

  /// Creates a service that answers at once.
  public init() {}

  public subscript(account: Account) -> User {
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
  public mutating func rename(_ account: Account, to new: Account) {
    for index in users.indices where users[index].account.isSame(as: account) {
      users[index].account = new
    }
  }

  /// The facts with which the SDK asks the service.
  public struct Question: Sendable {
    public var account: Account
    public var request: AccountEnrollment.Request
    /// The names of the policies and configurations that are targeted at the account in the app; nil: none is.
    public var revision: TargetedRevision?
    /// Whether no policy has applied in the app before.
    public var isFirstPolicy: Bool
    /// Whether the SDK's hooks are active in the app from its start, so its first policy needs no restart.
    public var isHooked = false
    /// Whether MDM's user is another account, and the only one that can be enrolled in the app.
    public var isOtherUser = false
    /// Whether the app has a managed account, and accepts no second one.
    public var isTaken: Bool
    public var isDeviceOnline: Bool
    /// Whether the service has not turned the request away.
    public var isAdmitted = true

    /// Creates a question.
    public init(
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
  public func answer(to question: Question) -> ServiceAnswer {
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
  public func needsRestart(for question: Question) -> Bool {
    restartsApps && question.isFirstPolicy && !question.isHooked
      && question.revision?.policies != nil
  }

  /// The status that the SDK gives by itself, at once; nil: it asks the service.
  ///
  /// Without the account's credentials the SDK has no token for the service.
  public func statusWithoutAsking(_ question: Question) -> EnrollmentStatus? {
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
  public func wait(isDeviceOnline: Bool) -> Int {
    isDeviceOnline && isReachable ? min(delay, Self.timeout) : 0
  }
}
