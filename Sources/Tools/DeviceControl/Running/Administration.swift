internal import Declarations
internal import Encodings
internal import EventLoop
internal import Host
internal import Scenario
internal import Simulation

/// Applies declarations to a running device. The declarations are read on another thread, one set at a time, in the
/// order of the requests. Each set is applied as a whole.
final class Administration {
  private let run: CaseRun
  private let server: ControlServer
  private let shutdown: Shutdown
  private let recording: Recording?
  /// The queued requests. The first request's declarations are being read.
  private var jobs: [(job: ControlJob, parameters: ApplyParameters)] = []
  /// The result of reading declarations that waits for the end of the device's restart; nil if none waits.
  private var deferred: Result<DeclarationSet, DeclarationDiagnostic>?

  init(
    _ run: CaseRun, _ server: ControlServer, _ shutdown: Shutdown, _ recording: Recording?
  ) {
    self.recording = recording
    self.run = run
    self.server = server
    self.shutdown = shutdown
  }

  func accept(_ job: ControlJob) throws(ControlError) {
    jobs.append((job, try ApplyParameters(job.request)))
    if jobs.count == 1 { readNext() }
  }

  private func readNext() {
    guard let parameters = jobs.first?.parameters else { return }
    server.work {
      Result { () throws(DeclarationDiagnostic) in
        try DeclarationSet(at: parameters.path, called: parameters.name)
      }
    } then: { [weak self] result in
      self?.didRead(result)
    }
  }

  private func didRead(_ result: Result<DeclarationSet, DeclarationDiagnostic>) {
    guard !jobs.isEmpty else { return }
    guard !run.isRestarting else {
      deferred = result
      return
    }
    let (job, parameters) = jobs.removeFirst()
    do throws(ControlError) {
      try apply(result, for: job)
      recording?.record(declarations: parameters.path)
    } catch {
      job.refuse(error)
    }
    readNext()
  }

  private func apply(
    _ result: Result<DeclarationSet, DeclarationDiagnostic>, for job: ControlJob
  ) throws(ControlError) {
    try shutdown.checkNotBegun()
    guard run.restartFailure == nil else { throw Shutdown.error }
    let declarations: DeclarationSet
    do throws(DeclarationDiagnostic) {
      declarations = try result.get()
    } catch {
      throw ControlError(error)
    }
    do throws(HostError) {
      let outcome = try run.world.apply(declarations, on: run.device)
      job.answer { id in ControlAnswer.result(id, outcome.writeMembers) }
    } catch {
      throw ControlError(.unable, error.description)
    }
  }

  func applyDeferred() {
    guard let result = deferred else { return }
    deferred = nil
    didRead(result)
  }

  func end(_ error: ControlError) {
    for (job, _) in jobs { job.refuse(error) }
    jobs = []
  }
}

struct ApplyParameters {
  enum Name: String, CaseIterable { case path, name }

  /// The absolute path of the declarations.
  var path = ""
  /// The name of the declarations in messages. If the client gives no name, it is the path.
  var name = ""

  init(_ request: ControlRequest) throws(ControlError) {
    var given: String?
    for member in try request.members() {
      guard let text = member.value.string else {
        throw ControlError("`\(member.name)` must be a string", at: member)
      }
      switch Name(rawValue: member.name) {
      case .path: path = text
      case .name: given = text
      case nil: throw ControlError("`apply` has no parameter `\(member.name)`", at: member)
      }
      guard !text.contains("\0"), !text.contains("\n"), text.utf8.count < 4_096 else {
        throw ControlError("`\(member.name)` is not a path", at: member)
      }
    }
    guard !path.isEmpty else {
      throw ControlError(.invalidParameters, "`path` is missing")
    }
    guard path.hasPrefix("/") else {
      throw ControlError(.invalidParameters, "`path` must be absolute, beginning with `/`")
    }
    name = given ?? path
  }
}

extension ControlError {
  /// Creates the error for a problem. The error does not name the file, because the client knows it.
  init(_ problem: DeclarationDiagnostic) {
    self.init(.invalidParameters, problem.message)
    position = problem.position
    rule = "declarations"
  }
}

extension DeclarationOutcome {
  fileprivate var holds: Bool { problems.allSatisfy { $0.severity != .error } }

  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("holds", holds)
    writer.member("declarations", count)
    writer.array("active") { for name in configurations { $0.string(name) } }
    writer.objects("changes", of: changes) { writer, change in
      writer.member("bundle", change.change.recipient.bundle)
      writer.member("team", change.change.recipient.team)
      writer.strings("aspects", change.change.aspects.map(\.description))
      writer.array("running") { for guest in change.running { $0.string(guest) } }
    }
    writer.objects("problems", of: problems) { writer, problem in
      writer.member("severity", problem.severity.rawValue)
      writer.member("file", problem.file)
      writer.member("line", problem.position?.line)
      writer.member("column", problem.position?.column)
      writer.member("message", problem.message)
    }
  }
}
