package import Model

/// The enrollment of one account in one app: a state machine that takes events and returns effects.
///
/// At most one request to the service is pending. ``DeliveryState`` determines when the next request is due.
///
/// Source: Intune App SDK for iOS, `IntuneMAMEnrollmentManager.h`.
package struct AccountEnrollment: Sendable, Equatable {
  package enum Standing: Sendable, Equatable {
    case unregistered
    /// The SDK knows the account, but the service has not enrolled it.
    case registered
    /// The service has enrolled the account. `revision` identifies the policies and configurations that apply; nil if
    /// none apply.
    case enrolled(revision: TargetedRevision?)
  }

  package enum Activity: Sendable, Equatable {
    case idle
    case asking(RequestKind)
    /// The last request failed. It is sent again at the time `until`, in seconds of the device's clock.
    case waiting(until: Int)
    /// The first policy has arrived, but applies only after the app has restarted.
    case restarting(RequestKind, revision: TargetedRevision)
    case wiping(WipeCause)
  }

  package enum RequestKind: String, Sendable, CaseIterable {
    case enrollment
    /// An enrollment that may ask the user for credentials.
    case login
    /// A request for the policies of an enrolled account.
    case policy
  }

  package enum WipeCause: String, Sendable, CaseIterable {
    case service
    case unenrollment
  }

  package enum Event: Sendable, Equatable {
    case register
    /// The app asks the user to log in.
    case login
    /// The SDK checks for changed policies, without a call by the app.
    case checkIn
    /// The app asks the SDK to make the account compliant. If `isSilent`, the user must not be prompted.
    case remediate(isSilent: Bool)
    /// The service answers the request with the number `ticket`; see ``Effect/ask(_:ticket:)``.
    case answered(ServiceAnswer, ticket: Int)
    /// The service pushes policies and configurations to an enrolled account. `revision` is nil if none apply any more.
    /// `needsRestart` means that this is the app's first policy, so the app must restart.
    case pushed(revision: TargetedRevision?, needsRestart: Bool = false)
    case wipeOrdered
    case started
    /// The account and its data have been removed from the app.
    case removed
    case unenroll(wipes: Bool)
    /// The clock has advanced, or the app has started or resumed. A request to the service may therefore be due.
    case due
    /// The device has restarted. Requests in progress are lost.
    case recovered
  }

  /// An effect that the caller must perform.
  package enum Effect: Sendable, Equatable {
    /// Add the account to the app, without a policy.
    case signIn
    /// Send the request to the service. Report its answer as ``Event/answered(_:ticket:)`` with this ticket.
    case ask(RequestKind, ticket: Int)
    /// From now on, apply the policies and configurations of this revision. Nil to apply none.
    case apply(revision: TargetedRevision?)
    case restartApp
    /// Remove the account with its data, then send ``Event/removed``.
    case wipe(WipeCause)
    /// Remove the account from the app, but keep its data.
    case remove
    case notify(Notice)
  }

  /// A notification to the app's delegate.
  package struct Notice: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
      case enrollment, policy, unenrollment
    }

    package var kind: Kind
    package var status: EnrollmentStatus

    package init(_ kind: Kind, _ status: EnrollmentStatus) {
      self.kind = kind
      self.status = status
    }
  }

  package private(set) var standing: Standing
  package private(set) var activity: Activity
  package private(set) var contact: Contact
  /// The number of requests sent to the service so far. It is the ticket of the latest request.
  private var tickets: Int

  /// The last contact with the service, and the number of unanswered requests since the service last answered.
  ///
  /// A contact is a request that ends with a success code (100 to 104). A request is not a contact if the service is
  /// unreachable, refuses the account, or needs the account's credentials.
  ///
  /// Sources: ms-intune-app-sdk-ios, issue 338 ("last successful connection to Intune MAM Service");
  /// `IntuneMAMEnrollmentStatus.h`; Microsoft Learn, iOS app protection policy settings, Offline grace period.
  package struct Contact: Sendable, Equatable {
    /// The time of the last contact, in seconds of the device's clock; nil if there is none.
    package var last: Int?
    /// The number of consecutive requests that the service did not answer.
    package var failures: Int
    /// Whether the last status came from the SDK itself, without a request to the service.
    package var isUnasked: Bool

    package init(last: Int? = nil, failures: Int = 0, isUnasked: Bool = false) {
      self.last = last
      self.failures = failures
      self.isUnasked = isUnasked
    }
  }

  package init(
    _ standing: Standing = .unregistered, _ activity: Activity = .idle,
    contact: Contact = Contact()
  ) {
    self.standing = standing
    self.activity = activity
    self.contact = contact
    tickets = 0
  }

  package var isRegistered: Bool { standing != .unregistered }

  package var isEnrolled: Bool {
    if case .enrolled = standing { true } else { false }
  }

  /// Whether the account is enrolled and app protection policies apply to it.
  package var appliesPolicy: Bool {
    if case .enrolled(let revision) = standing { revision?.policies != nil } else { false }
  }

  /// Whether the account is enrolled and the service has assigned policies or configurations to it.
  package var isTargeted: Bool {
    if case .enrolled(let revision) = standing { revision != nil } else { false }
  }

  /// The time from which the event ``Event/due`` causes a request, in seconds of the device's clock. Nil if the event
  /// causes none.
  package var nextDue: Int? {
    switch activity {
    case .waiting(let time): time
    // An enrolled account without a contact was signed in without the service.
    case .idle where isEnrolled: contact.last.map { $0 + checkInInterval } ?? .min
    case .idle, .asking, .restarting, .wiping: nil
    }
  }

  /// The time between check-ins of an enrolled account, in seconds.
  private var checkInInterval: Int {
    guard case .enrolled(let revision?) = standing, revision.policies == nil else {
      return DeliveryState.registered.interval.first
    }
    return DeliveryState.configured.interval.first
  }

  /// Returns the time of the next request, if nothing but the clock changes from `start` to `end`. Returns nil if no
  /// request is due by `end`. If all requests until `end` would have the same answer, only the last one matters, and
  /// its time is returned.
  package func nextDue(since start: Int, until end: Int) -> Int? {
    guard let due = nextDue, due <= end else { return nil }
    let interval: Int
    switch activity {
    // The first check-in shows whether the service answers. The last check-in replaces all checks
    // in between.
    case .idle:
      guard let last = contact.last, last > start else { return due }
      interval = checkInInterval
    case .waiting:
      let longest = DeliveryState.networkFailure.interval
      guard !contact.isUnasked,
        longest.seconds(after: contact.failures - 1) == longest.longest
      else { return due }
      interval = longest.longest
    case .asking, .restarting, .wiping: return due
    }
    return due + (end - due) / interval * interval
  }

  /// Handles an event and returns the effects that the caller must perform. `now` is in seconds of the device's clock.
  package mutating func handle(_ event: Event, at now: Int) -> [Effect] {
    switch event {
    case .register: return register()
    case .login: return login()
    case .checkIn:
      return isEnrolled && isFree ? ask(isForgotten(at: now) ? .enrollment : .policy) : []
    case .remediate(let isSilent): return remediate(isSilent: isSilent)
    case .answered(let answer, let ticket):
      guard case .asking(let request) = activity, ticket == tickets else { return [] }
      return answered(answer, to: request, at: now)
    case .pushed(let revision, let needsRestart):
      return pushed(revision, needsRestart: needsRestart)
    case .wipeOrdered: return isRegistered && !isWiping ? wipe(.service) : []
    case .started:
      guard case .restarting(let request, let revision) = activity else { return [] }
      return enroll(revision, request)
    case .removed: return removed()
    case .unenroll(let wipes): return unenroll(wipes: wipes)
    case .due:
      guard let nextDue, now >= nextDue else { return [] }
      return ask(isEnrolled && !isForgotten(at: now) ? .policy : .enrollment)
    case .recovered: return recovered()
    }
  }
}

// MARK: - App requests
extension AccountEnrollment {
  /// Whether a new request may be sent to the service now, because no request, restart or wipe is in progress.
  private var isFree: Bool {
    switch activity {
    case .idle, .waiting: true
    case .asking, .restarting, .wiping: false
    }
  }

  private var isWiping: Bool {
    if case .wiping = activity { true } else { false }
  }

  private func isForgotten(at now: Int) -> Bool {
    contact.last.map { now - $0 >= DeliveryState.memory } ?? false
  }

  private mutating func ask(_ request: RequestKind) -> [Effect] {
    tickets += 1
    activity = .asking(request)
    return [.ask(request, ticket: tickets)]
  }

  /// Whether a registration has no effect, because the SDK is already enrolling the account or will retry.
  ///
  /// Source: Intune App SDK for iOS, `IntuneMAMEnrollmentManager.h`, `registerAndEnrollAccountId`.
  package var ignoresRegistration: Bool {
    switch standing {
    case .enrolled: false
    case .registered: true
    case .unregistered: !isFree
    }
  }

  /// Whether a login has no effect, because an enrollment is in progress. A scheduled retry does not count as in
  /// progress.
  package var ignoresLogin: Bool { !isEnrolled && !isFree }

  private mutating func register() -> [Effect] {
    guard !isEnrolled else {
      return isWiping ? [] : [.notify(Notice(.enrollment, .alreadyEnrolled))]
    }
    guard !ignoresRegistration else { return [] }
    standing = .registered
    return [.signIn] + ask(.enrollment)
  }

  private mutating func login() -> [Effect] {
    guard !isEnrolled else {
      return isWiping ? [] : [.notify(Notice(.enrollment, .alreadyEnrolled))]
    }
    return ignoresLogin ? [] : ask(.login)
  }

  private mutating func remediate(isSilent: Bool) -> [Effect] {
    guard isFree else { return [] }
    if isEnrolled { return ask(.policy) }
    guard isSilent else { return ask(.login) }
    guard standing == .unregistered else { return ask(.enrollment) }
    standing = .registered
    return [.signIn] + ask(.enrollment)
  }

  private mutating func unenroll(wipes: Bool) -> [Effect] {
    guard isRegistered, !isWiping else { return [] }
    guard !wipes else { return wipe(.unenrollment) }
    let notice = noticeOfUnenrollment
    self = AccountEnrollment(after: tickets)
    return [.remove, .notify(notice)]
  }

  /// The notification that a registered account was unenrolled. Its status is 213 if the account was never enrolled.
  ///
  /// Source: Intune App SDK for iOS, `IntuneMAMEnrollmentStatus.h`.
  private var noticeOfUnenrollment: Notice {
    Notice(.unenrollment, isEnrolled ? .unenrollmentSuccess : .appNotEnrolled)
  }

  private mutating func wipe(_ cause: WipeCause) -> [Effect] {
    activity = .wiping(cause)
    return [.wipe(cause)]
  }

  private mutating func removed() -> [Effect] {
    let activity = activity
    let notice = noticeOfUnenrollment
    self = AccountEnrollment(after: tickets)
    guard case .wiping(let cause) = activity else { return [] }
    switch cause {
    case .service: return [.notify(Notice(.policy, .wipeReceived))]
    case .unenrollment: return [.notify(notice)]
    }
  }

  private mutating func recovered() -> [Effect] {
    guard case .asking(let request) = activity else { return [] }
    switch request {
    case .enrollment: return ask(.enrollment)
    // After a restart, the user's login prompt is gone.
    case .login where standing == .unregistered, .policy: activity = .idle
    case .login: return ask(.enrollment)
    }
    return []
  }

  /// Creates the state of an unregistered account.
  ///
  /// - Parameter tickets: The number of requests sent so far. Answers to them are ignored.
  private init(after tickets: Int) {
    self.init()
    self.tickets = tickets
  }

  // MARK: Service answers
  private mutating func answered(
    _ answer: ServiceAnswer, to request: RequestKind, at now: Int
  ) -> [Effect] {
    record(answer, at: now)
    switch answer {
    case .policies(let revision, let needsRestart):
      guard !needsRestart || appliesPolicy else {
        activity = .restarting(request, revision: revision)
        return signInAfterLogin() + [.restartApp]
      }
      return signInAfterLogin() + enroll(revision, request)
    case .notTargeted: return notTargeted(request, at: now)
    case .wipe: return signInAfterLogin() + wipe(.service)
    case .failure(let status), .unasked(let status): return failed(status, request, at: now)
    }
  }

  private mutating func record(_ answer: ServiceAnswer, at now: Int) {
    switch answer {
    case .policies, .wipe: contact = Contact(last: now)
    // If the account is not enrolled, the status is a failure (225).
    case .notTargeted: contact = Contact(last: isEnrolled ? now : contact.last)
    case .failure(let status) where DeliveryState(after: status) == .networkFailure:
      contact.failures += 1
      contact.isUnasked = false
    case .failure: contact = Contact(last: contact.last)
    case .unasked: contact.isUnasked = true
    }
  }

  /// Registers the account if it is not registered yet, which is the case after the first login.
  private mutating func signInAfterLogin() -> [Effect] {
    guard standing == .unregistered else { return [] }
    standing = .registered
    return [.signIn]
  }

  private mutating func enroll(_ revision: TargetedRevision, _ request: RequestKind) -> [Effect] {
    let kind: Notice.Kind = request == .policy ? .policy : .enrollment
    activity = .idle
    if standing == .enrolled(revision: revision) {
      return [.notify(Notice(kind, .policiesHaveNotChanged))]
    }
    standing = .enrolled(revision: revision)
    return [.apply(revision: revision), .notify(Notice(kind, .newPoliciesReceived))]
  }

  private mutating func notTargeted(_ request: RequestKind, at now: Int) -> [Effect] {
    guard isEnrolled else { return failed(.licensedNotTargeted, request, at: now) }
    activity = .idle
    return withdraw()
  }

  private mutating func withdraw() -> [Effect] {
    let notice = Effect.notify(Notice(.policy, .noPolicyReceived))
    guard isTargeted else { return [notice] }
    standing = .enrolled(revision: nil)
    return [.apply(revision: nil), notice]
  }

  private mutating func failed(
    _ status: EnrollmentStatus, _ request: RequestKind, at now: Int
  ) -> [Effect] {
    let notice = Effect.notify(Notice(request == .policy ? .policy : .enrollment, status))
    if status == .loginCanceled, standing == .unregistered {
      activity = .idle
      return [notice]
    }
    if status == .singleManagedAccountMode, !isEnrolled {
      let wasSignedIn = isRegistered
      self = AccountEnrollment(after: tickets)
      return (wasSignedIn ? [.remove] : []) + [notice]
    }
    let effects = signInAfterLogin()
    let interval = DeliveryState(after: status).interval
    activity = .waiting(until: now + interval.seconds(after: contact.failures - 1))
    return effects + [notice]
  }

  private mutating func pushed(
    _ revision: TargetedRevision?, needsRestart: Bool
  ) -> [Effect] {
    guard isEnrolled, isFree, standing != .enrolled(revision: revision) else { return [] }
    guard let revision else { return withdraw() }
    guard !needsRestart || appliesPolicy else {
      activity = .restarting(.policy, revision: revision)
      return [.restartApp]
    }
    standing = .enrolled(revision: revision)
    return [
      .apply(revision: revision), .notify(Notice(.policy, .newPoliciesReceived)),
    ]
  }
}

// MARK: - Policy delivery

/// The state of policy delivery to a user in an app, according to the service's last answer. The state determines the
/// time until the next request.
///
/// Sources: Microsoft Learn, "Understand app protection policy delivery timing"; for configurations without a policy,
/// "App configuration policies for Microsoft Intune". For states not covered there, Intune App SDK for iOS,
/// `IntuneMAMEnrollmentManager.h`, which states 24 hours.
package enum DeliveryState: String, Sendable, CaseIterable {
  case tenantNotOnboarded, userNotLicensed
  /// No policy is assigned to the user, or no assigned policy targets the app.
  case userNotTargeted
  case registered
  /// Only app configurations target the user and the app.
  case configured
  /// The service did not answer.
  case networkFailure
  case otherFailure

  /// The time between requests, in seconds.
  package struct Interval: Sendable, Equatable {
    package var first: Int
    /// The longest interval. After each request without an answer, the interval doubles up to this value.
    var longest: Int

    init(_ first: Int, upTo longest: Int? = nil) {
      self.first = first
      self.longest = longest ?? first
    }

    /// Returns the time to wait after `failures` consecutive requests without an answer, in seconds.
    package func seconds(after failures: Int) -> Int {
      (0..<max(0, failures)).reduce(first) { seconds, _ in min(2 * seconds, longest) }
    }
  }

  package var interval: Interval {
    switch self {
    case .tenantNotOnboarded: Interval(24 * 3600)
    case .userNotLicensed, .userNotTargeted, .configured: Interval(12 * 3600)
    // The documentation states "typically"; the interval depends on the service's load.
    case .registered: Interval(30 * 60)
    // The start at one minute and the doubling are assumed (`docs/ASSUMPTIONS.md`, enrollment).
    case .networkFailure: Interval(60, upTo: 3600)
    case .otherFailure: Interval(24 * 3600)
    }
  }

  /// The period after which the service forgets an account in an app, in seconds. Each request from the app restarts
  /// the period.
  package static let memory = 90 * 86_400

  package init(after status: EnrollmentStatus) {
    self =
      switch status {
      case .mamServiceDisabled: .tenantNotOnboarded
      case .accountNotLicensed: .userNotLicensed
      case .licensedNotTargeted: .userNotTargeted
      case .enrollmentEndPointNetworkFailure, .policyEndPointNetworkFailure, .timeout:
        .networkFailure
      case .newPoliciesReceived, .policiesHaveNotChanged, .wipeReceived, .noPolicyReceived,
        .unenrollmentSuccess:
        .registered
      // Failures of the account
      case .authRequired, .nilAccount, .alreadyEnrolled, .notEmmAccount, .mdmEnrolledDifferentUser,
        .notDeviceAccount, .appNotEnrolled, .notEnrolledAccount, .switchExistingAccount,
        .loginCanceled, .reEnrollForUnenrolledUser, .singleManagedAccountMode:
        .otherFailure
      // Failures of the SDK, the service or the device
      case .internalError, .locationServiceFailure, .parsingFailure, .failedToClearMamData,
        .adalInternalError, .policyRecordGone, .tenantMigration, .unsupportedAPI,
        .adalMethodUnsupported, .deviceBlockedEnrollment:
        .otherFailure
      }
  }
}
