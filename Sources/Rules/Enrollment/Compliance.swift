package import Model

/// A queue of accounts to make compliant, which are processed one at a time.
///
/// Source: Intune App SDK for iOS, `IntuneMAMComplianceManager.h`, `remediateComplianceForAccountId`.
package struct RemediationQueue: Sendable {
  /// The number of consecutive remediations without a token after which an account counts as being in a loop.
  private static let loopLength = 3
  /// The maximum number of requests in the queue. Real users do not reach it.
  package static let capacity = 32

  package struct RemediationRequest: Sendable {
    package var account: Account
    /// Whether the user must not be prompted.
    package var isSilent: Bool

    package init(_ account: Account, isSilent: Bool) {
      self.account = account
      self.isSilent = isSilent
    }
  }

  package enum Acceptance: Sendable, Equatable {
    case begun
    /// The request waits for earlier requests.
    case queued
    /// Another request for the same account is in progress or waiting.
    case dropped
    /// The queue is full, or the account is in a loop: its number of remediations without a token has reached the
    /// limit, and the latest was at the current time.
    case refused
  }

  /// The requests in the order of arrival; the first is in progress.
  package private(set) var requests: [RemediationRequest] = []
  /// The accounts with remediations that led to no token. `count` is the number of these remediations since the
  /// account's last token, and `time` is the time of the latest.
  private var fruitless: [(account: Account, count: Int, time: Int)] = []

  package init() {}

  private func isRemediating(_ account: Account) -> Bool {
    requests.contains { $0.account.isSameUser(as: account) }
  }

  /// Adds a request to the queue, unless it is dropped or refused. `now` is in seconds of the device's clock.
  package mutating func add(_ request: RemediationRequest, at now: Int) -> Acceptance {
    guard !isRemediating(request.account) else { return .dropped }
    let isLoop = fruitless.contains {
      $0.account.isSameUser(as: request.account) && $0.count >= Self.loopLength && $0.time == now
    }
    guard !isLoop, requests.count < Self.capacity else { return .refused }
    requests.append(request)
    return requests.count == 1 ? .begun : .queued
  }

  /// Ends the remediation in progress, which led to no token. If the account's number of such remediations has just
  /// reached the loop limit, returns the number; otherwise nil.
  package mutating func finish(at now: Int) -> Int? {
    let account = requests.removeFirst().account
    let index = fruitless.firstIndex { $0.account.isSameUser(as: account) }
    let count = (index.map { fruitless[$0].count } ?? 0) + 1
    if let index { fruitless.remove(at: index) }
    fruitless.append((account, count, now))
    if fruitless.count > Self.capacity { fruitless.removeFirst() }
    return count == Self.loopLength ? count : nil
  }

  package mutating func rename(_ account: Account, to new: Account) {
    for index in requests.indices where requests[index].account.isSameUser(as: account) {
      requests[index].account = new
    }
    for index in fruitless.indices where fruitless[index].account.isSameUser(as: account) {
      fruitless[index].account = new
    }
  }

  /// Resets the count of the account's remediations without a token, because it received a token.
  package mutating func succeed(_ account: Account) {
    fruitless.removeAll { $0.account.isSameUser(as: account) }
  }
}

// MARK: - Status

extension ComplianceStatus {
  /// Creates the compliance status that follows from an enrollment status. An account without an app protection policy
  /// is not compliant, even if the service enrolled it for an app configuration.
  package init(_ status: EnrollmentStatus, isProtected: Bool) {
    let compliance = ComplianceStatus(status)
    self = compliance == .compliant && !isProtected ? .notCompliant : compliance
  }

  /// Creates the compliance status that follows from the enrollment status of a request.
  ///
  /// The mapping is assumed (`docs/ASSUMPTIONS.md`, enrollment); the SDK's headers document only the statuses.
  package init(_ status: EnrollmentStatus) {
    switch status {
    case .newPoliciesReceived, .policiesHaveNotChanged, .alreadyEnrolled: self = .compliant
    case .authRequired: self = .interactionRequired
    case .loginCanceled: self = .userCancelled
    case .locationServiceFailure, .enrollmentEndPointNetworkFailure, .policyEndPointNetworkFailure,
      .timeout:
      self = .networkFailure
    case .internalError, .mamServiceDisabled, .parsingFailure, .failedToClearMamData,
      .adalInternalError, .switchExistingAccount, .policyRecordGone, .tenantMigration,
      .adalMethodUnsupported:
      self = .serviceFailure
    case .wipeReceived, .noPolicyReceived, .unenrollmentSuccess, .accountNotLicensed, .nilAccount,
      .notEmmAccount, .mdmEnrolledDifferentUser, .notDeviceAccount, .appNotEnrolled,
      .notEnrolledAccount, .reEnrollForUnenrolledUser, .unsupportedAPI, .licensedNotTargeted,
      .deviceBlockedEnrollment, .singleManagedAccountMode:
      self = .notCompliant
    }
  }
}

// MARK: - Text

/// The message to the user about a compliance status, in Sluice's own wording.
package struct ComplianceText: Sendable, Equatable {
  package enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case french = "fr"
  }

  package var title: String
  package var message: String

  /// Creates the text for `status`. Title and message are empty for `compliant`, because the user sees no message then.
  package init(_ status: ComplianceStatus, in language: Language) {
    let entry = Self.table[status]?[language]
    title = entry?.title ?? ""
    message = entry?.message ?? ""
  }

  private static let table: [ComplianceStatus: [Language: (title: String, message: String)]] = [
    .notCompliant: [
      .english: (
        "Access denied",
        "Your organization does not let this account use this app. Ask its support for help."
      ),
      .french: (
        "Accès refusé",
        "Votre organisation n’autorise pas ce compte dans cette app. Adressez-vous à son assistance."
      ),
    ],
    .serviceFailure: [
      .english: (
        "Something went wrong",
        "Your organization’s protection policy could not be fetched. Try again later."
      ),
      .french: (
        "Un problème est survenu",
        "La stratégie de protection de votre organisation n’a pas pu être obtenue. Réessayez plus tard."
      ),
    ],
    .networkFailure: [
      .english: (
        "No connection", "Connect to the internet, then try again."
      ),
      .french: (
        "Pas de connexion", "Connectez-vous à Internet, puis réessayez."
      ),
    ],
    .interactionRequired: [
      .english: (
        "Sign in again", "Your organization asks you to sign in before you continue."
      ),
      .french: (
        "Reconnectez-vous", "Votre organisation vous demande de vous connecter avant de continuer."
      ),
    ],
    .userCancelled: [
      .english: (
        "Sign-in cancelled", "Without signing in, this account has no access to work data."
      ),
      .french: (
        "Connexion annulée", "Sans connexion, ce compte n’a pas accès aux données professionnelles."
      ),
    ],
  ]
}
