public import JSON

extension JournalEvent {
  /// The event that one line of a journal holds.
  public init(line: String) throws(JournalFormatError) {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONReader.read(line)
    } catch {
      throw JournalFormatError(position: error.position, message: error.message)
    }
    try self.init(value)
  }

  /// The event that `value` describes. Members that this version does not know are ignored.
  public init(_ value: JSONValue) throws(JournalFormatError) {
    let record = try JournalRecord(value)
    self.init(
      sequence: try record.int("seq"), time: try record.time("time"),
      kind: try Kind(record.word("event"), record))
  }
}

extension JournalEvent.Kind {
  fileprivate init(
    _ name: JournalEventName, _ record: JournalRecord
  ) throws(JournalFormatError) {
    switch name {
    case .deviceStarted:
      self = .deviceStarted(
        device: try record.string("device"), seed: try record.unsigned("seed"))
    case .deviceStopped: self = .deviceStopped
    case .caseBegan:
      self = .caseBegan(
        suite: try record.string("suite"), name: try record.string("case"),
        criterion: try record.optionalString("criterion"))
    case .caseEnded: self = .caseEnded
    case .stepBegan:
      self = .stepBegan(
        step: try record.int("step"), text: try record.string("text"),
        at: try record.optionalPosition())
    case .stepFailed:
      self = .stepFailed(step: try record.int("step"), why: try record.string("why"))
    case .expectation:
      self = .expectation(
        step: try record.int("step"), expected: try record.string("expected"),
        found: try record.string("found"), isMet: try record.bool("met"),
        at: try record.optionalPosition())
    case .guestStarted:
      self = .guestStarted(guest: try record.string("guest"), app: try record.string("app"))
    case .guestReady: self = .guestReady(guest: try record.string("guest"))
    case .guestSuspended: self = .guestSuspended(guest: try record.string("guest"))
    case .guestResumed: self = .guestResumed(guest: try record.string("guest"))
    case .guestExited:
      self = .guestExited(
        guest: try record.string("guest"), cause: try record.string("cause"),
        text: try record.string("text"))
    case .claimIgnored:
      self = .claimIgnored(
        guest: try record.string("guest"), claim: try record.string("claim"),
        claimed: try record.string("claimed"), actual: try record.string("actual"))
    case .accountEnrolled:
      self = .accountEnrolled(
        app: try record.string("app"), account: try record.string("account"),
        policies: try record.strings("policies"))
    case .accountSignedIn:
      self = .accountSignedIn(
        app: try record.string("app"), account: try record.string("account"),
        isManaged: try record.bool("managed"))
    case .accountSignedOut:
      self = .accountSignedOut(
        app: try record.string("app"), account: try record.string("account"))
    case .accessChecked:
      self = .accessChecked(
        guest: try record.string("guest"), account: try record.string("account"),
        action: try record.string("action"), verdict: try ExplainedVerdict(record.record("verdict"))
      )
    case .accountWiped:
      self = .accountWiped(app: try record.string("app"), account: try record.string("account"))
    case .wipeAdvanced:
      self = .wipeAdvanced(
        app: try record.string("app"), account: try record.string("account"),
        state: try record.string("state"), detail: try record.optionalString("detail"))
    case .policyChanged:
      self = .policyChanged(
        app: try record.string("app"), account: try record.string("account"),
        policies: try record.strings("policies"))
    case .appConfigured:
      self = .appConfigured(app: try record.string("app"), keys: try record.strings("keys"))
    case .configurationDelivered:
      self = .configurationDelivered(
        app: try record.string("app"), account: try record.string("account"),
        keys: try record.strings("keys"), conflicts: try record.strings("conflicts"))
    case .telemetryRecorded:
      self = .telemetryRecorded(
        Telemetry(
          app: try record.string("app"), kind: try record.word("kind"),
          management: try record.word("management"), call: try record.optionalString("call"),
          result: try record.optionalString("result")))
    case .declarationsApplied:
      self = .declarationsApplied(
        configurations: try record.strings("configurations"),
        problems: try record.optionalStrings("problems") ?? [])
    case .managedAppChanged:
      self = .managedAppChanged(
        app: try record.string("app"), team: try record.string("team"),
        aspects: try record.strings("aspects"))
    case .administratorInformed:
      self = .administratorInformed(
        app: try record.optionalString("app"), code: try record.int("code"),
        message: try record.string("message"))
    case .accountNotAllowed:
      self = .accountNotAllowed(
        app: try record.string("app"), expected: try record.string("expected"),
        entered: try record.string("entered"))
    case .accountRenamed:
      self = .accountRenamed(account: try record.string("account"), to: try record.string("to"))
    case .delegateAsked:
      self = .delegateAsked(
        guest: try record.string("guest"), call: try record.string("call"),
        account: try record.string("account"), isAccepted: try record.bool("accepted"))
    case .identitySwitched:
      self = .identitySwitched(
        guest: try record.string("guest"), identity: try record.optionalString("identity"),
        isManaged: try record.bool("managed"))
    case .identitySwitchRequired:
      self = .identitySwitchRequired(
        guest: try record.string("guest"), identity: try record.string("identity"),
        reason: try record.string("reason"), isAccepted: try record.bool("accepted"))
    case .enrollmentAsked:
      self = .enrollmentAsked(
        app: try record.string("app"), account: try record.string("account"),
        request: try record.string("request"))
    case .enrollmentAnswered:
      self = .enrollmentAnswered(
        app: try record.string("app"), account: try record.string("account"),
        request: try record.string("request"), status: try record.enrollmentStatus("name"))
    case .complianceAnswered:
      self = .complianceAnswered(
        app: try record.string("app"), account: try record.string("account"),
        status: try record.complianceStatus("status"), title: try record.string("title"),
        message: try record.string("message"))
    case .remediationLooped:
      self = .remediationLooped(
        app: try record.string("app"), account: try record.string("account"),
        count: try record.int("count"))
    case .policyAbsent:
      self = .policyAbsent(guest: try record.string("guest"), action: try record.string("action"))
    case .requestDecided: self = .decided(try RequestDecision(record))
    case .requestEnded:
      self = .ended(
        request: try record.int("request"), end: try record.word("end"),
        status: try record.optionalInt("status") ?? 0,
        detail: try record.optionalString("detail"))
    case .extensionCompleted:
      self = .extensionCompleted(
        guest: try record.string("guest"), request: try record.int("request"),
        returned: try record.int("returned"))
    case .extensionCancelled:
      self = .extensionCancelled(
        guest: try record.string("guest"), request: try record.int("request"),
        why: try record.string("why"))
    }
  }
}
