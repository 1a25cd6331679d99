import Enrollment
import Model
import Testing

@Suite struct EnrollmentServiceTests {
  private let anna = Account(upn: "Anna@contoso.com", objectID: "ABC", tenantID: "contoso.com")
  private let ben = Account(upn: "ben@contoso.com")

  private func answer(
    _ service: EnrollmentService, _ request: AccountEnrollment.RequestKind = .enrollment,
    revision: TargetedRevision? = "a", isTaken: Bool = false, isOnline: Bool = true
  ) -> ServiceAnswer {
    service.answer(
      to: EnrollmentService.Question(
        account: anna, request: request, revision: revision, isTaken: isTaken,
        isDeviceOnline: isOnline))
  }

  @Test func `by default, every targeted account is enrolled immediately`() {
    #expect(answer(EnrollmentService()) == .policies(revision: "a", needsRestart: false))
    #expect(answer(EnrollmentService(), revision: nil) == .notTargeted)
    #expect(EnrollmentService().wait(isDeviceOnline: true) == 0)
    #expect(EnrollmentService().pushesPolicies)
  }

  @Test(arguments: [(60, nil, 60), (61, .timeout, 60)] as [(Int, EnrollmentStatus?, Int)])
  func `a request to the enrollment service times out after a minute`(
    delay: Int, status: EnrollmentStatus?, wait: Int
  ) {
    var service = EnrollmentService()
    service.delay = delay
    #expect(
      answer(service)
        == (status.map { .failure($0) } ?? .policies(revision: "a", needsRestart: false)))
    #expect(service.wait(isDeviceOnline: true) == wait)
    #expect(service.wait(isDeviceOnline: false) == 0)
    service.isReachable = false
    #expect(service.wait(isDeviceOnline: true) == 0)
  }

  @Test(arguments: [
    (AccountEnrollment.RequestKind.policy, EnrollmentStatus.policyEndPointNetworkFailure),
    (.enrollment, .enrollmentEndPointNetworkFailure), (.login, .enrollmentEndPointNetworkFailure),
  ])
  func `a request above the rate limit or to an unreachable service is a network failure`(
    request: AccountEnrollment.RequestKind, status: EnrollmentStatus
  ) {
    var service = EnrollmentService()
    var question = EnrollmentService.Question(account: anna, request: request, revision: "a")
    question.isAdmitted = false
    #expect(service.answer(to: question) == .failure(status))
    question.isAdmitted = true
    service.isReachable = false
    service[anna].needsCredentials = true
    #expect(service.statusWithoutAsking(question) == nil)
    #expect(service.answer(to: question) == .failure(status))
  }

  @Test func `an offline device's enrollment request fails as a network failure without waiting`() {
    var service = EnrollmentService()
    service.delay = 500
    service[anna].isLicensed = false
    #expect(
      answer(service, isOnline: false) == .failure(.enrollmentEndPointNetworkFailure))
    #expect(answer(service, .policy, isOnline: false) == .failure(.policyEndPointNetworkFailure))
    #expect(service.wait(isDeviceOnline: false) == 0)
    #expect(answer(service) == .failure(.timeout))
    #expect(service.wait(isDeviceOnline: true) == EnrollmentService.timeout)
    service.isReachable = false
    #expect(answer(service) == .failure(.enrollmentEndPointNetworkFailure))
  }

  @Test
  func `missing credentials fail enrollment and policy requests, but a login prompts for them`() {
    var service = EnrollmentService()
    service[anna].needsCredentials = true
    #expect(answer(service) == .unasked(.authRequired))
    #expect(answer(service, .policy) == .unasked(.authRequired))
    #expect(answer(service, .login) == .policies(revision: "a", needsRestart: false))
    service[anna].cancelsLogin = true
    #expect(answer(service, .login) == .unasked(.loginCanceled))
  }

  @Test func `the enrollment service refuses an account other than the single allowed one`() {
    var service = EnrollmentService()
    service.mdmUser = ben.upn
    #expect(answer(service) == .failure(.mdmEnrolledDifferentUser))
    service.mdmUser = "abc"
    service.deviceAccount = ben.upn
    #expect(answer(service) == .failure(.notDeviceAccount))
    service.emmAccount = ben.upn
    #expect(answer(service) == .failure(.notEmmAccount))
    service.emmAccount = "ANNA@contoso.com"
    #expect(answer(service) == .failure(.notDeviceAccount))
    service.deviceAccount = "abc"
    #expect(answer(service) == .policies(revision: "a", needsRestart: false))
  }

  @Test func `each account has its own service properties, regardless of the UPN's casing`() {
    var service = EnrollmentService()
    service[ben].isLicensed = false
    #expect(answer(service) == .policies(revision: "a", needsRestart: false))
    service[Account(upn: "ANNA@CONTOSO.COM")].isLicensed = false
    #expect(answer(service) == .failure(.accountNotLicensed))
    service[anna].isLicensed = true
    service[ben].isLicensed = true
    #expect(service == EnrollmentService())
    service[anna].isWiped = true
    var other = EnrollmentService()
    other[Account(upn: "ANNA@CONTOSO.COM")].isWiped = true
    #expect(service == other, "the same account and the same facts")
    other[anna].cancelsLogin = true
    #expect(service != other, "other facts")
    other[anna] = EnrollmentService.User()
    other[ben].isWiped = true
    #expect(service != other, "another account")
  }

  @Test
  func
    `a stated status takes precedence over a wipe, and a missing target over a second managed account`()
  {
    var service = EnrollmentService()
    #expect(answer(service, isTaken: true) == .failure(.singleManagedAccountMode))
    #expect(answer(service, revision: nil, isTaken: true) == .notTargeted)
    service[anna].isWiped = true
    #expect(answer(service) == .wipe)
    service[anna].status = .tenantMigration
    #expect(answer(service) == .failure(.tenantMigration))
  }

  @Test func `the first policy restarts the app if the enrollment service is configured so`() {
    var service = EnrollmentService()
    service.restartsApps = true
    #expect(answer(service) == .policies(revision: "a", needsRestart: true))
    let later = EnrollmentService.Question(
      account: anna, request: .policy, revision: "a", isFirstPolicy: false)
    #expect(service.answer(to: later) == .policies(revision: "a", needsRestart: false))
  }

  /// See issue 561 of ms-intune-app-sdk-ios.
  @Test(arguments: [true, false], [true, false])
  func `the first policy does not restart an app whose SDK hooks are active from launch`(
    isHooked: Bool, hasPolicy: Bool
  ) throws {
    var service = EnrollmentService()
    service.restartsApps = true
    let revision = try #require(
      TargetedRevision(policies: hasPolicy ? "a" : nil, configurations: "c"))
    var question = EnrollmentService.Question(
      account: anna, request: .enrollment, revision: revision)
    question.isHooked = isHooked
    #expect(
      service.answer(to: question)
        == .policies(revision: revision, needsRestart: !isHooked && hasPolicy))
  }

  /// See issue 281 of ms-intune-app-sdk-ios.
  @Test func `an app configuration enrolls an account without a policy`() throws {
    #expect(TargetedRevision(policies: nil, configurations: nil) == nil)
    #expect(TargetedRevision(policies: "a") == "a")
    let alone = try #require(TargetedRevision(policies: nil, configurations: "c"))
    let service = EnrollmentService()
    #expect(
      answer(service, revision: alone) == .policies(revision: alone, needsRestart: false))
    #expect(
      answer(service, revision: alone, isTaken: true) == .failure(.singleManagedAccountMode))
  }

  @Test func `on a managed device, the SDK rejects another user without contacting the service`() {
    var service = EnrollmentService()
    service.isReachable = false
    var question = EnrollmentService.Question(
      account: anna, request: .enrollment, revision: "a", isDeviceOnline: false)
    question.isOtherUser = true
    #expect(service.answer(to: question) == .unasked(.mdmEnrolledDifferentUser))
  }

  /// In `IntuneMAMEnrollmentStatus.h`, these statuses mean that the SDK has no token for the
  /// service, or that it detects that MDM has another user.
  @Test func `on an online device, the SDK returns its own statuses without asking the service`() {
    var service = EnrollmentService()
    service.delay = 30
    var question = EnrollmentService.Question(account: anna, request: .policy)
    #expect(service.statusWithoutAsking(question) == nil)
    question.isOtherUser = true
    #expect(service.statusWithoutAsking(question) == .mdmEnrolledDifferentUser)
    question.isOtherUser = false
    service[anna].needsCredentials = true
    #expect(service.statusWithoutAsking(question) == .authRequired)
    question.isDeviceOnline = false
    #expect(service.statusWithoutAsking(question) == nil)
    question.isDeviceOnline = true
    question.request = .login
    #expect(service.statusWithoutAsking(question) == nil)
    service[anna].cancelsLogin = true
    #expect(service.statusWithoutAsking(question) == .loginCanceled)
  }

  @Test func `a renamed account keeps its service properties, and the old name loses them`() {
    var service = EnrollmentService()
    service[anna].isLicensed = false
    let renamed = Account(upn: "anna.new@contoso.com", objectID: "abc")
    service.rename(anna, to: renamed)
    #expect(!service[renamed].isLicensed)
    #expect(!service[Account(upn: "Anna.New@contoso.com")].isLicensed)
    #expect(service[Account(upn: anna.upn)] == EnrollmentService.User())
    service[renamed].isLicensed = true
    #expect(service == EnrollmentService())
  }
}

@Suite struct ServiceLoadTests {
  @Test(
    arguments: [
      // A clock minute begins at a multiple of 60 s.
      (1, [(0, true), (1, false), (59, false), (60, true), (119, false), (120, true)]),
      (2, [(59, true), (59, true), (59, false), (60, true), (119, true), (119, false)]),
      // A device whose clock lags counts in the current minute.
      (2, [(180, true), (60, true), (0, false), (180, false), (240, true)]),
      (0, [(0, false), (60, false)]), (nil, [(0, true), (0, true), (0, true)]),
    ] as [(Int?, [(Int, Bool)])])
  func `the enrollment service limits the number of requests in each clock minute`(
    limit: Int?, requests: [(Int, Bool)]
  ) {
    let load = ServiceLoad()
    for (time, isAdmitted) in requests {
      #expect(load.admits(at: time, limit: limit) == isAdmitted, "at \(time)")
    }
  }

  @Test func `enrollment requests without a limit do not count toward a later limit`() {
    let load = ServiceLoad()
    #expect(load.admits(at: 0, limit: nil) && load.admits(at: 0, limit: 1))
    #expect(!load.admits(at: 0, limit: 1) && load.admits(at: 0, limit: nil))
  }
}

@Suite struct ComplianceTests {
  @Test func `only enrollment statuses that imply an applied policy count as compliant`() {
    let compliant = EnrollmentStatus.allCases.filter { ComplianceStatus($0) == .compliant }
    #expect(compliant == [.newPoliciesReceived, .policiesHaveNotChanged, .alreadyEnrolled])
  }

  @Test(arguments: EnrollmentStatus.allCases)
  func `a compliant status becomes notCompliant if no policy protects the account`(
    status: EnrollmentStatus
  ) {
    let compliance = ComplianceStatus(status)
    #expect(ComplianceStatus(status, isProtected: true) == compliance)
    #expect(
      ComplianceStatus(status, isProtected: false)
        == (compliance == .compliant ? .notCompliant : compliance))
  }

  @Test func `every compliance status follows from an enrollment status`() {
    #expect(
      Set(EnrollmentStatus.allCases.map { ComplianceStatus($0) }) == Set(ComplianceStatus.allCases))
  }

  @Test(arguments: ComplianceText.Language.allCases)
  func `every compliance status except compliant has a title and a message`(
    language: ComplianceText.Language
  ) {
    for status in ComplianceStatus.allCases {
      let text = ComplianceText(status, in: language)
      #expect(text.title.isEmpty == (status == .compliant))
      #expect(text.message.isEmpty == (status == .compliant))
    }
    let titles = Set(ComplianceStatus.allCases.map { ComplianceText($0, in: language).title })
    #expect(titles.count == ComplianceStatus.allCases.count)
  }

  @Test func `status numbers and names match the SDK's`() {
    #expect(
      EnrollmentStatus.allCases.filter(\.isSuccess).map(\.rawValue) == [100, 101, 102, 103, 104])
    #expect(EnrollmentStatus.allCases.filter { !$0.isSuccess }.map(\.rawValue) == Array(200...227))
    #expect(EnrollmentStatus(name: "licensedNotTargeted") == .licensedNotTargeted)
    #expect(EnrollmentStatus.licensedNotTargeted.rawValue == 225)
    #expect(EnrollmentStatus(name: "nobody") == nil)
    #expect(ComplianceStatus.allCases.map(\.rawValue) == Array(0...5))
    #expect(ComplianceStatus(name: "userCancelled") == .userCancelled)
    #expect(ComplianceStatus(name: "") == nil)
  }
}

@Suite struct RemediationQueueTests {
  private let anna = Account(upn: "anna@contoso.com", objectID: "ABC")
  private let ben = Account(upn: "ben@contoso.com")

  @Test func `compliance remediations of accounts are queued, and repeated requests are dropped`() {
    var queue = RemediationQueue()
    #expect(queue.add(.init(anna, isSilent: true), at: 0) == .begun)
    #expect(queue.add(.init(ben, isSilent: true), at: 0) == .queued)
    #expect(
      queue.add(.init(Account(upn: "a@b.c", objectID: "abc"), isSilent: false), at: 0) == .dropped)
    #expect(queue.add(.init(ben, isSilent: true), at: 0) == .dropped)
    #expect(queue.finish(at: 0) == nil)
    #expect(queue.requests.map(\.account.upn) == [ben.upn])
    #expect(queue.add(.init(anna, isSilent: true), at: 0) == .queued)
  }

  @Test func `repeated remediation without a token is reported as a loop only once`() {
    var queue = RemediationQueue()
    var told: [Int?] = []
    for time in 0..<5 {
      #expect(queue.add(.init(anna, isSilent: true), at: time) == .begun)
      told.append(queue.finish(at: time))
    }
    #expect(told == [nil, nil, 3, nil, nil])
  }

  @Test func `a remediation loop is refused until the clock advances`() {
    var queue = RemediationQueue()
    for _ in 0..<3 {
      _ = queue.add(.init(anna, isSilent: true), at: 7)
      _ = queue.finish(at: 7)
    }
    #expect(queue.add(.init(anna, isSilent: true), at: 7) == .refused)
    #expect(queue.add(.init(ben, isSilent: true), at: 7) == .begun)
    _ = queue.finish(at: 7)
    #expect(queue.add(.init(anna, isSilent: true), at: 8) == .begun)
  }

  @Test func `obtaining a token resets the detection of remediation loops`() {
    var queue = RemediationQueue()
    for _ in 0..<10 {
      #expect(queue.add(.init(anna, isSilent: true), at: 0) == .begun)
      #expect(queue.finish(at: 0) == nil)
      queue.succeed(anna)
    }
  }

  @Test func `the remediation queue is bounded`() {
    var queue = RemediationQueue()
    let acceptances = (0..<100).map { number in
      queue.add(.init(Account(upn: "\(number)@contoso.com"), isSilent: true), at: 0)
    }
    #expect(acceptances.count { $0 == .refused } == 100 - 32)
    #expect(queue.requests.count == 32 && RemediationQueue.capacity == 32)
  }

  @Test(arguments: [(31, 3), (32, nil)] as [(Int, Int?)])
  func `the detection of remediation loops remembers 32 accounts`(others: Int, loop: Int?) {
    var queue = RemediationQueue()
    let remediate = { (account: Account) in
      _ = queue.add(.init(account, isSilent: true), at: 0)
      return queue.finish(at: 0)
    }
    #expect(remediate(anna) == nil && remediate(anna) == nil)
    for number in 0..<others { _ = remediate(Account(upn: "\(number)@contoso.com")) }
    #expect(remediate(anna) == loop)
  }
}
