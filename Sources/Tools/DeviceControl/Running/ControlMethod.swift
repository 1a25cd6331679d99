internal import Declarations
internal import Encodings
internal import Enrollment
internal import Foundation
internal import Host
internal import Model
internal import Scenario
internal import Simulation

/// The control methods other than the keywords of steps. Each is declared in its ``row``.
package enum ControlMethod: String, Sendable, CaseIterable {
  /// Performs one step, given as a mapping or as YAML text.
  case step
  case status, apps, accounts, policies, output, journal, methods
  case tokenKeys
  /// The methods for administrators.
  case apply, report, events
  case down
}

// MARK: Rows

/// The declaration of a method. The exhaustive switch in ``ControlMethod/row`` ensures that every
/// method has one.
package struct ControlMethodRow {
  /// The method's effect or answer, as a phrase.
  package let text: String
  /// The command with which users call the method if they do not use the protocol directly.
  package let caller: Caller
  package let parameters: [String]
  let answer: (DeviceMethods, ControlJob) throws(ControlError) -> Void

  package enum Caller: Sendable {
    /// The method is called by `sluice ctl` and `sluice shell`, under its own name.
    case anybody
    /// The method's name is not a command. Users call `step` by entering a step, and the other methods with
    /// `sluice admin` or the `admin` commands of `sluice ctl` and `sluice shell`.
    case other
  }

  /// Whether clients can subscribe to the events that the method returns. The notifications about new events carry the
  /// method's name.
  package var isFollowed: Bool { parameters.contains(JournalParameters.Name.follow.rawValue) }

  fileprivate init(
    _ text: String, _ caller: Caller = .anybody, _ parameters: [String] = [],
    _ answer: @escaping (DeviceMethods, ControlJob) throws(ControlError) -> Void
  ) {
    self.text = text
    self.caller = caller
    self.parameters = parameters
    self.answer = answer
  }

  /// Returns the row for a method that takes no parameters and is answered immediately.
  fileprivate static func immediate(
    _ text: String, _ caller: Caller = .anybody,
    _ write: @escaping (DeviceView, inout JSONWriter) -> Void
  ) -> Self {
    Self(text, caller) { (methods, job) throws(ControlError) in
      try job.request.checkNoParameters()
      job.answer { id in ControlAnswer.result(id) { write(methods.view, &$0) } }
    }
  }
}

extension ControlMethod {
  /// The method's declaration. Clients and documents are checked against it.
  package var row: ControlMethodRow {
    switch self {
    case .step:
      ControlMethodRow("carry out a step", .other) { (methods, job) throws(ControlError) in
        try methods.steps.accept(job)
      }
    case .status:
      .immediate("the device, its clock and its running guests") { $0.writeStatus(to: &$1) }
    case .apps:
      .immediate("the apps, their states and acting identities") { $0.writeApps(to: &$1) }
    case .accounts:
      .immediate("the accounts of the scenario") { $0.writeAccounts(to: &$1) }
    case .policies:
      .immediate("the policies of the scenario") { $0.writePolicies(to: &$1) }
    case .output:
      .immediate("the guests' latest output") { $0.writeOutput(to: &$1) }
    case .journal:
      ControlMethodRow(
        "the journal's latest events: limit=N position=N follow=true", .anybody,
        JournalParameters.Name.allCases.map(\.rawValue)
      ) { (methods, job) throws(ControlError) in try methods.journal.answer(job) }
    case .methods:
      .immediate("the names of the control socket's methods") { Self.write(to: &$1) }
    case .tokenKeys:
      .immediate("the public keys for verifying tokens") { $0.writeTokenKeys(to: &$1) }
    case .apply:
      ControlMethodRow(
        "replace the administrator's declarations", .other,
        ApplyParameters.Name.allCases.map(\.rawValue)
      ) { (methods, job) throws(ControlError) in try methods.administration.accept(job) }
    case .report:
      .immediate("the status of the declarations", .other) { $0.writeReport(to: &$1) }
    case .events:
      ControlMethodRow(
        "the administrator's event log", .other,
        JournalParameters.Name.allCases.map(\.rawValue)
      ) { (methods, job) throws(ControlError) in
        try methods.journal.answer(job, of: .administratorInformed)
      }
    case .down:
      ControlMethodRow("take the device down") { (methods, job) throws(ControlError) in
        try job.request.checkNoParameters()
        methods.shutdown.begin(for: job)
      }
    }
  }

  private static func write(to writer: inout JSONWriter) {
    writer.strings("methods", allCases.map(\.rawValue))
    writer.strings("steps", StepReader.words)
  }
}

// MARK: - Answers

/// Dispatches clients' requests according to the rows of their methods. Steps and declarations are queued, and other
/// threads read events. A request to shut down is answered after the shutdown.
struct DeviceMethods {
  let view: DeviceView
  let journal: JournalResponder
  let steps: ClientSteps
  let administration: Administration
  let shutdown: Shutdown

  func accept(_ job: ControlJob) {
    do throws(ControlError) {
      // Any other name is the keyword of a step, or unknown.
      guard let method = ControlMethod(rawValue: job.request.method) else {
        return try steps.accept(job)
      }
      try method.row.answer(self, job)
    } catch {
      job.refuse(error)
    }
  }
}

/// The state of a running device, as clients see it: its activity, its apps and accounts, and the
/// status of its declarations.
final class DeviceView {
  private let resolved: ResolvedScenario
  private let folder: String
  private let run: CaseRun
  private let server: ControlServer
  private let queue: StepQueue

  init(
    of resolved: ResolvedScenario, in folder: String, _ run: CaseRun, _ server: ControlServer,
    _ queue: StepQueue
  ) {
    self.resolved = resolved
    self.folder = folder
    self.run = run
    self.server = server
    self.queue = queue
  }

  fileprivate func writeStatus(to writer: inout JSONWriter) {
    let device = run.device
    writer.member("device", resolved.scenario.device.name)
    writer.member("scenario", resolved.scenario.name)
    writer.member("file", resolved.scenario.file)
    writer.member("folder", folder)
    writer.member("socket", server.path)
    writer.member("process", Int(getpid()))
    writer.member("time", Timestamp.text(device.now))
    writer.strings("running", device.guests.running)
    writer.member("clients", server.clientCount)
    writer.member("steps", queue.begun)
    writer.member("busy", queue.isBusy)
    writer.member("waiting", queue.count)
  }

  fileprivate func writeApps(to writer: inout JSONWriter) {
    let guests = resolved.apps.flatMap { app in app.specification.guests.map { ($0, app) } }
    writer.objects("apps", of: guests) { write($1.0, of: $1.1, to: &$0) }
  }

  private func write(_ guest: String, of app: ResolvedApp, to writer: inout JSONWriter) {
    let device = run.device
    let state =
      device.guests.isSuspended(guest)
      ? "suspended" : device.guests.isRunning(guest) ? "running" : "stopped"
    writer.member("name", guest)
    writer.member("bundle", app.description.bundleID)
    writer.member("extension", app.extensionKind?.name)
    writer.member("state", state)
    writer.member("process", device.guests.processIdentifier(of: guest).map(Int.init))
    if let identity = device.identity(of: guest) {
      writer.member("identity", run.world.reference(identity.identity).text)
      writer.member("managed", identity.isManaged)
    }
    let accounts = device.accounts.accounts(signedInTo: guest)
    writer.strings("signedIn", accounts.map { run.world.reference(.account($0)).text })
    writer.member("sdk", app.description.integratesSDK)
    if app.description.integratesSDK {
      writer.member("webViews", app.description.webViews.rawValue)
      let known = run.world.signedIn(to: guest, of: app.description, on: device)
      writer.objects("accounts", of: known) { writer, known in
        writer.member("name", known.name)
        writer.member("managed", known.isManaged)
        writer.member("managementState", known.managementState)
        writer.strings("policies", known.policies)
      }
    }
    let isReadyMade = app.description.program == .readyMade
    writer.member("provides", !isReadyMade || app.specification.provides != nil)
    writer.strings("schemes", app.description.schemes)
    writer.strings("associatedDomains", app.description.associatedDomains)
  }

  fileprivate func writeAccounts(to writer: inout JSONWriter) {
    writer.objects("accounts", of: resolved.scenario.accounts) { writer, known in
      let account = run.world.account(known.name)
      writer.member("name", known.name)
      writer.member("upn", account.upn)
      writer.member("objectId", account.objectID)
      writer.member("tenant", account.tenantID)
    }
  }

  fileprivate func writePolicies(to writer: inout JSONWriter) {
    writer.objects("policies", of: resolved.listedPolicies) { writer, policy in
      writer.member("name", policy.name)
      writer.member("file", policy.file)
      writer.member("saved", run.world.savedFile(of: policy.name))
    }
    writer.member("tenant", resolved.scenario.tenant)
  }

  /// Writes the last lines from each guest's log and standard error.
  fileprivate func writeOutput(to writer: inout JSONWriter) {
    writer.array("output", of: run.output) { $1.write(to: &$0) }
  }

  fileprivate func writeReport(to writer: inout JSONWriter) {
    let report = run.device.management.statusReport
    writer.member("declared", report != nil)
    if let report { writer.member(named: "report", report.write) }
  }

  /// Writes the keys with which services verify tokens.
  fileprivate func writeTokenKeys(to writer: inout JSONWriter) {
    run.device.tokens.keys.write(to: &writer)
  }
}
