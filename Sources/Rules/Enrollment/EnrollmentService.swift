public import Model

/// The service that enrolls accounts, as far as a device notices of it.
public struct EnrollmentService: Sendable, Equatable {
  /// Seconds after which the SDK waits no longer (**assumed**: `docs/ASSUMPTIONS.md`, enrollment).
  public static let timeout = 60

  /// Whether the device gets through to it, where the device is online.
  public var isReachable = true
  /// Seconds until it answers, 0 or more.
  public var delay = 0
  /// Whether an app starts anew for its first policy, as it does in reality.
  public var restartsApps = false
  /// Whether enrolled apps hear at once of another policy, and not when they ask next.
  public var pushesPolicies = true
  /// Object ids or UPNs, lower case, of the only account that may be enrolled; nil: any may.
  public var mdmUser: String?
  public var emmAccount: String?
  public var deviceAccount: String?
  /// What is so of single accounts, by UPN in lower case.
  private var users: [String: User] = [:]

  /// What the service knows of an account, and what its user does.
  public struct User: Sendable, Equatable {
    public var isLicensed = true
    /// Whether the account has to sign in before the SDK can speak for it.
    public var needsCredentials = false
    /// Whether the user gives up when asked for them.
    public var cancelsLogin = false
    /// Whether its data is to be removed from the next app that asks.
    public var isWiped = false
    /// What the service answers whatever else is so; nil: what follows from the rest.
    public var status: EnrollmentStatus?

    public init() {}
  }

  public init() {}

  public subscript(account: Account) -> User {
    get { users[account.upn.lowercased()] ?? User() }
    set { users[account.upn.lowercased()] = newValue == User() ? nil : newValue }
  }

  /// What the SDK asks with.
  public struct Question: Sendable {
    public var account: Account
    public var request: AccountEnrollment.Request
    /// Names the policies that are targeted at the account in the app; nil: none is.
    public var revision: String?
    /// Whether no policy has applied in the app.
    public var isFirstPolicy: Bool
    /// Whether the app has a managed account, and takes no second.
    public var isTaken: Bool
    public var isDeviceOnline: Bool

    public init(
      account: Account, request: AccountEnrollment.Request, revision: String? = nil,
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

  /// The answer that is due when ``delay`` is over, or the network says at once that nobody is there.
  public func answer(to question: Question) -> ServiceAnswer {
    guard question.isDeviceOnline, isReachable else {
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
    return .policies(
      revision: revision, needsRestart: restartsApps && question.isFirstPolicy)
  }

  private func refusal(of user: User, _ question: Question) -> EnrollmentStatus? {
    if user.needsCredentials {
      guard question.request == .login else { return .authRequired }
      if user.cancelsLogin { return .loginCanceled }
    }
    if let status = user.status { return status }
    if let emmAccount, !question.account.isNamed(emmAccount) { return .notEmmAccount }
    if let mdmUser, !question.account.isNamed(mdmUser) { return .mdmEnrolledDifferentUser }
    if let deviceAccount, !question.account.isNamed(deviceAccount) { return .notDeviceAccount }
    return user.isLicensed ? nil : .accountNotLicensed
  }

  /// Seconds until the answer comes; none where the network says at once that nobody is there.
  public func wait(isDeviceOnline: Bool) -> Int {
    isDeviceOnline && isReachable ? min(delay, Self.timeout) : 0
  }
}
