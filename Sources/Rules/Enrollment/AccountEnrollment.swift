package import Model

/// The enrollment of one account in one app, as a value: events in, effects out.
///
/// At most one request to the service is under way. ``DeliveryState`` determines when the next one is due.
///
/// Source: Intune App SDK for iOS, `IntuneMAMEnrollmentManager.h`.
package struct AccountEnrollment: Sendable, Equatable {
  /// The progress of the account's enrollment.
  package enum Standing: Sendable, Equatable {
    case unregistered
    /// The SDK knows the account, and the service has not enrolled it.
    case registered
    /// `revision` names the policies and configurations that apply; nil: none applies.
    case enrolled(revision: TargetedRevision?)
  }

  /// The current activity.
  package enum Activity: Sendable, Equatable {
    case idle
    /// The service has been asked, and has not answered yet.
    case asking(Request)
    /// The last request failed, and is repeated at that time, in seconds of the device's clock.
    case waiting(until: Int)
    /// The first policy has arrived, and applies once the app has restarted.
    case restarting(Request, revision: TargetedRevision)
    case wiping(WipeCause)
  }

  /// A request to the service.
  package enum Request: String, Sendable, CaseIterable {
    case enrollment
    /// An enrollment for which the user may be asked for credentials.
    case login
    /// A request for the policies that apply to an enrolled account.
    case policy
  }

  /// The cause of a wipe.
  package enum WipeCause: String, Sendable, CaseIterable {
    /// The service ordered the wipe.
    case service
    case unenrollment
  }

  /// An event that the enrollment handles.
  package enum Event: Sendable, Equatable {
    /// The app registers the account.
    case register
    /// The app has the user log in.
    case login
    /// The SDK asks on its own whether the policies have changed.
    case checkIn
    /// The app must become compliant; with `isSilent`, the user must not be asked for anything.
    case remediate(isSilent: Bool)
    /// The service answers the request of that number.
    case answered(ServiceAnswer, ticket: Int)
    /// The service sends an enrolled account its policies and configurations without a request; nil: there are none.
    /// `needsRestart`: no policy applied in the app before, and the app has to restart.
    case pushed(revision: TargetedRevision?, needsRestart: Bool = false)
    case wipeOrdered
    /// The app has started.
    case started
    /// The account is gone from the app, with its data.
    case removed
    case unenroll(wipes: Bool)
    /// The time by the clock has changed.
    case due
    /// The device has restarted: activities under way are lost.
    case recovered
  }

  /// An effect that the caller has to bring about.
  package enum Effect: Sendable, Equatable {
    /// Add the account to the app, without a policy.
    case signIn
    /// Ask the service, and report its answer with that number.
    case ask(Request, ticket: Int)
    /// Apply these policies and configurations from now on; nil: none.
    case apply(revision: TargetedRevision?)
    case restartApp
    /// Remove the account with its data, and send ``Event/removed``.
    case wipe(WipeCause)
    /// Remove the account from the app, and leave its data.
    case remove
    case notify(Notice)
  }

  /// A notification of the app's delegate.
  package struct Notice: Sendable, Equatable {
    /// The kind of a notification.
    package enum Kind: String, Sendable, CaseIterable {
      case enrollment, policy, unenrollment
    }

    package var kind: Kind
    package var status: EnrollmentStatus

    /// Creates a notification.
    package init(_ kind: Kind, _ status: EnrollmentStatus) {
      self.kind = kind
      self.status = status
    }
  }

  package private(set) var standing: Standing
  package private(set) var activity: Activity
  package private(set) var contact: Contact
  /// The number of requests made to the service.
  private var tickets: Int

  /// The time of the last contact with the service, and the number of unanswered requests since the last answer.
  ///
  /// A request that ends with one of the header's success codes (100 to 104) is a contact. An unreachable service, an
  /// account whose credentials are needed and a service that refuses the account are not.
  ///
  /// Sources: ms-intune-app-sdk-ios, issue 338 ("last successful connection to Intune MAM Service"); Microsoft Learn,
  /// iOS app protection policy settings, Offline grace period; `IntuneMAMEnrollmentStatus.h`.
  package struct Contact: Sendable, Equatable {
    /// The time of the last contact, in seconds of the device's clock; nil: never.
    package var last: Int?
    /// The number of consecutive requests without an answer.
    package var failures: Int
    /// Whether the SDK gave the last status by itself, and did not ask the service.
    package var isUnasked: Bool

    /// Creates a record of contacts.
    package init(last: Int? = nil, failures: Int = 0, isUnasked: Bool = false) {
      self.last = last
      self.failures = failures
      self.isUnasked = isUnasked
    }
  }

  /// Creates an enrollment.
  ///
  /// - Parameter standing: The progress before the current activity began.
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

  /// Whether the policies targeted at the account apply to it.
  package var appliesPolicy: Bool {
    if case .enrolled(let revision) = standing { revision?.policies != nil } else { false }
  }

  /// Whether the service has sent policies or configurations for the account, and not withdrawn all of them.
  package var isTargeted: Bool {
    if case .enrolled(let revision) = standing { revision != nil } else { false }
  }

  /// The time at which ``Event/due`` has an effect, in seconds of the device's clock; nil: never.
  package var nextDue: Int? {
    switch activity {
    case .waiting(let time): time
    // An enrolled account that was never in contact has signed in without the service.
    case .idle where isEnrolled: contact.last.map { $0 + Self.checkInInterval } ?? .min
    case .idle, .asking, .restarting, .wiping: nil
    }
  }

  /// The number of seconds between two check-ins of an enrolled account.
  private static let checkInInterval = DeliveryState.registered.interval.first

  /// The time of the request that stands for all that repeat from now until `end` while nothing else changes; nil: none is
  /// due by then.
  ///
  /// - Parameter start: The time since which nothing else has changed.
  package func nextDue(since start: Int, until end: Int) -> Int? {
    guard let due = nextDue, due <= end else { return nil }
    let interval: Int
    switch activity {
    // The first check-in shows whether the service answers; the last stands for the others.
    case .idle:
      guard let last = contact.last, last > start else { return due }
      interval = Self.checkInInterval
    case .waiting:
      let longest = DeliveryState.networkFailure.interval
      guard contact.failures > 0, !contact.isUnasked,
        longest.seconds(after: contact.failures - 1) == longest.longest
      else { return due }
      interval = longest.longest
    case .asking, .restarting, .wiping: return due
    }
    return due + (end - due) / interval * interval
  }

  /// Handles an event, and returns the effects that the caller has to bring about.
  ///
  /// - Parameter now: The time in seconds of the device's clock.
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

// MARK: what the app asks for
extension AccountEnrollment {
  /// Whether the service may be asked now.
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

  private mutating func ask(_ request: Request) -> [Effect] {
    tickets += 1
    activity = .asking(request)
    return [.ask(request, ticket: tickets)]
  }

  /// Whether a registration is ignored now: the SDK is enrolling the account already, or will do so again.
  ///
  /// Source: Intune App SDK for iOS, `IntuneMAMEnrollmentManager.h`, `registerAndEnrollAccountId`.
  package var ignoresRegistration: Bool {
    switch standing {
    case .enrolled: false
    case .registered: true
    case .unregistered: !isFree
    }
  }

  /// Whether a login is ignored now: the SDK is enrolling the account already. A login does not wait for a retry.
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

  /// The answer to the unenrollment of a registered account: 213 where it was never enrolled.
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
    // Nobody is there to answer what the user was asked.
    case .login where standing == .unregistered, .policy: activity = .idle
    case .login: return ask(.enrollment)
    }
    return []
  }

  /// Creates the enrollment of an unregistered account that takes no answer to an earlier request.
  private init(after tickets: Int) {
    self.init()
    self.tickets = tickets
  }
}

// MARK: what the service says
extension AccountEnrollment {
  private mutating func answered(
    _ answer: ServiceAnswer, to request: Request, at now: Int
  ) -> [Effect] {
    note(answer, at: now)
    switch answer {
    case .policies(let revision, let needsRestart):
      guard !needsRestart || appliesPolicy else {
        activity = .restarting(request, revision: revision)
        return signInAfterLogin(request) + [.restartApp]
      }
      return signInAfterLogin(request) + enroll(revision, request)
    case .notTargeted: return notTargeted(request, at: now)
    case .wipe: return signInAfterLogin(request) + wipe(.service)
    case .failure(let status), .unasked(let status): return failed(status, request, at: now)
    }
  }

  private mutating func note(_ answer: ServiceAnswer, at now: Int) {
    switch answer {
    case .policies, .wipe: contact = Contact(last: now)
    // Without an enrollment, the status is a failure (225).
    case .notTargeted: contact = Contact(last: isEnrolled ? now : contact.last)
    case .failure(let status) where DeliveryState(after: status) == .networkFailure:
      contact.failures += 1
      contact.isUnasked = false
    case .failure: contact = Contact(last: contact.last)
    case .unasked: contact.isUnasked = true
    }
  }

  /// Signs the account in once the user has logged in, for a login of an unregistered account.
  private mutating func signInAfterLogin(_ request: Request) -> [Effect] {
    guard request == .login, standing == .unregistered else { return [] }
    standing = .registered
    return [.signIn]
  }

  private mutating func enroll(_ revision: TargetedRevision, _ request: Request) -> [Effect] {
    let kind: Notice.Kind = request == .policy ? .policy : .enrollment
    activity = .idle
    if standing == .enrolled(revision: revision) {
      return [.notify(Notice(kind, .policiesHaveNotChanged))]
    }
    standing = .enrolled(revision: revision)
    return [.apply(revision: revision), .notify(Notice(kind, .newPoliciesReceived))]
  }

  private mutating func notTargeted(_ request: Request, at now: Int) -> [Effect] {
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
    _ status: EnrollmentStatus, _ request: Request, at now: Int
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
    let effects = signInAfterLogin(request)
    let interval = DeliveryState(after: status).interval
    activity = .waiting(until: now + interval.seconds(after: max(0, contact.failures - 1)))
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

/// The state of the delivery of policies to a user in an app, as far as the service's last answer tells.
///
/// Sources: Microsoft Learn, "Understand app protection policy delivery timing"; Intune App SDK for iOS,
/// `IntuneMAMEnrollmentManager.h`, which says 24 hours, for the states that Learn does not name.
package enum DeliveryState: String, Sendable, CaseIterable {
  case tenantNotOnboarded, userNotLicensed
  /// No policy is assigned to the user, or no assigned policy names the app.
  case userNotTargeted
  case registered
  /// No answer came.
  case networkFailure
  case otherFailure

  /// The number of seconds after which the SDK asks again.
  package struct Interval: Sendable, Equatable {
    package var first: Int
    /// The longest interval. Each interval is twice as long as the one before, up to this.
    var longest: Int

    init(_ first: Int, upTo longest: Int? = nil) {
      self.first = first
      self.longest = longest ?? first
    }

    /// The interval in seconds.
    ///
    /// - Parameter failures: The number of consecutive requests without an answer so far.
    package func seconds(after failures: Int) -> Int {
      var seconds = first
      var left = failures
      while left > 0, seconds < longest {
        seconds *= 2
        left -= 1
      }
      return min(seconds, longest)
    }
  }

  package var interval: Interval {
    switch self {
    case .tenantNotOnboarded: Interval(24 * 3600)
    case .userNotLicensed, .userNotTargeted: Interval(12 * 3600)
    // "Typically", by the service's load.
    case .registered: Interval(30 * 60)
    // That it begins with a minute and doubles is assumed (`docs/ASSUMPTIONS.md`, enrollment).
    case .networkFailure: Interval(60, upTo: 3600)
    case .otherFailure: Interval(24 * 3600)
    }
  }

  /// The number of seconds after which the service forgets an account in an app that has not asked.
  package static let memory = 90 * 86_400

  /// The state that follows from the service's answer.
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
      // Failures by the account
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
