public import Model
public import Wire

/// The accounts of this app (`IntuneMAMEnrollmentManager` of the Intune App SDK).
///
/// An account is named by its UPN or its object id, in any casing. The ``delegate`` receives the result of each call.
public final class IntuneMAMEnrollmentManager {
  private let host: any HostPort
  private var accounts = EnrolledAccounts()
  /// Object ids by UPNs in lower case, also of accounts that are gone.
  private var objectIDs: [String: String] = [:]
  /// The receiver of the results of enrollments, policy requests and unenrollments.
  public weak var delegate: (any IntuneMAMEnrollmentDelegate)?

  init(_ host: any HostPort) { self.host = host }

  /// Signs an account in and has the service enroll it, which the ``delegate`` is told; if a policy is targeted at it, it
  /// is managed from then on. An enrollment that fails is tried again every 24 hours.
  ///
  /// - Parameter completion: gets the answer where the service gives it at once.
  public func registerAndEnrollAccountId(
    _ accountId: String, completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    host.request(.enroll(Enroll(account: accountId)), completion)
  }

  /// Signs an account in, and has the service enroll it where the scenario says something of the service; else it is
  /// enrolled at once, and nobody is told.
  package func signIn(_ accountId: String, completion: @escaping (RequestOutcome) -> Void) {
    host.request(.signIn(account: accountId), completion)
  }

  /// Signs an account in and has the service enroll it; the user is asked for credentials where they are needed.
  ///
  /// - Parameter identity: the account; nil ends as `nilAccount`.
  public func loginAndEnrollAccount(
    _ identity: String?, completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    host.request(.enroll(Enroll(account: identity, isLogin: true)), completion)
  }

  /// Signs an account out and removes its data from this app.
  public func deRegisterAndUnenrollAccountId(
    _ accountId: String, completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    host.request(.signOut(account: accountId), completion)
  }

  /// Unenrolls an account and removes it from the app.
  ///
  /// - Parameter doWipe: whether its data are removed, too.
  public func deRegisterAndUnenrollAccountId(
    _ accountId: String, withWipe doWipe: Bool,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    host.request(.unenroll(account: accountId, wipes: doWipe), completion)
  }

  /// Object ids of the accounts that the service was asked about, or UPNs of those that have none.
  public func registeredAccountIds() -> [String] { accounts.registered }

  /// Object ids of the registered accounts that are enrolled, or UPNs of those that have none.
  public func enrolledAccountIds() -> [String] { accounts.enrolled }

  /// The enrolled account of an app that takes one; nil where none is enrolled.
  public func enrolledAccountId() -> String? { accounts.enrolled.first }

  /// Object ids of the accounts that a policy protects in this app, or UPNs of those that have none.
  public func managedAccountIds() -> [String] { accounts.managed }

  /// Of the accounts that a policy protects, those whose policy asks for a PIN.
  public func accountIdsWithPIN() -> [String] { accounts.pinRequired }

  /// UPNs of the accounts that may sign in to the app; nil: all may, or only the object id is known.
  public func allowedAccounts() -> [String]? {
    accounts.allowedUPN.isEmpty ? nil : [accounts.allowedUPN]
  }

  /// Object ids of the accounts that may sign in to the app; nil: all may, or only the UPN is known.
  public func allowedAccountIds() -> [String]? {
    accounts.allowedObjectID.isEmpty ? nil : [accounts.allowedObjectID]
  }

  /// Object id of the account that the device is enrolled in MDM under, where MDM has installed the app and its
  /// configuration has `IntuneMAMOID`; else nil.
  public func mdmEnrolledAccountId() -> String? {
    accounts.mdmEnrolled.isEmpty ? nil : accounts.mdmEnrolled
  }

  /// Has the service enroll an account; `enroll` states whether the user may be asked for credentials.
  package func enroll(_ enroll: Enroll, completion: @escaping (RequestOutcome) -> Void) {
    host.request(.enroll(enroll), completion)
  }

  func isRemediating(_ accountId: String) -> Bool {
    accounts.remediating.contains { $0.lowercased() == accountId.lowercased() }
  }

  /// The object id of the account of that name; the name itself where the account has none, or is not known.
  ///
  /// - Parameter name: a UPN or an object id, in any casing.
  public func accountId(of name: String) -> String { objectIDs[name.lowercased()] ?? name }

  func didChange(_ accounts: EnrolledAccounts) {
    self.accounts = accounts
    for account in accounts.names { objectIDs[account.upn.lowercased()] = account.objectID }
  }

  func handle(_ notice: EnrollmentNotice) {
    guard let status = IntuneMAMEnrollmentStatus(notice) else { return }
    switch notice.request {
    case "policy": delegate?.policyRequest(with: status)
    case "unenrollment": delegate?.unenrollRequest(with: status)
    case "enrollment": delegate?.enrollmentRequest(with: status)
    default:  // open: a word of a newer host
      break
    }
  }
}

/// The receiver of the service's answers about accounts (`IntuneMAMEnrollmentDelegate`). Defaults do nothing.
public protocol IntuneMAMEnrollmentDelegate: AnyObject {
  /// An account was enrolled, or could not be.
  func enrollmentRequest(with status: IntuneMAMEnrollmentStatus)

  /// The policies of an enrolled account were asked for.
  func policyRequest(with status: IntuneMAMEnrollmentStatus)

  /// An account was unenrolled, or could not be.
  func unenrollRequest(with status: IntuneMAMEnrollmentStatus)
}

extension IntuneMAMEnrollmentDelegate {
  public func enrollmentRequest(with status: IntuneMAMEnrollmentStatus) {}
  public func policyRequest(with status: IntuneMAMEnrollmentStatus) {}
  public func unenrollRequest(with status: IntuneMAMEnrollmentStatus) {}
}

/// The result of an enrollment, policy or unenrollment request (`IntuneMAMEnrollmentStatus`).
public struct IntuneMAMEnrollmentStatus: Sendable, Equatable {
  /// The UPN of the account; `""` where none was named.
  public var identity: String
  /// The Entra object id of the account; `""` where it has none.
  public var accountId: String
  public var statusCode: IntuneMAMEnrollmentStatusCode

  /// Whether the request succeeded.
  public var didSucceed: Bool { statusCode.isSuccess }

  /// Reads a notice; nil for a status that this version does not know.
  fileprivate init?(_ notice: EnrollmentNotice) {
    guard let code = IntuneMAMEnrollmentStatusCode(rawValue: notice.status) else { return nil }
    identity = notice.account
    accountId = notice.objectID
    statusCode = code
  }
}

/// The codes with the SDK's names and numbers.
public typealias IntuneMAMEnrollmentStatusCode = EnrollmentStatus
