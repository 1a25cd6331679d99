package import Model

/// The accounts of one app that have to become compliant, one after the other, as a value.
///
/// Source: Intune App SDK for iOS, `IntuneMAMComplianceManager.h`, `remediateComplianceForAccountId`.
package struct RemediationQueue: Sendable {
  /// The number of remediations without a token after which the app is said to remediate for ever.
  private static let loopLength = 3
  /// The maximum number of waiting accounts; a person has fewer.
  package static let capacity = 32

  /// A request to remediate an account.
  package struct Request: Sendable {
    package var account: Account
    /// Whether the user must not be asked for anything.
    package var isSilent: Bool

    /// Creates a request for `account`.
    package init(_ account: Account, isSilent: Bool) {
      self.account = account
      self.isSilent = isSilent
    }
  }

  /// The acceptance of a request.
  package enum Acceptance: Sendable, Equatable {
    /// The remediation is under way now.
    case begun
    /// The request waits for the ones before it.
    case queued
    /// The account is being remediated already, or waits for that.
    case dropped
    /// The app has remediated the account repeatedly at this very time without a token, or too many accounts wait.
    case refused
  }

  /// The requests in their order; the first is under way.
  package private(set) var requests: [Request] = []
  /// The number of remediations of an account that ended, with no token since, and the time of the last one.
  private var fruitless: [(account: Account, count: Int, time: Int)] = []

  /// Creates an empty queue.
  package init() {}

  /// Whether the account is being remediated, or waits for that.
  private func isRemediating(_ account: Account) -> Bool {
    requests.contains { $0.account.isSame(as: account) }
  }

  /// Adds a request to the queue, unless it is dropped or refused.
  ///
  /// - Parameter now: The time in seconds of the device's clock.
  package mutating func add(_ request: Request, at now: Int) -> Acceptance {
    guard !isRemediating(request.account) else { return .dropped }
    let isLoop = fruitless.contains {
      $0.account.isSame(as: request.account) && $0.count >= Self.loopLength && $0.time == now
    }
    guard !isLoop, requests.count < Self.capacity else { return .refused }
    requests.append(request)
    return requests.count == 1 ? .begun : .queued
  }

  /// Ends the remediation under way.
  ///
  /// - Returns: The number of the account's remediations that ended without a token, where that makes them a loop now.
  package mutating func finish(at now: Int) -> Int? {
    let account = requests.removeFirst().account
    let index = fruitless.firstIndex { $0.account.isSame(as: account) }
    let count = (index.map { fruitless[$0].count } ?? 0) + 1
    if let index { fruitless.remove(at: index) }
    fruitless.append((account, count, now))
    if fruitless.count > Self.capacity { fruitless.removeFirst() }
    return count == Self.loopLength ? count : nil
  }

  /// Knows the account by its new name from now on.
  package mutating func rename(_ account: Account, to new: Account) {
    for index in requests.indices where requests[index].account.isSame(as: account) {
      requests[index].account = new
    }
    for index in fruitless.indices where fruitless[index].account.isSame(as: account) {
      fruitless[index].account = new
    }
  }

  /// Forgets the account's fruitless remediations: the account has got a token.
  package mutating func succeed(_ account: Account) {
    fruitless.removeAll { $0.account.isSame(as: account) }
  }
}

// MARK: - Status

extension ComplianceStatus {
  /// The compliance status that follows from the SDK's answer: an account that no app protection policy protects in the
  /// app is not compliant, even where the service has enrolled it for an app configuration.
  package init(_ status: EnrollmentStatus, isProtected: Bool) {
    let compliance = ComplianceStatus(status)
    self = compliance == .compliant && !isProtected ? .notCompliant : compliance
  }

  /// The compliance status that follows from the SDK's answer to an enrollment or policy request.
  ///
  /// The mapping is assumed (`docs/ASSUMPTIONS.md`, enrollment); the SDK's headers only document the meaning of
  /// each status.
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

/// The text about a compliance status for the user, in our own words.
package struct ComplianceText: Sendable, Equatable {
  /// The language of the text.
  package enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case french = "fr"
  }

  package var title: String
  package var message: String

  /// The text for `status`. Title and message are empty for `compliant`, of which nobody is told.
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
        "Sign in again", "Your organization asks you to sign in before you go on."
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
