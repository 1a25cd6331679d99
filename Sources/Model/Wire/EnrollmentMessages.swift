/// An account that the service is to enroll.
public struct Enroll: Sendable, Equatable {
  /// A UPN or an object id; nil: the app named none.
  public var account: String?
  /// Whether the user may be asked for credentials.
  public var isLogin: Bool

  public init(account: String?, isLogin: Bool = false) {
    self.account = account
    self.isLogin = isLogin
  }
}

/// An access token that an app wants to have.
public struct AcquireToken: Sendable, Equatable {
  /// A UPN or an object id.
  public var account: String
  /// Application id or URI of who is to take it.
  public var resource: String
  /// What the app declares that it can do, such as `protapp`.
  public var capabilities: [String]

  public init(account: String, resource: String, capabilities: [String] = []) {
    self.account = account
    self.resource = resource
    self.capabilities = capabilities
  }
}

/// What came of an enrollment, policy or unenrollment request.
public struct EnrollmentNotice: Sendable, Equatable {
  /// `enrollment`, `policy` or `unenrollment`.
  public var request: String
  /// UPN; `""` where none was named.
  public var account: String
  /// `""` where it is not known.
  public var objectID: String
  /// A raw value of `EnrollmentStatus`.
  public var status: Int

  public init(request: String, account: String, objectID: String, status: Int) {
    self.request = request
    self.account = account
    self.objectID = objectID
    self.status = status
  }
}

/// What came of making an account compliant with conditional access.
public struct ComplianceNotice: Sendable, Equatable {
  /// The object id, or the UPN where there is none.
  public var account: String
  /// A raw value of `ComplianceStatus`.
  public var status: Int
  /// For the user; `""` where the account is compliant.
  public var title: String
  public var message: String

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
  /// Those that are being made compliant with conditional access, or wait for it.
  public var remediating: [String]

  public init(
    registered: [String] = [], enrolled: [String] = [], remediating: [String] = []
  ) {
    self.registered = registered
    self.enrolled = enrolled
    self.remediating = remediating
  }
}
