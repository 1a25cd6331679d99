public import JSON

/// One line of the journal: what happened on the device, in the device's own time.
public struct JournalEvent: Sendable, Equatable {
  /// Counts the device's events from 1.
  public var sequence: Int
  /// The device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
  public var time: Int
  public var kind: Kind

  public init(sequence: Int, time: Int, kind: Kind) {
    self.sequence = sequence
    self.time = time
    self.kind = kind
  }

  public enum Kind: Sendable, Equatable {
    /// A device came up.
    case deviceStarted(device: String, seed: UInt64)
    /// A device went down in order.
    case deviceStopped
    /// A scenario's case begins on this device.
    case caseBegan(suite: String, name: String, criterion: String?)
    /// A step begins; numbers count from 1 within a case. It stands at that place of the scenario's file; nil: in none.
    case stepBegan(step: Int, text: String, at: Position? = nil)
    /// What a step's expectation compared, and whether it held. It stands at that place of the scenario's file; nil: in
    /// none.
    case expectation(
      step: Int, expected: String, found: String, isMet: Bool, at: Position? = nil)
    /// A step could not be carried out.
    case stepFailed(step: Int, why: String)
    case caseEnded

    case guestStarted(guest: String, app: String)
    case guestReady(guest: String)
    case guestSuspended(guest: String)
    case guestResumed(guest: String)
    case guestExited(guest: String, cause: String, text: String)
    /// The guest said something of itself that the device knows to be otherwise.
    case claimIgnored(guest: String, claim: String, claimed: String, actual: String)

    case accountEnrolled(app: String, account: String, policies: [String])
    case accountSignedIn(app: String, account: String, isManaged: Bool)
    case accountSignedOut(app: String, account: String)
    case identitySwitched(guest: String, identity: String?, isManaged: Bool)
    /// The SDK asked the app to act for another account.
    case identitySwitchRequired(guest: String, identity: String, reason: String, isAccepted: Bool)

    /// An account's policy was asked whether the guest may act for it now, and did not simply agree. `action` is
    /// `warn`, `block` or `wipe`.
    case accessChecked(guest: String, account: String, action: String, verdict: ExplainedVerdict)
    /// The account and its data were removed from the app.
    case accountWiped(app: String, account: String)
    /// How far a selective wipe has come: `requested`, `asked`, `answered`, `deleted`. `detail` is a clause, or nil.
    case wipeAdvanced(app: String, account: String, state: String, detail: String?)
    /// Other policies apply to the account in the app from now on; none: it is unmanaged.
    case policyChanged(app: String, account: String, policies: [String])
    /// The app's configuration has changed; nothing of its values is told.
    case appConfigured(app: String, keys: [String])
    /// The account is configured otherwise in the app from now on; no keys: no longer. Of `conflicts` several different
    /// values are targeted; nothing of values is told.
    case configurationDelivered(app: String, account: String, keys: [String], conflicts: [String])
    /// What the SDK would tell Microsoft of the app's use; it names no account.
    case telemetryRecorded(Telemetry)
    /// An administrator's declarations are in force: these configurations are active. `problems` are the first 100 lines
    /// on what is wrong or odd about them.
    case declarationsApplied(configurations: [String], problems: [String] = [])
    /// An administrator provides something else for an app or extension from now on: `configuration`, `passwords`, ….
    case managedAppChanged(app: String, team: String, aspects: [String])
    /// The device's event log, which the administrator reads, has another line. `app` is nil where it is about none.
    case administratorInformed(app: String?, code: Int, message: String)
    /// The app's configuration allows another account than one that is signed in.
    case accountNotAllowed(app: String, expected: String, entered: String)
    case accountRenamed(account: String, to: String)
    /// The SDK asked the app to `add` or to `block` an account.
    case delegateAsked(guest: String, call: String, account: String, isAccepted: Bool)

    /// The SDK asks the service about an account: `enrollment`, `login` or `policy`.
    case enrollmentAsked(app: String, account: String, request: String)
    /// What the app's delegate hears of an `enrollment`, `policy` or `unenrollment` request; `account` is `""` where
    /// none was named.
    case enrollmentAnswered(
      app: String, account: String, request: String, status: EnrollmentStatus)
    /// What came of making an account compliant.
    case complianceAnswered(
      app: String, account: String, status: ComplianceStatus, title: String, message: String)
    /// The app remediates an account for ever: it has done so this often, and got no token.
    case remediationLooped(app: String, account: String, count: Int)
    /// An app started without a policy that it needs (`action` is `block`) or should have (`warn`).
    case policyAbsent(guest: String, action: String)

    case decided(RequestDecision)
    /// `status` is what the guest gets from the SDK or the system, such as 227 or -25300; 0 for none.
    case ended(request: Int, end: RequestEnd, status: Int = 0, detail: String? = nil)

    /// A share or action extension finished with its item.
    case extensionCompleted(guest: String, request: Int, returned: Int)
    case extensionCancelled(guest: String, request: Int, why: String)
  }
}

/// What was asked, by whom as the device knows it, and the answer.
public struct RequestDecision: Sendable, Equatable {
  /// Counts the device's requests from 1.
  public var request: Int
  public var operation: Operation
  /// The transfer's path; nil where the operation knows none.
  public var via: SharingPath?
  public var sender: Participant?
  public var receiver: Participant?
  /// The owner of the data: a UPN, `""` when unknown; nil where nothing moves.
  public var owner: String?
  /// Uniform type of the item.
  public var type: String?
  /// Size of the item in bytes.
  public var bytes: Int?
  /// The account, keychain group, or URL that the request names.
  public var subject: String?
  public var verdict: ExplainedVerdict

  public init(
    request: Int, operation: Operation, via: SharingPath? = nil, sender: Participant? = nil,
    receiver: Participant? = nil, owner: String? = nil, type: String? = nil, bytes: Int? = nil,
    subject: String? = nil, verdict: ExplainedVerdict
  ) {
    self.request = request
    self.operation = operation
    self.via = via
    self.sender = sender
    self.receiver = receiver
    self.owner = owner
    self.type = type
    self.bytes = bytes
    self.subject = subject
    self.verdict = verdict
  }
}

/// One end of a transfer, as the device stamped it.
public struct Participant: Sendable, Equatable {
  /// The guest's name on this device.
  public var guest: String
  public var app: String
  /// The effective identity: nil when unset, `""` when unknown.
  public var identity: String?
  public var isManaged: Bool

  public init(guest: String, app: String, identity: String?, isManaged: Bool) {
    self.guest = guest
    self.app = app
    self.identity = identity
    self.isManaged = isManaged
  }
}
