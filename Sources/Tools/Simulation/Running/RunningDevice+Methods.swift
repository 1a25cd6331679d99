internal import Declarations
internal import Diagnostics
internal import Enrollment
internal import EventLoop
internal import Foundation
internal import Host
internal import JSON
internal import Scenario
internal import Transfer

extension RunningDevice {
  /// What clients can ask for beside steps.
  enum Method: String, CaseIterable {
    /// One step, as a mapping or as YAML text.
    case step
    case status, apps, accounts, journal, methods
    /// What those check tokens with who take them.
    case tokenKeys
    /// The administrator's.
    case apply, report, events
    case down
  }

  /// Answers at once what no step is needed for; steps wait for their turn.
  func answer(_ job: ControlJob) throws(ControlError) {
    let request = job.request
    switch Method(rawValue: request.method) {
    case .status: try answer(job, writeStatus)
    case .apps: try answer(job, writeApps)
    case .accounts: try answer(job, writeAccounts)
    case .methods: try answer(job, Self.writeMethods)
    case .tokenKeys: try answer(job) { run.device.tokens.keys.write(to: &$0) }
    case .journal: try tellJournal(job, of: nil)
    case .apply: try administration.take(job)
    case .report: try answer(job, writeReport)
    case .events: try tellJournal(job, of: .administratorInformed)
    case .down:
      try request.checkNoParameters()
      end(for: job)
    case .step, nil:
      // A mistake is answered at once, and again looked for when its turn comes: accounts may be others then.
      _ = try step(of: request)
      try enqueue(job)
    }
  }

  private func answer(
    _ job: ControlJob, _ body: (inout JSONWriter) -> Void
  ) throws(ControlError) {
    try job.request.checkNoParameters()
    job.answer { ControlAnswer.result($0, body) }
  }

  // MARK: steps

  /// The step that a request means: `step` with the step's keys, or as text; or the step's own word with what belongs
  /// to it.
  func step(of request: ControlRequest) throws(ControlError) -> Step {
    let isStep = request.method == Method.step.rawValue
    guard isStep || StepReader.words.contains(request.method) else { throw request.isUnknown }
    let value = try request.onlyParameter()
    do throws(ScenarioError) {
      guard isStep else { return try steps.step(request.method, json: value) }
      if let text = value.string { return try steps.step(yaml: text) }
      return try steps.step(json: value)
    } catch {
      throw ControlError(error)
    }
  }

  private static func writeMethods(to writer: inout JSONWriter) {
    writer.array("methods") { writer in
      for method in Method.allCases { writer.string(method.rawValue) }
    }
    writer.array("steps") { writer in
      for word in StepReader.words { writer.string(word) }
    }
  }

  // MARK: what there is

  private func writeStatus(to writer: inout JSONWriter) {
    let device = run.device
    writer.member("device", name)
    writer.member("scenario", blueprint.scenario.name)
    writer.member("file", blueprint.scenario.file)
    writer.member("folder", folder)
    writer.member("socket", socket)
    writer.member("process", Int(getpid()))
    writer.member("time", Timestamp.text(device.now))
    writer.array("running") { writer in
      for guest in device.guests.running { writer.string(guest) }
    }
    writer.member("clients", server.clientCount)
    writer.member("steps", stepCount)
    writer.member("busy", isBusy)
    writer.member("waiting", waitingCount)
  }

  private func writeApps(to writer: inout JSONWriter) {
    writer.array("apps") { writer in
      for app in blueprint.apps {
        for guest in app.specification.guests { write(guest, of: app, to: &writer) }
      }
    }
  }

  private func write(_ guest: String, of app: InstalledApp, to writer: inout JSONWriter) {
    let device = run.device
    let state =
      device.guests.isSuspended(guest)
      ? "suspended" : device.guests.isRunning(guest) ? "running" : "stopped"
    writer.object { writer in
      writer.member("name", guest)
      writer.member("bundle", app.description.bundleID)
      writer.member("extension", app.specification.extensionKind?.rawValue)
      writer.member("state", state)
      writer.member("process", device.guests.processIdentifier(of: guest).map(Int.init))
      if let identity = device.identity(of: guest) {
        writer.member("identity", run.world.reference(identity.identity).text)
        writer.member("managed", identity.isManaged)
      }
      writer.array("signedIn") { writer in
        for account in device.accounts.accounts(signedInTo: guest) {
          writer.string(run.world.reference(.account(account)).text)
        }
      }
    }
  }

  private func writeAccounts(to writer: inout JSONWriter) {
    writer.array("accounts") { writer in
      for known in blueprint.scenario.accounts {
        let account = run.world.account(known.name)
        writer.object { writer in
          writer.member("name", known.name)
          writer.member("upn", account.upn)
          writer.member("objectId", account.objectID)
          writer.member("tenant", account.tenantID)
        }
      }
    }
  }

  /// What the device reports of its declarations.
  private func writeReport(to writer: inout JSONWriter) {
    let report = run.device.management.statusReport
    writer.member("declared", report != nil)
    if let report { writer.member(named: "report", report.write) }
  }

  // MARK: the journal

  /// - Parameter name: of the events to tell; nil: all.
  private func tellJournal(_ job: ControlJob, of name: JournalEventName?) throws(ControlError) {
    let parameters = try JournalParameters(job.request)
    let (path, cancellation) = (run.device.journalPath, cancellation)
    // A journal may be long.
    server.work {
      Result { () throws(ControlError) in
        try JournalExcerpt(parameters, of: name, in: path, cancellation)
      }
    } then: { result in
      switch result {
      case .success(let excerpt): excerpt.answer(job, isFollowed: parameters.isFollowed)
      case .failure(let error): job.refuse(error)
      }
    }
  }
}

/// What a client sees of a journal at once.
private struct JournalExcerpt {
  private let events: [[UInt8]]
  private let follower: JournalFollower

  init(
    _ parameters: JournalParameters, of name: JournalEventName?, in path: String,
    _ cancellation: Cancellation
  ) throws(ControlError) {
    if let position = parameters.position, !JournalFollower.isBeginning(position, in: path) {
      throw ControlError(.invalidParameters, "no event begins at `position`")
    }
    let start =
      parameters.position
      ?? JournalFollower.position(
        ofLast: parameters.limit, of: name, in: path, until: { cancellation.isCancelled })
    var follower = JournalFollower(path, from: start, of: name)
    events = follower.events(atMost: parameters.limit)
    self.follower = follower
  }

  func answer(_ job: ControlJob, isFollowed: Bool) {
    job.answer { id in
      ControlAnswer.result(id) { writer in
        writer.array("events") { writer in
          for event in events { writer.raw(event) }
        }
        writer.member("position", follower.position)
      }
    }
    if isFollowed { job.asker?.follower = follower }
  }
}

/// What `journal` takes.
private struct JournalParameters {
  /// Where to begin, in bytes, as an earlier answer says; nil: at the last events.
  var position: Int?
  /// How many events, 0 to 1,000.
  var limit = 100
  /// Whether events that come later are told as notifications.
  var isFollowed = false

  init(_ request: ControlRequest) throws(ControlError) {
    for member in try request.members() {
      switch member.name {
      case "position": position = try Self.number(member, in: 0...Int.max)
      case "limit": limit = try Self.number(member, in: 0...1_000)
      case "follow":
        guard let flag = member.value.bool else {
          throw ControlError("`follow` must be true or false", at: member)
        }
        isFollowed = flag
      default:
        throw ControlError(
          "`\(request.method)` has no parameter `\(member.name)`", at: member)
      }
    }
  }

  private static func number(
    _ member: JSONValue.Member, in range: ClosedRange<Int>
  ) throws(ControlError) -> Int {
    guard let number = member.value.int, range.contains(number) else {
      let end = range.upperBound == .max ? "" : " to \(range.upperBound)"
      throw ControlError(
        "`\(member.name)` must be a whole number from 0\(end)", at: member)
    }
    return number
  }
}

extension ControlRequest {
  fileprivate var isUnknown: ControlError {
    let known = RunningDevice.Method.allCases.map(\.rawValue) + StepReader.words
    let hint = known.first { $0.lowercased() == method.lowercased() }
    return ControlError(
      .unknownMethod,
      "no method is called `\(method)`" + Suggestion.text(hint))
  }

  fileprivate func checkNoParameters() throws(ControlError) {
    guard parameters?.members?.isEmpty ?? parameters?.array?.isEmpty ?? true else {
      throw ControlError(.invalidParameters, "`\(method)` takes no parameters")
    }
  }

  func members() throws(ControlError) -> [JSONValue.Member] {
    guard let parameters else { return [] }
    guard let members = parameters.members else {
      throw ControlError(.invalidParameters, "`\(method)` takes its parameters by name")
    }
    return members
  }

  /// The object of parameters by name, or the only one by position.
  fileprivate func onlyParameter() throws(ControlError) -> JSONValue {
    guard let parameters else {
      return JSONValue(.object([]), at: Position(line: 1, column: 1))
    }
    guard let elements = parameters.array else { return parameters }
    guard elements.count == 1, let only = elements.first else {
      throw ControlError(
        .invalidParameters, "`\(method)` takes one parameter by position, found \(elements.count)")
    }
    return only
  }
}
