package import Model
package import Wire

/// Sends instructions to guests, on behalf of scenarios, tests, benchmarks and the device.
package final class GuestDriver {
  private let registry: GuestRegistry
  private let deliveries: Deliveries
  private let transaction: LoopTransaction

  init(registry: GuestRegistry, deliveries: Deliveries, transaction: LoopTransaction) {
    self.registry = registry
    self.deliveries = deliveries
    self.transaction = transaction
  }

  /// Makes the ready-made guest `name` send a request.
  ///
  /// - Parameters:
  ///   - content: The content that the request moves. It replaces the content in `request`.
  ///   - task: The task whose identity the request uses; nil for the identity that the guest acts for.
  ///   - done: Called when the guest has received the outcome, or could not send the request.
  package func perform(
    _ request: GuestMessage.Body, with content: InstructedContent = .stated,
    as task: TaskContext? = nil, on name: String, done: @escaping (InstructionResult) -> Void
  ) {
    perform(.ask(GuestMessage(request, task: task), content), on: name, done: done)
  }

  /// Makes the ready-made guest `name` process a file.
  ///
  /// - Parameter content: The content to write. It replaces the content in `work`.
  package func perform(
    _ work: FileWork, with content: InstructedContent = .stated, as task: TaskContext? = nil,
    on name: String, done: @escaping (InstructionResult) -> Void
  ) {
    perform(.work(work, task: task, content), on: name, done: done)
  }

  /// Performs a user's action in the interface of the guest `name`.
  ///
  /// - Parameter done: Called when the app has handled the action, and all requests caused by the action have ended.
  ///   Also called if the app could not handle the action.
  package func perform(
    _ act: UserAct, on name: String, done: @escaping (InstructionResult) -> Void
  ) {
    transaction {
      guard let guest = registry[name] else { return done(Self.absence(of: name)) }
      let call = if case .scene = act { PendingCall.scene } else { PendingCall.act }
      perform(.act(act.encoded()), on: guest, as: call, done: done)
    }
  }

  /// Sets how the ready-made guest `name` answers later calls.
  package func instruct(
    _ behaviour: Behaviour, on name: String, done: @escaping (InstructionResult) -> Void
  ) {
    perform(.nothing, behaviour, on: name, done: done)
  }

  /// Changes the behaviour of a ready-made extension for the next run that the guest `starter`
  /// starts. Other runs are not affected.
  ///
  /// - Parameter name: The extension's name or bundle id.
  /// - Throws: ``HostError`` if there is no such ready-made extension.
  package func prepareRun(
    of name: String, startedBy starter: String, _ change: (inout Behaviour) -> Void
  ) throws(HostError) {
    let guest = try `extension`(name)
    guard guest.app.program == .readyMade else {
      throw HostError(.program, "`\(name)` is not an extension of the ready-made guest")
    }
    var behaviour = guest.app.behaviour
    change(&behaviour)
    guest.prepare(PreparedRun(behaviour: behaviour), startedBy: starter)
  }

  /// Prepares user actions for the next run of the extension `name` that the guest `starter` starts. They are performed
  /// in order, one after the other, once the extension shows its interface.
  ///
  /// - Parameters:
  ///   - acted: Called exactly once for each action, with the action's number, from 0, and its result.
  ///   - notBegun: Called instead of `acted` if the run does not take place, for example because another preparation
  ///     replaces this one.
  /// - Throws: ``HostError`` if there is no extension of that name with a program of its own.
  package func prepareRun(
    of name: String, startedBy starter: String, _ acts: [UserAct],
    acted: @escaping (Int, InstructionResult) -> Void, notBegun: @escaping () -> Void
  ) throws(HostError) {
    let guest = try `extension`(name)
    guard guest.app.program != .readyMade else {
      throw HostError(
        .program,
        "`\(name)` is run by the ready-made guest, which has no user interface; use a program of your own "
          + "(`executable`)")
    }
    guest.prepare(
      PreparedRun(acts: acts, acted: acted, notBegun: notBegun), startedBy: starter)
  }

  /// Cancels the preparation for the next run of the extension `name` that the guest `starter` starts.
  package func forgetRun(of name: String, startedBy starter: String) {
    registry.guest(named: name)?.takePreparedRun(startedBy: starter)?.notBegun()
  }

  private func `extension`(_ name: String) throws(HostError) -> Guest {
    guard let guest = registry.guest(named: name) else {
      throw HostError(.program, "there is no extension `\(name)`")
    }
    guard guest.app.kind != .app else {
      throw HostError(.program, "`\(name)` is not an extension")
    }
    return guest
  }

  /// Makes the ready-made guest `name` look up a key of its configuration.
  ///
  /// - Parameter done: Receives the answer, or the reason why there is none.
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
    done: @escaping (InstructionResult) -> Void
  ) {
    transaction {
      guard let guest = registry[name] else { return done(Self.absence(of: name)) }
      perform(instruction, behaviour, on: guest, done: done)
    }
  }

  private static func absence(of name: String) -> InstructionResult {
    InstructionResult(failure: "there is no guest `\(name)`")
  }
}

// MARK: - Instructions of the device

extension GuestDriver {
  func perform(
    _ instruction: Instruction, _ behaviour: Behaviour = Behaviour(), on guest: Guest,
    as call: (@escaping (InstructionResult) -> Void) -> PendingCall = PendingCall.perform,
    done: @escaping (InstructionResult) -> Void
  ) {
    guard guest.isRunning else {
      return done(InstructionResult(failure: "`\(guest.name)` is not running"))
    }
    deliveries.ask(guest, call(done)) { HostMessage(.perform(ask: $0, instruction, behaviour)) }
  }

  /// Queues the prepared user actions for an instance of an extension that is about to start.
  func prepare(_ guest: Guest) {
    let run = guest.preparation
    for (number, act) in run.acts.enumerated() {
      deliveries.ask(guest, .prepared { run.acted(number, $0) }) {
        HostMessage(.perform(ask: $0, .act(act.encoded()), Behaviour()))
      }
    }
  }

  /// Notifies a starting guest that it has received all items and URLs that waited for its start. The device ignores
  /// the guest's answer.
  func launch(_ guest: Guest) {
    deliveries.ask(guest, .abandoned) {
      HostMessage(.perform(ask: $0, .act(UserAct.launch.encoded()), Behaviour()))
    }
  }

  /// Fails the user actions that a guest has not completed, because the guest is being suspended.
  func abandonActs(of guest: Guest) {
    for (number, call) in guest.mailbox.calls.sorted(by: { $0.key < $1.key }) {
      switch call {
      case .act(let answer), .scene(let answer):
        guest.mailbox.calls[number] = .abandoned
        answer(InstructionResult(failure: "`\(guest.name)` is suspended"))
      case .item, .representation, .identitySwitch, .delegate, .wipe, .perform, .prepared,
        .abandoned:
        break
      }
    }
  }
}
