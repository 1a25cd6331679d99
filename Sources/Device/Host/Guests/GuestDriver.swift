internal import AppConfiguration
package import Model
package import Wire

/// Instructions for the ready-made guest by callers that drive a device from outside: scenarios, tests, benchmarks.
package final class GuestDriver {
  private let registry: GuestRegistry
  private let deliveries: Deliveries
  private let turn: Turn

  init(registry: GuestRegistry, deliveries: Deliveries, turn: Turn) {
    self.registry = registry
    self.deliveries = deliveries
    self.turn = turn
  }

  /// Tells the ready-made guest `name` to make a request of its own.
  ///
  /// - Parameters:
  ///   - content: what the request moves, in place of what it states.
  ///   - task: the task that states the identity of the request; nil: the identity that the guest acts for.
  ///   - done: called once the guest has its outcome, or could not make the request.
  package func perform(
    _ request: GuestMessage.Body, with content: InstructedContent = .stated,
    as task: TaskContext? = nil, on name: String, done: @escaping (Performance) -> Void
  ) {
    perform(.ask(GuestMessage(request, task: task), content), on: name, done: done)
  }

  /// Tells the ready-made guest `name` to work on a file.
  ///
  /// - Parameter content: what is written, in place of what the work states.
  package func perform(
    _ work: FileWork, with content: InstructedContent = .stated, as task: TaskContext? = nil,
    on name: String, done: @escaping (Performance) -> Void
  ) {
    perform(.work(work, task: task, content), on: name, done: done)
  }

  /// Has the user of the guest `name` do something with what its app shows.
  ///
  /// - Parameter done: called once the app has taken it and what it asked for has ended, or with the reason why the app
  ///   takes nothing of the kind.
  package func perform(
    _ act: UserAct, on name: String, done: @escaping (Performance) -> Void
  ) {
    turn {
      guard let guest = registry[name] else { return done(Self.absence(of: name)) }
      deliveries.perform(act, on: guest, done: done)
    }
  }

  /// Tells the ready-made guest `name` how to answer questions from now on.
  package func instruct(
    _ behaviour: Behaviour, on name: String, done: @escaping (Performance) -> Void
  ) {
    perform(.nothing, behaviour, on: name, done: done)
  }

  /// Has the next run of the ready-made extension `name`, or of that bundle id, that the guest `starter` starts behave
  /// otherwise than its other runs.
  ///
  /// - Throws: ``HostError`` where no ready-made extension is called that.
  package func prepareRun(
    of name: String, startedBy starter: String, _ change: (inout Behaviour) -> Void
  ) throws(HostError) {
    let guest = try `extension`(name)
    guard guest.app.program == .readyMade else {
      throw HostError(.program, "`\(name)` is no extension that the ready-made guest runs")
    }
    var behaviour = guest.app.behaviour
    change(&behaviour)
    guest.prepare(PreparedRun(behaviour: behaviour), startedBy: starter)
  }

  /// Has the user of the next run of the extension `name` that the guest `starter` starts do something with what it
  /// shows, one after the other, as soon as it shows something.
  ///
  /// - Parameters:
  ///   - acted: called with the number of each act, from 0 on, and its outcome: once for each, whatever becomes of the run.
  ///   - notBegun: called in place of that where no run begins.
  /// - Throws: ``HostError`` where no extension with a program of its own is called that.
  package func prepareRun(
    of name: String, startedBy starter: String, _ acts: [UserAct],
    acted: @escaping (Int, Performance) -> Void, notBegun: @escaping () -> Void
  ) throws(HostError) {
    let guest = try `extension`(name)
    guard guest.app.program != .readyMade else {
      throw HostError(
        .program,
        "`\(name)` is run by the ready-made guest, which shows nothing; a program of your own does "
          + "(`executable`)")
    }
    guest.prepare(
      PreparedRun(acts: acts, acted: acted, notBegun: notBegun), startedBy: starter)
  }

  /// Takes back what was prepared for a run that has not begun.
  package func forgetRun(of name: String, startedBy starter: String) {
    registry.guest(named: name)?.takePreparedRun(startedBy: starter)?.notBegun()
  }

  private func `extension`(_ name: String) throws(HostError) -> Guest {
    guard let guest = registry.guest(named: name) else {
      throw HostError(.program, "there is no extension `\(name)`")
    }
    guard guest.app.kind != .app else {
      throw HostError(.program, "`\(name)` is no extension")
    }
    return guest
  }

  /// Has the ready-made guest `name` look up a key of its configuration.
  ///
  /// - Parameter done: receives the answer, or the reason why there is none.
  package func lookUp(
    _ question: ConfigurationQuestion, on name: String,
    done: @escaping (Result<ConfigurationAnswer, HostError>) -> Void
  ) {
    perform(.look(question), on: name) { performance in
      guard performance.failure == nil, let answer = ConfigurationAnswer(json: performance.found)
      else {
        let why = performance.failure ?? "`\(name)` gave no answer"
        return done(.failure(HostError(.folder, why)))
      }
      done(.success(answer))
    }
  }

  func perform(
    _ instruction: Instruction, _ behaviour: Behaviour = Behaviour(), on name: String,
    done: @escaping (Performance) -> Void
  ) {
    turn {
      guard let guest = registry[name] else { return done(Self.absence(of: name)) }
      deliveries.perform(instruction, behaviour, on: guest, done: done)
    }
  }

  private static func absence(of name: String) -> Performance {
    Performance(failure: "there is no guest `\(name)`")
  }
}
