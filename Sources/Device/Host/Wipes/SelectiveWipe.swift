internal import Model

/// A selective wipe of one account in one app, as a state machine: it handles events and returns actions.
///
/// The app is asked at most once. Regardless of its answer, all of the account's data is then deleted and the
/// wipe ends.
struct SelectiveWipe {
  enum Reason: CaseIterable, Sendable {
    /// The administrator orders the wipe.
    case remote
    /// A conditional launch setting of the policy requires the wipe.
    case conditionalLaunch
    case signOut
    /// The account is not among the allowed accounts.
    case notAllowed
    /// The app unenrolls the account with a wipe.
    case unenrolled
    /// Conditional access blocks the account, which has organisation data on the device.
    case notCompliant
    /// The account that MDM enrolled the device for replaces it.
    case replaced

    /// Whether the app can delete the data first. At sign-out it cannot, because the user signs out in the
    /// app itself.
    var asksApp: Bool { self != .signOut }
  }

  enum State: Equatable {
    case requested
    /// The app is being started in the background.
    case starting
    /// `wipeDataForAccountId` is running in the app.
    case asked
    case deleting(Answer)
    case done(Outcome)
  }

  /// The result of asking the app.
  enum Answer: Equatable, Sendable {
    /// The app reports that it has deleted everything.
    case succeeded
    /// The app leaves the deletion to the SDK.
    case declined
    case crashed(ExitCause)
    /// The app was asked and did not answer in time.
    case unresponsive
    /// The app could not be started.
    case notRunning
    /// The app was not to be asked.
    case notAsked
  }

  enum Outcome: Equatable, Sendable {
    /// The app deleted everything itself.
    case succeeded
    case declined
    case crashed(ExitCause)
    case unresponsive
    case notRunning
    case notAsked
    /// The app reported that it had deleted everything, but `files` files of the account were left.
    case lied(files: Int)
  }

  enum Event {
    case start(Reason)
    /// The app is running and can be asked; sent at once if it was running already.
    case guestReady
    /// `wipeDataForAccountId` returned.
    case answered(Bool)
    case guestExited(ExitCause)
    case timedOut
    case deletionFinished(FileErasure.Report)
  }

  enum Action: Equatable {
    /// Start the app in the background unless it is running. Send ``Event/guestReady`` when it can be asked,
    /// or ``Event/timedOut`` after `within` milliseconds.
    case startGuest(within: UInt64)
    /// Ask the app. Send ``Event/timedOut`` after `within` milliseconds, and cancel any earlier wait.
    case ask(within: UInt64)
    case stopWaiting
    /// Delete all of the account's data in the app, and send ``Event/deletionFinished(_:)``.
    case delete
    case finish(Outcome)
  }

  private(set) var state = State.requested
  private let deadline: UInt64

  /// Creates a wipe.
  ///
  /// - Parameter milliseconds: the timeout for the app's start, and again for its answer.
  init(within milliseconds: UInt64) { deadline = milliseconds }

  /// Whether another wipe of this account in this app would be ignored.
  var isRunning: Bool {
    switch state {
    case .requested, .done: false
    case .starting, .asked, .deleting: true
    }
  }

  /// Handles an event. A second start is ignored while this wipe runs, because it deletes all of the
  /// account's data anyway. If an app were asked twice about one wipe, the first answer could hide the
  /// second.
  mutating func handle(_ event: Event) -> [Action] {
    switch (state, event) {
    case (.requested, .start(let reason)): return start(reason)
    case (.starting, .guestReady):
      state = .asked
      return [.ask(within: deadline)]
    case (.starting, .guestExited), (.starting, .timedOut): return delete(after: .notRunning)
    case (.asked, .answered(let hasDeleted)):
      return delete(after: hasDeleted ? .succeeded : .declined)
    case (.asked, .guestExited(let cause)): return delete(after: .crashed(cause))
    case (.asked, .timedOut): return delete(after: .unresponsive)
    case (.deleting(let answer), .deletionFinished(let report)):
      return finish(answer, report)
    case (.requested, .deletionFinished), (.starting, .deletionFinished),
      (.asked, .deletionFinished), (.done, .deletionFinished):
      preconditionFailure("a selective wipe deletes only data whose deletion it has requested")
    case (.done, .start):
      preconditionFailure("a selective wipe starts once, and the next one is another")
    // Unexpected or late answers and late timers are ignored.
    case (.starting, .start), (.asked, .start), (.deleting, .start), (_, .guestReady),
      (_, .answered), (_, .guestExited), (_, .timedOut):
      return []
    }
  }

  private mutating func start(_ reason: Reason) -> [Action] {
    guard reason.asksApp else {
      state = .deleting(.notAsked)
      return [.delete]
    }
    state = .starting
    return [.startGuest(within: deadline)]
  }

  private mutating func delete(after answer: Answer) -> [Action] {
    state = .deleting(answer)
    return [.stopWaiting, .delete]
  }

  private mutating func finish(_ answer: Answer, _ report: FileErasure.Report) -> [Action] {
    let outcome: Outcome
    switch answer {
    case .succeeded: outcome = report.found == 0 ? .succeeded : .lied(files: report.found)
    case .declined: outcome = .declined
    case .crashed(let cause): outcome = .crashed(cause)
    case .unresponsive: outcome = .unresponsive
    case .notRunning: outcome = .notRunning
    case .notAsked: outcome = .notAsked
    }
    state = .done(outcome)
    return [.finish(outcome)]
  }
}
