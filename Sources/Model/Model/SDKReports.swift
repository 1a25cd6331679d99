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
  /// The SDK needs the account's credentials, but the call may not prompt the user.
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
  case appNotEnrolled = 213
  /// Another account is enrolled in the app.
  case notEnrolledAccount = 214
  case failedToClearMamData = 215
  case timeout = 216
  case adalInternalError = 217
  case switchExistingAccount = 218
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

  /// Creates the status that the SDK calls `name`, such as `newPoliciesReceived`; nil for an unknown name.
  public init?(name: String) {
    guard let status = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = status
  }

  /// Whether the status means success: success statuses have numbers below 200.
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
  /// The call needs the user, but may not prompt. The app must call again with `silent` false.
  case interactionRequired = 4
  case userCancelled = 5

  /// The SDK's name for the status, such as `notCompliant`.
  public var name: String { "\(self)" }

  /// Creates the status that the SDK calls `name`, such as `notCompliant`; nil for an unknown name.
  public init?(name: String) {
    guard let status = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = status
  }
}

/// A notification from the SDK to an app. On a phone, the notification center delivers it; in Sluice, the app's
/// delegate gets it.
public enum IntuneMAMNotification: String, Sendable, CaseIterable {
  /// The app's policy changed (`IntuneMAMPolicyDidChangeNotification`).
  case policyDidChange
  /// An account's data was removed from the app (`IntuneMAMWipeDidCompleteNotification`).
  case wipeDidComplete
  /// The list of accounts that may sign in to the app changed (`IntuneMAMAllowedAccountsDidChangeNotification`).
  case allowedAccountsDidChange
  /// Files must now be encrypted, or no longer need to be, so the app protects its files again
  /// (`IntuneMAMDataProtectionDidChangeNotification`).
  case dataProtectionDidChange
  /// The app's configuration for an account changed (`IntuneMAMAppConfigDidChangeNotification`).
  case appConfigDidChange

  /// The notification's name in the SDK's Swift headers, such as `IntuneMAMPolicyDidChange`.
  public var declaration: String {
    "IntuneMAM" + rawValue.prefix(1).uppercased() + rawValue.dropFirst()
  }
}

/// A method of `IntuneMAMPolicyDelegate` that the SDK calls in an app. Raw values are the methods' names.
public enum PolicyDelegateMethod: String, Sendable, CaseIterable {
  case wipeData = "wipeData(forAccountId:)"
  case restartApplication = "restartApplication()"
  case addAccount = "addAccountId(_:completionHandler:)"
  case blockAccount = "blockAccountId(_:reason:completionHandler:)"
  case identitySwitchRequired =
    "identitySwitchRequired(forAccountId:reason:completionHandler:)"
}

/// A call of the SDK to an app's code: a method of a delegate, or a notification.
public enum SDKCall: Sendable, Hashable, CustomStringConvertible {
  /// `enrollmentRequest(with:)` of `IntuneMAMEnrollmentDelegate`.
  case enrollment(EnrollmentStatus)
  /// `policyRequest(with:)` of `IntuneMAMEnrollmentDelegate`.
  case policy(EnrollmentStatus)
  /// `unenrollRequest(with:)` of `IntuneMAMEnrollmentDelegate`.
  case unenrollment(EnrollmentStatus)
  /// `accountId(_:hasComplianceStatus:withErrorMessage:andErrorTitle:)` of
  /// `IntuneMAMComplianceDelegate`.
  case compliance(ComplianceStatus)
  case notification(IntuneMAMNotification)
  case delegate(PolicyDelegateMethod)

  /// The method or notification with its status, such as `enrollmentRequest(with:) newPoliciesReceived`.
  public var description: String {
    ([declaration] + (status.map { [$0] } ?? [])).joined(separator: " ")
  }

  /// The Swift name of the method or notification, as in the SDK's headers.
  public var declaration: String {
    switch self {
    case .enrollment: "enrollmentRequest(with:)"
    case .policy: "policyRequest(with:)"
    case .unenrollment: "unenrollRequest(with:)"
    case .compliance: "accountId(_:hasComplianceStatus:withErrorMessage:andErrorTitle:)"
    case .notification(let notification): notification.declaration
    case .delegate(let method): method.rawValue
    }
  }

  /// The name of the status; nil for calls without a status.
  public var status: String? {
    switch self {
    case .enrollment(let status), .policy(let status), .unenrollment(let status): status.name
    case .compliance(let status): status.name
    case .notification, .delegate: nil
    }
  }

  /// The Swift names of all methods and notifications that the SDK can call.
  public static let declarations =
    [
      SDKCall.enrollment(.timeout), .policy(.timeout), .unenrollment(.timeout),
      .compliance(.compliant),
    ].map(\.declaration) + PolicyDelegateMethod.allCases.map(\.rawValue)
    + IntuneMAMNotification.allCases.map(\.declaration)

  /// The status that this call reports to the enrollment delegate; nil if it calls something else.
  public var enrollmentStatus: EnrollmentStatus? {
    switch self {
    case .enrollment(let status), .policy(let status), .unenrollment(let status): status
    case .compliance, .notification, .delegate: nil
    }
  }
}

/// A call of the SDK, read from a journal, with the app that was called.
public struct RecordedSDKCall: Sendable, Hashable {
  public var call: SDKCall
  /// The app's bundle id.
  public var app: String
  /// The account's UPN, or the app's name for an account without a UPN. Empty in three cases: the app named no account,
  /// the delegate is to switch to an unmanaged account, or the notification concerns all accounts.
  public var account: String

  public init(call: SDKCall, app: String, account: String) {
    self.call = call
    self.app = app
    self.account = account
  }
}

/// Derives the SDK's calls from the events of a journal, which must be passed in order. The SDK calls only running
/// apps.
public struct SDKCallReader: Sendable {
  /// The bundle id of the app of each guest that has started. Keys are guest names.
  private var apps: [String: String] = [:]
  /// The running guests that have finished their handshake.
  private var ready: Set<String> = []
  /// The notification about an account's first policy, held back until the next event; nil if none is held back. It is
  /// dropped if the next event is the account's sign-in, because the SDK then does not send it.
  private var first: RecordedSDKCall?

  public init() {}

  /// Returns the SDK's calls that the event `kind` shows. A notification held back at the previous event comes first,
  /// unless `kind` is the sign-in of the notification's account.
  public mutating func calls(by kind: JournalEvent.Kind) -> [RecordedSDKCall] {
    var before = first
    var own: RecordedSDKCall?
    first = nil
    switch kind {
    case .guestStarted(let guest, let app, _): apps[guest] = app
    case .guestReady(let guest): ready.insert(guest)
    case .guestExited(let guest, _, _): ready.remove(guest)
    case .accountSignedIn(let app, let account, _):
      if before?.app == app, before?.account == account { before = nil }
    case .accountEnrolled(let app, let account, _):
      first = call(.notification(.policyDidChange), app, account)
    case .policyChanged(let app, let account, _):
      own = call(.notification(.policyDidChange), app, account)
    case .accountWiped(let app, let account):
      own = call(.notification(.wipeDidComplete), app, account)
    case .configurationDelivered(let app, let account, _, _):
      own = call(.notification(.appConfigDidChange), app, account)
    case .notificationPosted(let app, let account, let notification):
      let posted = IntuneMAMNotification(rawValue: notification).map(SDKCall.notification)
      own = call(posted, app, account ?? "")
    case .enrollmentAnswered(let app, let account, let request, let status):
      own = call(SDKCall(answer: request, status), app, account)
    case .complianceAnswered(let app, let account, let status, _, _):
      own = call(.compliance(status), app, account)
    case .wipeAdvanced(let app, let account, "asked", _):
      own = call(.delegate(.wipeData), app, account)
    case .identitySwitchRequired(let guest, let identity, _, _):
      own = call(.delegate(.identitySwitchRequired), apps[guest], identity)
    case .delegateAsked(let guest, let request, let account, _):
      let method = PolicyDelegateMethod(asked: request)
      own = call(method.map(SDKCall.delegate), apps[guest], account)
    case .deviceStarted, .deviceStopped, .clockRead, .caseBegan, .stepBegan, .expectation,
      .stepFailed, .caseEnded, .faultInjected, .itemArrived, .guestSuspended, .guestResumed,
      .claimIgnored, .accountSignedOut, .identitySwitched, .accessChecked, .accountNotAllowed,
      .accountRenamed, .wipeAdvanced, .policySaved, .appConfigured, .telemetryRecorded,
      .declarationsApplied, .managedAppChanged, .administratorInformed, .enrollmentAsked,
      .remediationLooped, .policyAbsent, .policyStated, .factsStated, .decided, .ended,
      .extensionCompleted, .extensionCancelled:
      break
    }
    return [before, own].compactMap(\.self)
  }

  /// Returns the record of `call` to `app`; nil if `call` or `app` is nil or no guest of the app is running.
  private func call(_ call: SDKCall?, _ app: String?, _ account: String) -> RecordedSDKCall? {
    guard let call, let app, ready.contains(where: { apps[$0] == app }) else { return nil }
    return RecordedSDKCall(call: call, app: app, account: account)
  }
}

extension SDKCall {
  /// Creates the enrollment delegate's call that answers a request.
  ///
  /// - Parameter request: The journal's name of the request: `enrollment`, `policy` or `unenrollment`. Other names
  ///   return nil.
  fileprivate init?(answer request: String, _ status: EnrollmentStatus) {
    switch request {
    case "enrollment": self = .enrollment(status)
    case "policy": self = .policy(status)
    case "unenrollment": self = .unenrollment(status)
    default: return nil  // open: the word of a newer journal
    }
  }
}

extension PolicyDelegateMethod {
  /// Creates the method that was called.
  ///
  /// - Parameter call: The journal's name of the method: `add`, `block` or `restart`. Other names return nil.
  fileprivate init?(asked call: String) {
    switch call {
    case "add": self = .addAccount
    case "block": self = .blockAccount
    case "restart": self = .restartApplication
    default: return nil  // open: the word of a newer journal
    }
  }
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
    /// Any other request through the SDK. Remediations and requests for tokens cause no telemetry.
    case action
  }

  /// The management of an app: by a policy (MAM), by MDM, by both or by neither.
  public enum Management: String, Sendable, CaseIterable {
    case mamWithMDM, mamOnly, mdmOnly, unmanaged

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
