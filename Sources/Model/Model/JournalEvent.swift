public import JSON

/// One line of the journal: an event on the device, in the device's own time.
public struct JournalEvent: Sendable, Equatable {
  /// The number of the event on the device, from 1.
  public var sequence: Int
  /// The device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
  public var time: Int
  public var kind: Kind

  /// An event of `kind` at `time`.
  public init(sequence: Int, time: Int, kind: Kind) {
    self.sequence = sequence
    self.time = time
    self.kind = kind
  }

  /// The kinds of events. The description of each, and of its members, is in its declaration,
  /// `JournalEvent+Declaration.swift`.
  public enum Kind: Sendable, Equatable {
    // The device and its scenario
    case deviceStarted(device: String, seed: UInt64)
    case deviceStopped
    case clockRead(realTime: String)
    case caseBegan(suite: String, name: String, criterion: String?)
    /// The places are those in the scenario's file; nil where the step stands in none.
    case stepBegan(step: Int, text: String, at: Position? = nil)
    case expectation(
      step: Int, expected: String, found: String, isMet: Bool, at: Position? = nil)
    case stepFailed(step: Int, why: String)
    case caseEnded
    case faultInjected(kind: FaultKind, point: FaultPoint, guest: String? = nil)
    /// An item that has come from another device has a number of this one's, as if a request had handed it over.
    case itemArrived(
      item: Int, by: Carrier, device: String, request: Int, type: String, bytes: Int,
      isEncrypted: Bool = false)

    // Guests
    case guestStarted(guest: String, app: String, team: String?)
    case guestReady(guest: String)
    case guestSuspended(guest: String)
    case guestResumed(guest: String)
    case guestExited(guest: String, cause: String, text: String)
    case claimIgnored(guest: String, claim: String, claimed: String, actual: String)

    // Accounts and identities
    case accountEnrolled(app: String, account: String, policies: [String])
    case accountSignedIn(app: String, account: String, isManaged: Bool)
    case accountSignedOut(app: String, account: String)
    case identitySwitched(guest: String, identity: String?, isManaged: Bool)
    case identitySwitchRequired(guest: String, identity: String, reason: String, isAccepted: Bool)
    case accessChecked(guest: String, account: String, action: String, verdict: ExplainedVerdict)
    case accountNotAllowed(app: String, expected: String, entered: String)
    case accountRenamed(account: String, to: String)
    case wipeAdvanced(app: String, account: String, state: String, detail: String?)
    case accountWiped(app: String, account: String)
    case policyChanged(app: String, account: String, policies: [String])
    case policySaved(policy: String, changes: [String])
    case appConfigured(app: String, keys: [String])
    case configurationDelivered(app: String, account: String, keys: [String], conflicts: [String])
    case telemetryRecorded(Telemetry)
    case declarationsApplied(configurations: [String], problems: [String] = [])
    case managedAppChanged(app: String, team: String, aspects: [String])
    case administratorInformed(app: String?, code: Int, message: String)
    case delegateAsked(guest: String, call: String, account: String, isAccepted: Bool)
    case enrollmentAsked(app: String, account: String, request: String)
    case enrollmentAnswered(
      app: String, account: String, request: String, status: EnrollmentStatus)
    case complianceAnswered(
      app: String, account: String, status: ComplianceStatus, title: String, message: String)
    case remediationLooped(app: String, account: String, count: Int)
    case policyAbsent(guest: String, action: String)

    // Requests
    case policyStated(policy: String, documents: [String], settings: RecordedObject)
    case factsStated(facts: String, request: RecordedObject)
    case decided(RequestDecision)
    case ended(request: Int, end: RequestEnd, status: Int = 0, detail: String? = nil)
    case extensionCompleted(guest: String, request: Int, returned: Int)
    case extensionCancelled(guest: String, request: Int, why: String)
  }
}

/// A decided request: its content, its participants as the device knows them, and the answer.
public struct RequestDecision: Sendable, Equatable {
  /// The number of the request on the device, from 1.
  public var request: Int
  public var operation: Operation
  /// The transfer's path; nil where the operation has none.
  public var via: SharingPath?
  public var sender: Participant?
  public var receiver: Participant?
  /// The owner of the data: a UPN, `""` when unknown; nil where nothing moves.
  public var owner: String?
  /// Uniform type of the item.
  public var type: String?
  /// Size of the item in bytes.
  public var bytes: Int?
  /// The items that what moves came from, by tags that the device has sealed, or by its own records: numbers of the
  /// requests that handed them over.
  public var from: [Int]
  /// The items that it was made of, as the guest says: numbers of earlier requests.
  public var stated: [Int]
  /// The items whose content it repeats, without their tags, in whole or in part; empty on a device that does not look.
  public var likely: [Int]
  /// The account, keychain group, URL or file that the request names.
  public var subject: String?
  /// The use of the file that the request opens; nil for other requests.
  public var use: FileUse?
  /// The file's place after a move, as ``subject`` is before; nil for other requests.
  public var target: String?
  /// The name under which the journal states what the rules were asked; nil where no rule was, or it is not stated.
  public var facts: String?
  public var verdict: ExplainedVerdict

  /// A decision on `request`; members that are not given are nil.
  public init(
    request: Int, operation: Operation, via: SharingPath? = nil, sender: Participant? = nil,
    receiver: Participant? = nil, owner: String? = nil, type: String? = nil, bytes: Int? = nil,
    from: [Int] = [], stated: [Int] = [], likely: [Int] = [], subject: String? = nil,
    use: FileUse? = nil,
    target: String? = nil, facts: String? = nil, verdict: ExplainedVerdict
  ) {
    self.request = request
    self.operation = operation
    self.via = via
    self.sender = sender
    self.receiver = receiver
    self.owner = owner
    self.type = type
    self.bytes = bytes
    self.from = from
    self.stated = stated
    self.likely = likely
    self.subject = subject
    self.use = use
    self.target = target
    self.facts = facts
    self.verdict = verdict
  }
}

/// One end of a transfer, with the facts that the device knows of it.
public struct Participant: Sendable, Equatable {
  /// The guest's name on this device.
  public var guest: String
  public var app: String
  /// The effective identity: nil when unset, `""` when unknown.
  public var identity: String?
  public var isManaged: Bool

  /// An end of a transfer, acting for `identity`.
  public init(guest: String, app: String, identity: String?, isManaged: Bool) {
    self.guest = guest
    self.app = app
    self.identity = identity
    self.isManaged = isManaged
  }
}
