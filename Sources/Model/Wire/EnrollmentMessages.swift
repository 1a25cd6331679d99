/// A request to enroll an account with the enrollment service.
public struct Enroll: Sendable, Equatable, DeclaredMessage {
  /// A UPN or an object id; nil if the app named no account.
  public var account: String?
  /// Whether the user may be asked for credentials.
  public var isLogin: Bool

  public init(account: String?, isLogin: Bool = false) {
    self.account = account
    self.isLogin = isLogin
  }

  static var blank: Enroll { Enroll(account: nil) }

  mutating func declare(in form: inout MessageForm) {
    form.field(1, &account, isNilIf: 2)
    form.field(3, &isLogin)
  }
}

/// A request for an access token.
public struct AcquireToken: Sendable, Equatable, DeclaredMessage {
  /// A UPN or an object id.
  public var account: String
  /// The application id or URI of the service that accepts the token.
  public var resource: String
  /// The capabilities that the app declares, such as `protapp`.
  public var capabilities: [String]

  public init(account: String, resource: String, capabilities: [String] = []) {
    self.account = account
    self.resource = resource
    self.capabilities = capabilities
  }

  static var blank: AcquireToken { AcquireToken(account: "", resource: "") }

  mutating func declare(in form: inout MessageForm) {
    form.field(1, &account)
    form.field(2, &resource)
    form.field(3, &capabilities)
  }
}

/// The result of an enrollment, policy or unenrollment request.
public struct EnrollmentNotice: Sendable, Equatable, DeclaredMessage {
  /// `enrollment`, `policy` or `unenrollment`.
  public var request: String
  /// The account's UPN; `""` if the app named no account.
  public var account: String
  /// The account's object id; `""` if unknown.
  public var objectID: String
  /// A raw value of `EnrollmentStatus`.
  public var status: Int

  public init(request: String, account: String, objectID: String, status: Int) {
    self.request = request
    self.account = account
    self.objectID = objectID
    self.status = status
  }

  static var blank: EnrollmentNotice {
    EnrollmentNotice(request: "", account: "", objectID: "", status: 0)
  }

  mutating func declare(in form: inout MessageForm) {
    form.field(1, &request)
    form.field(2, &account)
    form.field(3, &objectID)
    form.field(4, &status)
  }
}

/// The result of making an account compliant with conditional access.
public struct ComplianceNotice: Sendable, Equatable, DeclaredMessage {
  /// The account's object id; if it has none, its UPN.
  public var account: String
  /// A raw value of `ComplianceStatus`.
  public var status: Int
  /// The title of the message that the app shows to the user; `""` if the account is compliant.
  public var title: String
  public var message: String

  public init(account: String, status: Int, title: String, message: String) {
    self.account = account
    self.status = status
    self.title = title
    self.message = message
  }

  static var blank: ComplianceNotice {
    ComplianceNotice(account: "", status: 0, title: "", message: "")
  }

  mutating func declare(in form: inout MessageForm) {
    form.field(1, &account)
    form.field(2, &status)
    form.field(3, &title)
    form.field(4, &message)
  }
}

/// The state of the accounts that the SDK knows in an app. Each list names an account by its object id or, if it has
/// none, by its UPN.
public struct EnrolledAccounts: Sendable, Equatable, DeclaredMessage {
  public var registered: [String]
  public var enrolled: [String]
  /// The accounts for which a remediation for conditional access is in progress or waiting.
  public var remediating: [String]
  /// The accounts that a policy protects in the app.
  public var managed: [String]
  /// The managed accounts with a policy that requires a PIN.
  public var pinRequired: [String]
  /// The UPN of the only account that may sign in. If all accounts may sign in, it is `""`, and so is
  /// ``allowedObjectID``.
  public var allowedUPN: String
  public var allowedObjectID: String
  /// The object id of the user for whom the device is enrolled in MDM; `""` if the app does not get it.
  public var mdmEnrolled: String
  /// The UPN and object id of each account that has both.
  public var names: [AccountNames]

  /// Creates the lists. Without arguments, the SDK knows no account in the app.
  public init(
    registered: [String] = [], enrolled: [String] = [], remediating: [String] = [],
    managed: [String] = [], pinRequired: [String] = [], allowedUPN: String = "",
    allowedObjectID: String = "", mdmEnrolled: String = "", names: [AccountNames] = []
  ) {
    self.registered = registered
    self.enrolled = enrolled
    self.remediating = remediating
    self.managed = managed
    self.pinRequired = pinRequired
    self.allowedUPN = allowedUPN
    self.allowedObjectID = allowedObjectID
    self.mdmEnrolled = mdmEnrolled
    self.names = names
  }

  static var blank: EnrolledAccounts { EnrolledAccounts() }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    form.field(1, &registered)
    form.field(2, &enrolled)
    form.field(3, &remediating)
    form.field(4, &managed)
    form.field(5, &allowedUPN)
    form.field(6, &allowedObjectID)
    form.field(7, &mdmEnrolled)
    form.field(8, &pinRequired)
    try form.field(9, &names)
  }
}

/// The UPN and the object id of an account.
public struct AccountNames: Sendable, Equatable, DeclaredMessage {
  public var upn: String
  public var objectID: String

  public init(upn: String, objectID: String) {
    self.upn = upn
    self.objectID = objectID
  }

  static var blank: AccountNames { AccountNames(upn: "", objectID: "") }

  mutating func declare(in form: inout MessageForm) {
    form.field(1, &upn)
    form.field(2, &objectID)
  }
}
