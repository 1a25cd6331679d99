/// The SDK's status for an enrollment, a policy request or an unenrollment. Raw values are the SDK's numbers.
///
/// Source: Intune App SDK for iOS, `IntuneMAMEnrollmentStatusCode`.
public enum EnrollmentStatus: Int, Sendable, CaseIterable {
  case newPoliciesReceived = 100
  case policiesHaveNotChanged = 101
  /// A selective wipe was requested and is complete.
  case wipeReceived = 102
  /// The account is enrolled, and no policy targets it.
  case noPolicyReceived = 103
  case unenrollmentSuccess = 104

  case accountNotLicensed = 200
  case internalError = 201
  case mamServiceDisabled = 202
  /// The account's credentials are needed, and the call may not prompt the user.
  case authRequired = 203
  case locationServiceFailure = 204
  case enrollmentEndPointNetworkFailure = 205
  case parsingFailure = 206
  case nilAccount = 207
  case alreadyEnrolled = 208
  /// A third-party MDM names another account.
  case notEmmAccount = 209
  /// The device is enrolled in MDM under another account.
  case mdmEnrolledDifferentUser = 210
  /// The device belongs to another account.
  case notDeviceAccount = 211
  case policyEndPointNetworkFailure = 212
  /// No account is enrolled in the app.
  case appNotEnrolled = 213
  /// Another account is enrolled in the app.
  case notEnrolledAccount = 214
  case failedToClearMamData = 215
  case timeout = 216
  case adalInternalError = 217
  case switchExistingAccount = 218
  /// The user cancelled the login.
  case loginCanceled = 219
  case policyRecordGone = 220
  case reEnrollForUnenrolledUser = 221
  case tenantMigration = 222
  /// The request came from an extension.
  case unsupportedAPI = 223
  case adalMethodUnsupported = 224
  case licensedNotTargeted = 225
  case deviceBlockedEnrollment = 226
  case singleManagedAccountMode = 227

  /// The SDK's name for the status, such as `newPoliciesReceived`.
  public var name: String { "\(self)" }

  /// Creates the status with the SDK's name; nil for any other name.
  public init?(name: String) {
    guard let status = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = status
  }

  /// Whether the status is a success: a number below 200.
  public var isSuccess: Bool { rawValue < 200 }
}

/// The result of making an account compliant with conditional access. Raw values are the SDK's numbers.
///
/// Source: Intune App SDK for iOS, `IntuneMAMComplianceStatus`.
public enum ComplianceStatus: Int, Sendable, CaseIterable {
  /// A policy protects the account in the app.
  case compliant = 0
  case notCompliant = 1
  case serviceFailure = 2
  case networkFailure = 3
  /// The user must be prompted: call again with `silent` false.
  case interactionRequired = 4
  case userCancelled = 5

  /// The SDK's name for the status, such as `notCompliant`.
  public var name: String { "\(self)" }

  /// Creates the status with the SDK's name; nil for any other name.
  public init?(name: String) {
    guard let status = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = status
  }
}

/// A notification from the SDK. The SDK posts it to the notification center; Sluice sends it to the
/// app's delegate.
public enum IntuneMAMNotification: String, Sendable, CaseIterable {
  /// The app's policy changed (`IntuneMAMPolicyDidChangeNotification`).
  case policyDidChange
  /// An account's data was removed from the app (`IntuneMAMWipeDidCompleteNotification`).
  case wipeDidComplete
  /// The set of accounts that may sign in changed (`IntuneMAMAllowedAccountsDidChangeNotification`).
  case allowedAccountsDidChange
  /// The requirement to encrypt files changed, and the app protects its files again
  /// (`IntuneMAMDataProtectionDidChangeNotification`).
  case dataProtectionDidChange
  /// The app's configuration for an account changed (`IntuneMAMAppConfigDidChangeNotification`).
  case appConfigDidChange
}

/// A telemetry event from the SDK about an app. It contains neither accounts nor data.
///
/// Source: Intune App SDK for iOS developer guide, telemetry.
public struct Telemetry: Sendable, Hashable {
  /// The app's bundle id.
  public var app: String
  public var kind: Kind
  public var management: Management
  /// The SDK call or the operation; nil for a launch.
  public var call: String?
  /// The result of the call or the operation; nil for a launch.
  public var result: String?

  /// The subject of a telemetry event.
  public enum Kind: String, Sendable, CaseIterable {
    case launch
    /// `registerAndEnroll`, `loginAndEnroll` or `deRegisterAndUnenroll`.
    case enrollment
    /// A request that the app made through the SDK.
    case action
  }

  /// The management of an app: by a policy (MAM), by MDM, by both or by neither.
  public enum Management: String, Sendable, CaseIterable {
    case mamWithMDM, mamOnly, mdmOnly, unmanaged

    /// Creates the value for an app from whether it has a managed account and whether MDM manages
    /// it.
    public init(hasManagedAccount: Bool, isMDMManaged: Bool) {
      self =
        switch (hasManagedAccount, isMDMManaged) {
        case (true, true): .mamWithMDM
        case (true, false): .mamOnly
        case (false, true): .mdmOnly
        case (false, false): .unmanaged
        }
    }
  }

  public init(
    app: String, kind: Kind, management: Management, call: String? = nil, result: String? = nil
  ) {
    self.app = app
    self.kind = kind
    self.management = management
    self.call = call
    self.result = result
  }
}
