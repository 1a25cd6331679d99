public import Model
public import Wire

/// Manages this app's accounts (`IntuneMAMEnrollmentManager` of the Intune App SDK).
///
/// Callers name an account by UPN or object id, in any casing. Lists of accounts contain the object id of each account,
/// or its UPN if it has none. The ``delegate`` receives the result of each request.
public final class IntuneMAMEnrollmentManager {
  private let host: any HostPort
  private var accounts = EnrolledAccounts()
  /// Object ids keyed by lower-case UPN, including the ids of removed accounts.
  private var objectIDs: [String: String] = [:]
  /// The delegate that receives the results of enrollments, policy requests and unenrollments.
  public weak var delegate: (any IntuneMAMEnrollmentDelegate)?

  init(_ host: any HostPort) { self.host = host }

  /// Signs an account in and requests its enrollment from the service. The ``delegate`` receives the result.
  ///
  /// If a policy targets the account, the account is managed after the enrollment. A failed enrollment is retried; the
  /// interval depends on the failure.
  ///
  /// - Parameter completion: Receives the outcome. Its status is 0 if the service has not answered yet.
  public func registerAndEnrollAccountId(
    _ accountId: String, completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    host.request(.enroll(Enroll(account: accountId)), completion)
  }

  /// Signs an account in and enrolls it.
  ///
  /// If the scenario configures the enrollment service, the service enrolls the account. Otherwise it is
  /// enrolled immediately, and the delegate is not called.
  package func signIn(_ accountId: String, completion: @escaping (RequestOutcome) -> Void) {
    host.request(.signIn(account: accountId), completion)
  }

  /// Signs an account in and requests its enrollment. Prompts the user for credentials if needed.
  ///
  /// - Parameter identity: The account; nil for the account for which MDM enrolled the device. If MDM enrolled none,
  ///   the status is `nilAccount`.
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

  /// Unenrolls an account and removes it from this app.
  ///
  /// - Parameter doWipe: Whether to remove the account's data too.
  public func deRegisterAndUnenrollAccountId(
    _ accountId: String, withWipe doWipe: Bool,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    host.request(.unenroll(account: accountId, wipes: doWipe), completion)
  }

  /// Returns the accounts for which enrollment was requested from the service.
  public func registeredAccountIds() -> [String] { accounts.registered }

  /// Returns the registered accounts that are enrolled.
  public func enrolledAccountIds() -> [String] { accounts.enrolled }

  /// Returns the enrolled account of a single-identity app; nil if none is enrolled.
  public func enrolledAccountId() -> String? { accounts.enrolled.first }

  /// Returns the accounts that a policy protects in this app.
  public func managedAccountIds() -> [String] { accounts.managed }

  /// Returns the managed accounts whose policy requires a PIN.
  public func accountIdsWithPIN() -> [String] { accounts.pinRequired }

  /// Returns the UPNs of the accounts that may sign in; nil if all accounts may sign in, or if only their object ids
  /// are known.
  public func allowedAccounts() -> [String]? {
    accounts.allowedUPN.isEmpty ? nil : [accounts.allowedUPN]
  }

  /// Returns the object ids of the accounts that may sign in; nil if all accounts may sign in, or if only their UPNs
  /// are known.
  public func allowedAccountIds() -> [String]? {
    accounts.allowedObjectID.isEmpty ? nil : [accounts.allowedObjectID]
  }

  /// Returns the object id of the account under which the device is enrolled in MDM.
  ///
  /// The result is nil if MDM did not install the app, or if the app's MDM configuration lacks `IntuneMAMOID`.
  public func mdmEnrolledAccountId() -> String? {
    accounts.mdmEnrolled.isEmpty ? nil : accounts.mdmEnrolled
  }

  package func enroll(_ enroll: Enroll, completion: @escaping (RequestOutcome) -> Void) {
    host.request(.enroll(enroll), completion)
  }

  func isRemediating(_ accountId: String) -> Bool {
    accounts.remediating.contains { $0.lowercased() == accountId.lowercased() }
  }

  /// Returns the object id of an account; `name` itself if the account has none or is unknown.
  ///
  /// - Parameter name: A UPN or an object id, in any casing.
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
    default:  // open: a kind of request from a newer host
      break
    }
  }
}

/// Receives the service's answers about accounts (`IntuneMAMEnrollmentDelegate`).
///
/// Default implementations do nothing.
public protocol IntuneMAMEnrollmentDelegate: AnyObject {
  /// Called when an enrollment has succeeded or failed.
  func enrollmentRequest(with status: IntuneMAMEnrollmentStatus)

  /// Called after the SDK has requested an enrolled account's policies from the service.
  func policyRequest(with status: IntuneMAMEnrollmentStatus)

  /// Called when an unenrollment has succeeded or failed.
  func unenrollRequest(with status: IntuneMAMEnrollmentStatus)
}

extension IntuneMAMEnrollmentDelegate {
  public func enrollmentRequest(with status: IntuneMAMEnrollmentStatus) {}
  public func policyRequest(with status: IntuneMAMEnrollmentStatus) {}
  public func unenrollRequest(with status: IntuneMAMEnrollmentStatus) {}
}

/// The result of an enrollment, policy or unenrollment request (`IntuneMAMEnrollmentStatus`).
public struct IntuneMAMEnrollmentStatus: Sendable, Equatable {
  /// The UPN of the account; `""` if no account was named.
  public var identity: String
  /// The Entra object id of the account; `""` if it has none.
  public var accountId: String
  public var statusCode: IntuneMAMEnrollmentStatusCode

  public var didSucceed: Bool { statusCode.isSuccess }

  /// Creates the status that the host's notice describes; nil if this version does not know the status code.
  fileprivate init?(_ notice: EnrollmentNotice) {
    guard let code = IntuneMAMEnrollmentStatusCode(rawValue: notice.status) else { return nil }
    identity = notice.account
    accountId = notice.objectID
    statusCode = code
  }
}

/// The status codes, with the SDK's names and numbers.
public typealias IntuneMAMEnrollmentStatusCode = EnrollmentStatus
