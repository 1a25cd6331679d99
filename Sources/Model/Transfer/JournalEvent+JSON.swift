public import JSON

extension JournalEvent {
  /// Writes the event as one compact object, its members always in the same order; `docs/journal.md` and
  /// `docs/schema/journal.schema.json` describe them. Ends no line.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      Self.writeStart(sequence: sequence, time: time, kind.name, to: &writer)
      kind.writeMembers(to: &writer)
    }
  }

  /// Writes the members that every event has.
  static func writeStart(
    sequence: Int, time: Int, _ name: JournalEventName, to writer: inout JSONWriter
  ) {
    writer.member("seq", sequence)
    Timestamp.withQuotedBytes(of: time) { writer.member("time", json: $0) }
    writer.member("event", name.rawValue)
  }
}

extension JournalEvent.Kind {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    switch self {
    case .deviceStarted(let device, let seed):
      writer.member("device", device)
      writer.member("seed", json: String(seed).utf8)
    case .deviceStopped, .caseEnded: break
    case .caseBegan(let suite, let name, let criterion):
      writer.member("suite", suite)
      writer.member("case", name)
      writer.member("criterion", criterion)
    case .stepBegan(let step, let text, let place):
      writer.member("step", step)
      writer.member("text", text)
      place?.writeMembers(to: &writer)
    case .stepFailed(let step, let why):
      writer.member("step", step)
      writer.member("why", why)
    case .expectation(let step, let expected, let found, let isMet, let place):
      writer.member("step", step)
      writer.member("expected", expected)
      writer.member("found", found)
      writer.member("met", isMet)
      place?.writeMembers(to: &writer)
    case .guestStarted(let guest, let app):
      writer.member("guest", guest)
      writer.member("app", app)
    case .guestReady(let guest), .guestSuspended(let guest), .guestResumed(let guest):
      writer.member("guest", guest)
    case .guestExited(let guest, let cause, let text):
      writer.member("guest", guest)
      writer.member("cause", cause)
      writer.member("text", text)
    case .claimIgnored(let guest, let claim, let claimed, let actual):
      writer.member("guest", guest)
      writer.member("claim", claim)
      writer.member("claimed", claimed)
      writer.member("actual", actual)
    case .accountEnrolled(let app, let account, let policies):
      writer.member("app", app)
      writer.member("account", account)
      writer.array("policies") { for policy in policies { $0.string(policy) } }
    case .accountSignedIn(let app, let account, let isManaged):
      writer.member("app", app)
      writer.member("account", account)
      writer.member("managed", isManaged)
    case .accountSignedOut(let app, let account):
      writer.member("app", app)
      writer.member("account", account)
    case .identitySwitched(let guest, let identity, let isManaged):
      writer.member("guest", guest)
      writer.member("identity", identity)
      writer.member("managed", isManaged)
    case .identitySwitchRequired(let guest, let identity, let reason, let isAccepted):
      writer.member("guest", guest)
      writer.member("identity", identity)
      writer.member("reason", reason)
      writer.member("accepted", isAccepted)
    case .accessChecked(let guest, let account, let action, let verdict):
      writer.member("guest", guest)
      writer.member("account", account)
      writer.member("action", action)
      writer.member(named: "verdict") { verdict.write(to: &$0) }
    case .accountWiped(let app, let account):
      writer.member("app", app)
      writer.member("account", account)
    case .wipeAdvanced(let app, let account, let state, let detail):
      writer.member("app", app)
      writer.member("account", account)
      writer.member("state", state)
      writer.member("detail", detail)
    case .policyChanged(let app, let account, let policies):
      writer.member("app", app)
      writer.member("account", account)
      writer.array("policies") { for policy in policies { $0.string(policy) } }
    case .declarationsApplied(let configurations, let problems):
      writer.array("configurations") { for name in configurations { $0.string(name) } }
      guard !problems.isEmpty else { return }
      writer.array("problems") { for problem in problems { $0.string(problem) } }
    case .managedAppChanged(let app, let team, let aspects):
      writer.member("app", app)
      writer.member("team", team)
      writer.array("aspects") { for aspect in aspects { $0.string(aspect) } }
    case .administratorInformed(let app, let code, let message):
      writer.member("app", app)
      writer.member("code", code)
      writer.member("message", message)
    case .appConfigured(let app, let keys):
      writer.member("app", app)
      writer.array("keys") { for key in keys { $0.string(key) } }
    case .configurationDelivered(let app, let account, let keys, let conflicts):
      writer.member("app", app)
      writer.member("account", account)
      writer.array("keys") { for key in keys { $0.string(key) } }
      writer.array("conflicts") { for key in conflicts { $0.string(key) } }
    case .telemetryRecorded(let telemetry):
      writer.member("app", telemetry.app)
      writer.member("kind", telemetry.kind.rawValue)
      writer.member("management", telemetry.management.rawValue)
      writer.member("call", telemetry.call)
      writer.member("result", telemetry.result)
    case .accountNotAllowed(let app, let expected, let entered):
      writer.member("app", app)
      writer.member("expected", expected)
      writer.member("entered", entered)
    case .accountRenamed(let account, let name):
      writer.member("account", account)
      writer.member("to", name)
    case .delegateAsked(let guest, let call, let account, let isAccepted):
      writer.member("guest", guest)
      writer.member("call", call)
      writer.member("account", account)
      writer.member("accepted", isAccepted)
    case .enrollmentAsked(let app, let account, let request):
      writer.member("app", app)
      writer.member("account", account)
      writer.member("request", request)
    case .enrollmentAnswered(let app, let account, let request, let status):
      writer.member("app", app)
      writer.member("account", account)
      writer.member("request", request)
      writer.member("status", status.rawValue)
      writer.member("name", status.name)
    case .complianceAnswered(let app, let account, let status, let title, let message):
      writer.member("app", app)
      writer.member("account", account)
      writer.member("status", status.name)
      writer.member("title", title)
      writer.member("message", message)
    case .remediationLooped(let app, let account, let count):
      writer.member("app", app)
      writer.member("account", account)
      writer.member("count", count)
    case .policyAbsent(let guest, let action):
      writer.member("guest", guest)
      writer.member("action", action)
    case .decided(let decision): decision.writeMembers(to: &writer)
    case .ended(let request, let end, let status, let detail):
      writer.member("request", request)
      writer.member("end", end.rawValue)
      if status != 0 { writer.member("status", status) }
      writer.member("detail", detail)
    case .extensionCompleted(let guest, let request, let returned):
      writer.member("guest", guest)
      writer.member("request", request)
      writer.member("returned", returned)
    case .extensionCancelled(let guest, let request, let why):
      writer.member("guest", guest)
      writer.member("request", request)
      writer.member("why", why)
    }
  }
}

extension Position {
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("line", line)
    writer.member("column", column)
  }
}
