public import Encodings

/// An event on the device: one line of the journal.
public struct JournalEvent: Sendable, Equatable {
  /// The number of the event on the device, from 1.
  public var sequence: Int
  /// The device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
  public var time: Int
  public var kind: Kind

  public init(sequence: Int, time: Int, kind: Kind) {
    self.sequence = sequence
    self.time = time
    self.kind = kind
  }

  /// The kinds of events. ``declared(in:)`` describes each kind and its members.
  public enum Kind: Sendable, Equatable {
    // The device and its scenario
    case deviceStarted(device: String, seed: UInt64)
    case deviceStopped
    case clockRead(realTime: String)
    case caseBegan(suite: String, name: String, criterion: String?)
    /// `at` is the step's location in the scenario file; nil if the step has no location.
    case stepBegan(step: Int, text: String, at: Position? = nil)
    case expectation(
      step: Int, expected: String, found: String, isMet: Bool, at: Position? = nil)
    case stepFailed(step: Int, why: String)
    case caseEnded
    case faultInjected(kind: FaultKind, point: FaultPoint, guest: String? = nil)
    /// An item has arrived from another device, which sent it by its request `request`. `item` is the request number
    /// that this device assigned to the arrival.
    case itemArrived(
      item: Int, by: Transport, device: String, request: Int, type: String, bytes: Int,
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
    case notificationPosted(app: String, account: String?, notification: String)
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

// MARK: - Names

/// The name of a kind of event, in the journal's `event` member. Documents list events in this order.
public enum JournalEventName: String, Sendable, CaseIterable {
  case deviceStarted = "device.started"
  case deviceStopped = "device.stopped"
  case clockRead = "clock.read"
  case caseBegan = "case.began"
  case stepBegan = "step.began"
  case expectation = "expectation"
  case stepFailed = "step.failed"
  case caseEnded = "case.ended"
  case faultInjected = "fault.injected"
  case itemArrived = "item.arrived"

  case guestStarted = "guest.started"
  case guestReady = "guest.ready"
  case guestSuspended = "guest.suspended"
  case guestResumed = "guest.resumed"
  case guestExited = "guest.exited"
  case claimIgnored = "claim.ignored"

  case accountEnrolled = "account.enrolled"
  case accountSignedIn = "account.signedIn"
  case accountSignedOut = "account.signedOut"
  case identitySwitched = "identity.switched"
  case identitySwitchRequired = "identity.switchRequired"
  case accessChecked = "access.checked"
  case accountNotAllowed = "account.notAllowed"
  case accountRenamed = "account.renamed"
  case wipeAdvanced = "wipe.advanced"
  case accountWiped = "account.wiped"
  case policyChanged = "policy.changed"
  case policySaved = "policy.saved"
  case appConfigured = "app.configured"
  case configurationDelivered = "configuration.delivered"
  case notificationPosted = "notification.posted"
  case telemetryRecorded = "telemetry.recorded"
  case declarationsApplied = "declarations.applied"
  case managedAppChanged = "managedApp.changed"
  case administratorInformed = "administrator.informed"
  case delegateAsked = "delegate.asked"
  case enrollmentAsked = "enrollment.asked"
  case enrollmentAnswered = "enrollment.answered"
  case complianceAnswered = "compliance.answered"
  case remediationLooped = "remediation.looped"
  case policyAbsent = "policy.absent"

  case policyStated = "policy.stated"
  case factsStated = "facts.stated"
  case requestDecided = "request.decided"
  case requestEnded = "request.ended"
  case extensionCompleted = "extension.completed"
  case extensionCancelled = "extension.cancelled"
}

// MARK: - Lines

extension JournalEvent {
  /// Writes the event as one compact object, without a line end. Members are always in the same order, see
  /// `docs/journal.md` and `docs/schema/journal.schema.json`.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      Self.writeStart(sequence: sequence, time: time, to: &writer)
      kind.declared(in: &writer)
    }
  }

  /// Writes `seq` and `time`, the members before the event's name.
  static func writeStart(sequence: Int, time: Int, to writer: inout JSONWriter) {
    writer.member("seq", sequence)
    Timestamp.withQuotedBytes(of: time) { writer.member("time", json: $0) }
  }

  /// Reads one line of a journal.
  ///
  /// - Throws: ``JournalFormatError`` if `line` is not JSON or not an event.
  public init(line: String) throws(JournalFormatError) {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONReader.read(line)
    } catch {
      throw JournalFormatError(position: error.position, message: error.message)
    }
    try self.init(value)
  }

  /// Reads an event and ignores unknown members.
  ///
  /// - Throws: ``JournalFormatError`` if `value` is not an object, or a member is missing or malformed.
  public init(_ value: JSONValue) throws(JournalFormatError) {
    var record = try JournalRecord(value)
    let (sequence, time): (Int, Int) = (try record.required("seq"), try record.time("time"))
    let name: JournalEventName = try record.required("event")
    self.init(sequence: sequence, time: time, kind: try name.blank.declared(in: &record))
  }
}

/// An error about a line that is not a journal event: broken JSON, or JSON of another shape.
public struct JournalFormatError: Error, Sendable, Equatable {
  /// The position within the line.
  public var position: Position
  /// The message, lower case, no full stop, such as ``the member `end` is missing``.
  public var message: String

  public init(position: Position, message: String) {
    self.position = position
    self.message = message
  }
}

// MARK: - Declarations

extension JournalEventName {
  /// An event of this kind with placeholder values, into which a line is read or from which the kind's description is
  /// collected.
  var blank: JournalEvent.Kind {
    switch self {
    case .deviceStarted: .deviceStarted(device: "", seed: 0)
    case .deviceStopped: .deviceStopped
    case .clockRead: .clockRead(realTime: "")
    case .caseBegan: .caseBegan(suite: "", name: "", criterion: nil)
    case .stepBegan: .stepBegan(step: 0, text: "", at: .nowhere)
    case .expectation:
      .expectation(step: 0, expected: "", found: "", isMet: false, at: .nowhere)
    case .stepFailed: .stepFailed(step: 0, why: "")
    case .caseEnded: .caseEnded
    case .faultInjected: .faultInjected(kind: .kill, point: .decided)
    case .itemArrived:
      .itemArrived(item: 0, by: .airDrop, device: "", request: 0, type: "", bytes: 0)

    case .guestStarted: .guestStarted(guest: "", app: "", team: nil)
    case .guestReady: .guestReady(guest: "")
    case .guestSuspended: .guestSuspended(guest: "")
    case .guestResumed: .guestResumed(guest: "")
    case .guestExited: .guestExited(guest: "", cause: "", text: "")
    case .claimIgnored: .claimIgnored(guest: "", claim: "", claimed: "", actual: "")

    case .accountEnrolled: .accountEnrolled(app: "", account: "", policies: [])
    case .accountSignedIn: .accountSignedIn(app: "", account: "", isManaged: false)
    case .accountSignedOut: .accountSignedOut(app: "", account: "")
    case .identitySwitched: .identitySwitched(guest: "", identity: nil, isManaged: false)
    case .identitySwitchRequired:
      .identitySwitchRequired(guest: "", identity: "", reason: "", isAccepted: false)
    case .accessChecked: .accessChecked(guest: "", account: "", action: "", verdict: .blank)
    case .accountNotAllowed: .accountNotAllowed(app: "", expected: "", entered: "")
    case .accountRenamed: .accountRenamed(account: "", to: "")
    case .wipeAdvanced: .wipeAdvanced(app: "", account: "", state: "", detail: nil)
    case .accountWiped: .accountWiped(app: "", account: "")
    case .policyChanged: .policyChanged(app: "", account: "", policies: [])
    case .policySaved: .policySaved(policy: "", changes: [])
    case .appConfigured: .appConfigured(app: "", keys: [])
    case .configurationDelivered:
      .configurationDelivered(app: "", account: "", keys: [], conflicts: [])
    case .notificationPosted: .notificationPosted(app: "", account: nil, notification: "")
    case .telemetryRecorded:
      .telemetryRecorded(Telemetry(app: "", kind: .launch, management: .unmanaged))
    case .declarationsApplied: .declarationsApplied(configurations: [])
    case .managedAppChanged: .managedAppChanged(app: "", team: "", aspects: [])
    case .administratorInformed: .administratorInformed(app: nil, code: 0, message: "")
    case .delegateAsked: .delegateAsked(guest: "", call: "", account: "", isAccepted: false)
    case .enrollmentAsked: .enrollmentAsked(app: "", account: "", request: "")
    case .enrollmentAnswered:
      .enrollmentAnswered(app: "", account: "", request: "", status: .timeout)
    case .complianceAnswered:
      .complianceAnswered(app: "", account: "", status: .compliant, title: "", message: "")
    case .remediationLooped: .remediationLooped(app: "", account: "", count: 0)
    case .policyAbsent: .policyAbsent(guest: "", action: "")

    case .policyStated: .policyStated(policy: "", documents: [], settings: .blank)
    case .factsStated: .factsStated(facts: "", request: .blank)
    case .requestDecided: .decided(.blank)
    case .requestEnded: .ended(request: 0, end: .failed)
    case .extensionCompleted: .extensionCompleted(guest: "", request: 0, returned: 0)
    case .extensionCancelled: .extensionCancelled(guest: "", request: 0, why: "")
    }
  }
}

extension JournalEvent.Kind {
  /// Declares the event's name, summary and members, in the order in which they are written.
  ///
  /// The declaration writes and reads events and generates documents and the schema. Every event
  /// must have a declaration to compile.
  ///
  /// Texts are clauses, lower case, no full stop. The schema contains the summaries; documents also
  /// contain the notes.
  @discardableResult
  func declared<Form: JournalForm>(in form: inout Form) throws(Form.Failure) -> Self {
    switch self {
    // The device and its scenario
    case .deviceStarted(let device, let seed):
      form.event(.deviceStarted, in: .device, "a device started")
      return try .deviceStarted(
        device: form.member("device", device, "identifier of the device"),
        seed: form.member(
          "seed", seed, .count("seed of all random numbers, up to 2^64 - 1", from: 0)))
    case .deviceStopped:
      form.event(.deviceStopped, in: .device, "a device shut down cleanly")
      return .deviceStopped
    case .clockRead(let realTime):
      form.event(
        .clockRead, in: .device, "the machine's time when the following events were recorded",
        note: "with `--real-time`, recorded before the events of each iteration of the event loop")
      return try .clockRead(
        realTime: form.member("real", realTime, "UTC with milliseconds"))
    case .caseBegan(let suite, let name, let criterion):
      form.event(.caseBegan, in: .device, "a scenario's case begins on this device")
      return try .caseBegan(
        suite: form.member("suite", suite, "name of the scenario"),
        name: form.member("case", name, "name of the case"),
        criterion: form.member(
          "criterion", criterion, "exit criterion that the case verifies; absent if there is none"))
    case .stepBegan(let step, let text, let place):
      form.event(
        .stepBegan, in: .device,
        "a step begins",
        note: "steps are counted from 1 in each case")
      return try .stepBegan(
        step: form.step(step), text: form.member("text", text, "the step in one line"),
        at: form.place(place))
    case .expectation(let step, let expected, let found, let isMet, let place):
      form.event(
        .expectation, in: .device,
        "the values that a step's expectation compared",
        note: "of a long text, only the first 200 characters and the length")
      return try .expectation(
        step: form.step(step), expected: form.member("expected", expected, "the expected value"),
        found: form.member("found", found, "the actual value"),
        isMet: form.member("met", isMet, "whether the expectation was met"), at: form.place(place))
    case .stepFailed(let step, let why):
      form.event(.stepFailed, in: .device, "a step could not be carried out")
      return try .stepFailed(step: form.step(step), why: form.member("why", why, "one sentence"))
    case .caseEnded:
      form.event(.caseEnded, in: .device, "the latest case ended")
      return .caseEnded
    case .faultInjected(let kind, let point, let guest):
      form.event(
        .faultInjected, in: .device,
        "an armed fault triggered",
        note: "scenario.schema.json describes the kinds and points")
      return try .faultInjected(
        kind: form.member("kind", kind, "the fault"),
        point: form.member("point", point, "the stage of the transfer that triggered the fault"),
        guest: form.member(
          "guest", guest, "name of the affected guest; absent if there is none"))
    case .itemArrived(
      let item, let transport, let device, let request, let type, let bytes, let isEncrypted):
      form.event(
        .itemArrived, in: .device,
        "an item arrived from another device",
        note: "later events refer to the item by its number, as if a request had delivered it")
      return try .itemArrived(
        item: form.member(
          "item", item, .count("the item's number, from the same sequence as request numbers")),
        by: form.member("by", transport, "the kind of transfer"),
        device: form.member("device", device, "name of the sending device"),
        request: form.member(
          "request", request, .count("number of the sending request on that device")),
        type: form.member("type", type, "uniform type of the item"),
        bytes: form.member("bytes", bytes, .count("size of the item", from: 0)),
        isEncrypted: form.member(
          "encrypted", isEncrypted, unless: false,
          "whether it is ciphertext that only that device can decrypt"))

    // Guests
    case .guestStarted(let guest, let app, let team):
      form.event(.guestStarted, in: .guests, "a guest's process started")
      return try .guestStarted(
        guest: form.guest(guest), app: form.app(app),
        team: form.member(
          "team", team, "team identifier of the publisher; absent in older journals"))
    case .guestReady(let guest):
      form.event(.guestReady, in: .guests, "a guest finished its handshake")
      return try .guestReady(guest: form.guest(guest))
    case .guestSuspended(let guest):
      form.event(.guestSuspended, in: .guests, "a guest was frozen")
      return try .guestSuspended(guest: form.guest(guest))
    case .guestResumed(let guest):
      form.event(
        .guestResumed, in: .guests,
        "a frozen guest was resumed")
      return try .guestResumed(guest: form.guest(guest))
    case .guestExited(let guest, let cause, let text):
      form.event(
        .guestExited, in: .guests,
        "a guest exited",
        note: "`text` includes the guest's message")
      return try .guestExited(
        guest: form.guest(guest),
        cause: form.member(
          "cause", cause,
          """
          one word: stopped, exited, signalled, killed, memoryPressure, unresponsive, protocolViolation, \
          memoryLimit, processLimit, diskQuota or notStarted
          """
        ),
        text: form.member("text", text, "the cause as a phrase"))
    case .claimIgnored(let guest, let claim, let claimed, let actual):
      form.event(
        .claimIgnored, in: .guests,
        "a guest made a claim that contradicts the device's records")
      return try .claimIgnored(
        guest: form.guest(guest), claim: form.member("claim", claim, "the subject of the claim"),
        claimed: form.member("claimed", claimed, "the guest's claim"),
        actual: form.member("actual", actual, "the value that the device knows"))

    // Accounts and identities
    case .accountEnrolled(let app, let account, let policies):
      form.event(.accountEnrolled, in: .accounts, "a policy began to apply to an account in an app")
      return try .accountEnrolled(
        app: form.app(app), account: form.account(account),
        policies: form.member("policies", policies, "names of the policies that apply"))
    case .accountSignedIn(let app, let account, let isManaged):
      form.event(.accountSignedIn, in: .accounts, "an account signed in to an app")
      return try .accountSignedIn(
        app: form.app(app), account: form.account(account),
        isManaged: form.member(
          "managed", isManaged, "whether a policy applies to the account in the app"))
    case .accountSignedOut(let app, let account):
      form.event(.accountSignedOut, in: .accounts, "an account was signed out of an app")
      return try .accountSignedOut(app: form.app(app), account: form.account(account))
    case .identitySwitched(let guest, let identity, let isManaged):
      form.event(.identitySwitched, in: .accounts, "a guest acts for another identity")
      return try .identitySwitched(
        guest: form.guest(guest), identity: form.identity(identity),
        isManaged: form.member("managed", isManaged, "whether a policy applies to the identity"))
    case .identitySwitchRequired(let guest, let identity, let reason, let isAccepted):
      form.event(
        .identitySwitchRequired, in: .accounts,
        "the SDK asked an app to act for another account",
        note: "`accepted` is the answer")
      return try .identitySwitchRequired(
        guest: form.guest(guest),
        identity: form.member(
          "identity", identity, "UPN of the account to switch to; empty for an unmanaged one"),
        reason: form.member("reason", reason, "the reason for the switch, such as documentImport"),
        isAccepted: form.member("accepted", isAccepted, "whether the app reports success"))
    case .accessChecked(let guest, let account, let action, let verdict):
      form.event(
        .accessChecked, in: .accounts,
        "conditional launch restricted a guest's use of an account",
        note: """
          `warn`, `block` or `wipe`; the user's answer is a request `conditionalLaunch`. No \
          PIN is recorded
          """)
      return try .accessChecked(
        guest: form.guest(guest), account: form.account(account),
        action: form.member("action", action, .word("the result", "warn", "block", "wipe")),
        verdict: form.member("verdict", verdict, "the answer"))
    case .accountNotAllowed(let app, let expected, let entered):
      form.event(
        .accountNotAllowed, in: .accounts,
        "an app's configuration no longer allows an account that is signed in",
        note: "the account is wiped")
      return try .accountNotAllowed(
        app: form.app(app),
        expected: form.member("expected", expected, "the account that the configuration names"),
        entered: form.member("entered", entered, "UPN of the account that is signed in"))
    case .accountRenamed(let account, let name):
      form.event(.accountRenamed, in: .accounts, "the directory changed an account's UPN")
      return try .accountRenamed(
        account: form.member("account", account, "the old UPN"),
        to: form.member("to", name, "the new UPN"))
    case .wipeAdvanced(let app, let account, let state, let detail):
      form.event(
        .wipeAdvanced, in: .accounts,
        "the progress of a selective wipe",
        note: """
          `requested` (the requester), `asked`, `answered` (the app's answer, and the number of \
          files that remain if it is false), `deleted` (the number of deleted objects)
          """)
      return try .wipeAdvanced(
        app: form.app(app), account: form.account(account),
        state: form.member(
          "state", state,
          .word("the step that was completed", "requested", "asked", "answered", "deleted")),
        detail: form.member(
          "detail", detail,
          "the reason, the app's answer or the deleted data, as a clause; absent if there is none"
        ))
    case .accountWiped(let app, let account):
      form.event(
        .accountWiped, in: .accounts,
        "a selective wipe removed an account and its data from an app",
        note: "after its `account.signedOut`")
      return try .accountWiped(app: form.app(app), account: form.account(account))
    case .policyChanged(let app, let account, let policies):
      form.event(
        .policyChanged, in: .accounts,
        "the policies that apply to an account in an app changed",
        note: "without policies, the account is unmanaged")
      return try .policyChanged(
        app: form.app(app), account: form.account(account),
        policies: form.member(
          "policies", policies,
          "names of the policies that apply; empty if the account is unmanaged"))
    case .policySaved(let policy, let changes):
      form.event(
        .policySaved, in: .accounts,
        "the administrator saved a policy with other settings",
        note: "it precedes the resulting `policy.changed`")
      return try .policySaved(
        policy: form.member("policy", policy, "name of the policy in the scenario"),
        changes: form.member(
          "changes", changes,
          "each changed setting, and the flows that become possible or impossible"))
    case .appConfigured(let app, let keys):
      form.event(
        .appConfigured, in: .accounts,
        "an app's configuration changed; values are not recorded")
      return try .appConfigured(
        app: form.app(app), keys: form.member("keys", keys, "the keys, in alphabetical order"))
    case .configurationDelivered(let app, let account, let keys, let conflicts):
      form.event(
        .configurationDelivered, in: .accounts,
        "an account's configuration in an app changed; values are not recorded",
        note: """
          without keys, the account is no longer configured. For each key in `conflicts`, several \
          different values are targeted
          """)
      return try .configurationDelivered(
        app: form.app(app), account: form.account(account),
        keys: form.member(
          "keys", keys,
          "the keys, in alphabetical order; empty if the account is no longer configured"),
        conflicts: form.member(
          "conflicts", conflicts,
          "the keys for which several different values are targeted at the account"))
    case .notificationPosted(let app, let account, let notification):
      form.event(
        .notificationPosted, in: .accounts, "the SDK posted a notification in a running app",
        note: "notifications that other events imply are not recorded")
      return try .notificationPosted(
        app: form.app(app),
        account: form.member(
          "account", account, "UPN; absent if the notification concerns all accounts"),
        notification: form.member(
          "notification", notification,
          .word(
            "the notification",
            IntuneMAMNotification.allowedAccountsDidChange.rawValue,
            IntuneMAMNotification.dataProtectionDidChange.rawValue)))
    case .telemetryRecorded(let telemetry):
      form.event(
        .telemetryRecorded, in: .accounts,
        "the app usage that the SDK would report to Microsoft; it names no account",
        note: """
          on a device with `telemetry`: a `launch`; an `enrollment` \
          call (`registerAndEnroll`, `loginAndEnroll`, `deRegisterAndUnenroll`) with \
          `enrolled`, `notTargeted`, `refused`, `unenrolled` or the \
          status's name; or an `action`, any other SDK request \
          except `remediate` and `acquireToken`, with its verdict
          """)
      return try .telemetryRecorded(telemetry.declared(in: &form))
    case .declarationsApplied(let configurations, let problems):
      form.event(
        .declarationsApplied, in: .accounts,
        "an administrator's declarations took effect",
        note: """
          with the active configurations, and at most 100 lines of problems
          """)
      return try .declarationsApplied(
        configurations: form.member(
          "configurations", configurations, "identifiers of the active configurations"),
        problems: form.member(
          "problems", problems, unless: [],
          "errors and warnings about the declarations, at most 100 lines with their locations; absent if there is none"
        ))
    case .managedAppChanged(let app, let team, let aspects):
      form.event(
        .managedAppChanged, in: .accounts,
        "an administrator changed the data that an app or extension receives; values are not recorded"
      )
      return try .managedAppChanged(
        app: form.app(app), team: form.member("team", team, "team identifier"),
        aspects: form.member(
          "aspects", aspects,
          .word(
            "what has changed", "configuration", "legacyConfiguration", "passwords", "certificates",
            "identities")))
    case .administratorInformed(let app, let code, let message):
      form.event(
        .administratorInformed, in: .accounts,
        "an entry was added to the administrator's event log",
        note: "docs/managed-app.md lists authors and texts")
      return try .administratorInformed(
        app: form.member("app", app, "bundle id of the affected app; absent if there is none"),
        code: form.member(
          "code", code,
          "the code that the app reported, a code of the framework (1879048192 or more), or 0 for an entry by the device"
        ),
        message: form.member("message", message, "one line"))
    case .delegateAsked(let guest, let call, let account, let isAccepted):
      form.event(
        .delegateAsked, in: .accounts,
        """
        the SDK asked an app to add or block an account, or to restart for its first policy
        """,
        note: "`accepted` is the app's answer: for `restart`, whether it restarts itself")
      return try .delegateAsked(
        guest: form.guest(guest),
        call: form.member("call", call, .word("the request", "add", "block", "restart")),
        account: form.account(account),
        isAccepted: form.member("accepted", isAccepted, "whether the app reports success"))
    case .enrollmentAsked(let app, let account, let request):
      form.event(
        .enrollmentAsked, in: .accounts,
        "the SDK asked the service about an account",
        note: "`enrollment`, `login` or `policy`")
      return try .enrollmentAsked(
        app: form.app(app), account: form.account(account),
        request: form.member(
          "request", request,
          .word(
            "the request: enroll the account, enroll it after its user has logged in, or get its policies",
            "enrollment", "login", "policy")))
    case .enrollmentAnswered(let app, let account, let request, let status):
      form.event(
        .enrollmentAnswered, in: .accounts,
        """
        the app's delegate got the result of an enrollment, policy request or unenrollment
        """,
        note: "the status has the SDK's number and name")
      return try .enrollmentAnswered(
        app: form.app(app),
        account: form.member(
          "account", account, "UPN, or the name that the app used; empty if there is none"),
        request: form.member(
          "request", request,
          .word("the kind of result", "enrollment", "policy", "unenrollment")),
        status: form.numbered(status))
    case .complianceAnswered(let app, let account, let status, let title, let message):
      form.event(
        .complianceAnswered, in: .accounts,
        "the result of making an account compliant with conditional access")
      return try .complianceAnswered(
        app: form.app(app), account: form.account(account),
        status: form.member("status", status, "IntuneMAMComplianceStatus, by its name"),
        title: form.member(
          "title", title, "title of the message to the user; empty if the account is compliant"),
        message: form.member(
          "message", message, "text of the message to the user; empty if the account is compliant"))
    case .remediationLooped(let app, let account, let count):
      form.event(
        .remediationLooped, in: .accounts,
        "an app remediates an account repeatedly and gets no token")
      return try .remediationLooped(
        app: form.app(app), account: form.account(account),
        count: form.member("count", count, .count("the number of times")))
    case .policyAbsent(let guest, let action):
      form.event(
        .policyAbsent, in: .accounts,
        "an app started without a policy that it needs or should have",
        note:
          "`block`: the app needs a policy, and is stopped; `warn`: the app should have a policy")
      return try .policyAbsent(
        guest: form.guest(guest),
        action: form.member(
          "action", action,
          .word("the SDK's reaction: warn the user, or block and end the app", "warn", "block")))

    // Requests
    case .policyStated(let policy, let documents, let settings):
      form.event(
        .policyStated, in: .requests,
        "the settings of a policy, recorded before the first facts that name it",
        note: """
          only settings that differ from their defaults, as properties in Graph; merged if several \
          policies apply
          """)
      return try .policyStated(
        policy: form.member(
          "policy", policy, "the name by which facts refer to the policy, derived from its content"),
        documents: form.member(
          "documents", documents, "names of the policies whose settings the event states"),
        settings: form.member("settings", settings, "properties of `iosManagedAppProtection`"))
    case .factsStated(let facts, let request):
      form.event(
        .factsStated, in: .requests,
        "the input of the rules, recorded before the first decision based on it",
        note: """
          a request of `sluice decide`, with `policy` as \
          `policy.stated` names it; `sluice replay` decides it again
          """)
      return try .factsStated(
        facts: form.member(
          "facts", facts, "the name by which decisions refer to the input, derived from its content"
        ),
        request: form.member("request", request, "request of `sluice decide`"))
    case .decided(let decision):
      form.event(
        .requestDecided, in: .requests,
        "a request was decided: the request, its sender, and the answer")
      return try .decided(decision.declared(in: &form))
    case .ended(let request, let end, let status, let detail):
      form.event(
        .requestEnded, in: .requests, "a decided request ended",
        note: "`end` is `delivered`, `deliveredEncrypted`, `refused`, `undeliverable` or `failed`")
      return try .ended(
        request: form.request(request), end: form.member("end", end, "how it ended"),
        status: form.member(
          "status", status, unless: 0,
          "the code that the guest gets from the SDK or the system, such as 227 or -25300; absent if there is none"
        ),
        detail: form.member(
          "detail", detail, "details of the end; absent if there are none"))
    case .extensionCompleted(let guest, let request, let returned):
      form.event(
        .extensionCompleted, in: .requests,
        "an extension finished with its item",
        note: "`returned` counts the items that it returns")
      return try .extensionCompleted(
        guest: form.guest(guest), request: form.request(request),
        returned: form.member(
          "returned", returned, .count("the number of items that the extension returns", from: 0)))
    case .extensionCancelled(let guest, let request, let why):
      form.event(.extensionCancelled, in: .requests, "an extension cancelled its request")
      return try .extensionCancelled(
        guest: form.guest(guest), request: form.request(request),
        why: form.member("why", why, "one sentence"))
    }
  }
}

extension Telemetry {
  fileprivate func declared<Form: JournalForm>(
    in form: inout Form
  ) throws(Form.Failure) -> Telemetry {
    try Telemetry(
      app: form.app(app), kind: form.member("kind", kind, "its subject"),
      management: form.member("management", management, "how the app is managed"),
      call: form.member("call", call, "the SDK call or, for a request, its operation"),
      result: form.member(
        "result", result,
        "for an enrollment: enrolled, notTargeted, refused, unenrolled or the name of the status in the answer; for an action: the verdict"
      ))
  }
}

extension JournalForm {
  /// Declares an enrollment status as two members: the SDK's number and the SDK's name.
  fileprivate mutating func numbered(
    _ status: EnrollmentStatus
  ) throws(Failure) -> EnrollmentStatus {
    derived("status", status.rawValue, .number("IntuneMAMEnrollmentStatusCode", in: 100...227))
    return try member("name", status, "the status's name in the SDK")
  }
}

// MARK: - Descriptions

extension JournalEventName {
  /// The description of the event for documents and schemas.
  var row: DescribingForm {
    var form = DescribingForm()
    blank.declared(in: &form)
    return form
  }
}

/// The subject of an event. `docs/journal.md` has a section for each.
enum JournalSection: String, Sendable, CaseIterable {
  case device, guests, accounts, requests
}
