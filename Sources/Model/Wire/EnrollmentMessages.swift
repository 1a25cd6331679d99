/// An account that the service is to enroll.
public struct Enroll: Sendable, Equatable {
  /// A UPN or an object id; nil where the app named no account.
  public var account: String?
  /// Whether the user may be asked for credentials.
  public var isLogin: Bool

  /// A request to enroll `account`.
  public init(account: String?, isLogin: Bool = false) {
    self.account = account
    self.isLogin = isLogin
  }
}

/// A request for an access token.
public struct AcquireToken: Sendable, Equatable {
  /// A UPN or an object id.
  public var account: String
  /// The application id or URI of the service that takes the token.
  public var resource: String
  /// The capabilities that the app declares, such as `protapp`.
  public var capabilities: [String]

  /// A request for a token of `account` for `resource`.
  public init(account: String, resource: String, capabilities: [String] = []) {
    self.account = account
    self.resource = resource
    self.capabilities = capabilities
  }
}

/// The result of an enrollment, policy or unenrollment request.
public struct EnrollmentNotice: Sendable, Equatable {
  /// `enrollment`, `policy` or `unenrollment`.
  public var request: String
  /// The account's UPN; `""` where none was named.
  public var account: String
  /// The account's object id; `""` where it is not known.
  public var objectID: String
  /// A raw value of `EnrollmentStatus`.
  public var status: Int

  /// The result `status` of `request` for `account`.
  public init(request: String, account: String, objectID: String, status: Int) {
    self.request = request
    self.account = account
    self.objectID = objectID
    self.status = status
  }
}

/// The result of making an account compliant with conditional access.
public struct ComplianceNotice: Sendable, Equatable {
  /// The object id, or the UPN where there is none.
  public var account: String
  /// A raw value of `ComplianceStatus`.
  public var status: Int
  /// The title for the user; `""` where the account is compliant.
  public var title: String
  public var message: String

  /// The result `status` for `account`.
  public init(account: String, status: Int, title: String, message: String) {
    self.account = account
    self.status = status
    self.title = title
    self.message = message
  }
}

/// The accounts that the SDK knows in an app, by object id, or by UPN where there is none.
public struct EnrolledAccounts: Sendable, Equatable {
  public var registered: [String]
  public var enrolled: [String]
  /// The accounts that are being made compliant with conditional access, or wait for it.
  public var remediating: [String]
  /// The accounts that a policy protects in the app.
  public var managed: [String]
  /// Of those, the ones whose policy asks for a PIN.
  public var pinRequired: [String]
  /// UPN and object id of the only account that may sign in; both `""`: all may.
  public var allowedUPN: String
  public var allowedObjectID: String
  /// Object id of the account that the device is enrolled in MDM under, where the app is told it; `""`: it is not.
  public var mdmEnrolled: String
  /// The accounts that have a UPN and an object id.
  public var names: [AccountNames]

  /// The accounts that the SDK knows.
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
}

/// The two names of an account.
public struct AccountNames: Sendable, Equatable {
  public var upn: String
  public var objectID: String

  public init(upn: String, objectID: String) {
    self.upn = upn
    self.objectID = objectID
  }
}
