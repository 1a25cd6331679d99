internal import Model

/// One selective wipe of one account in one app, as a value: events in, actions out.
///
/// The app is asked at most once, then everything that the account owns is deleted, whatever the app answered, and only
/// then the wipe ends; so it ends however the app behaves.
struct SelectiveWipe {
  /// The reason for a wipe.
  enum Reason: CaseIterable, Sendable {
    /// The administrator orders the wipe.
    case remote
    /// A condition for the launch does not hold, and then the policy wipes.
    case conditionalLaunch
    /// The user signs out.
    case signOut
    /// The account is not, or no longer, among the allowed accounts.
    case notAllowed
    /// The app unenrolls the account, with a wipe.
    case unenrolled
    /// Conditional access keeps the account out, and the account left org data behind.
    case notCompliant
    /// MDM's user replaces the account.
    case replaced

    /// Whether the app may delete the data itself first: not where the user signs out, who does that in the app itself.
    var asksApp: Bool { self != .signOut }
  }

  enum State: Equatable {
    case requested
    /// The app does not answer yet: it is being started in the background.
    case starting
    /// `wipeDataForAccountId` is running in the app.
    case asked
    case deleting(Answer)
    case done(Outcome)
  }

  /// The result of asking the app.
  enum Answer: Equatable, Sendable {
    /// The app says that it has deleted everything.
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

  /// The result of the wipe.
  enum Outcome: Equatable, Sendable {
    /// The app deleted everything itself.
    case succeeded
    case declined
    case crashed(ExitCause)
    case unresponsive
    case notRunning
    case notAsked
    /// The app said that it had deleted everything, and `files` files of the account were still there.
    case lied(files: Int)
  }

  enum Event {
    case start(Reason)
    /// The app runs and can be asked; sent at once where the app ran already.
    case guestReady
    /// `wipeDataForAccountId` returned.
    case answered(Bool)
    case guestExited(ExitCause)
    case timedOut
    case deletionFinished(FileErasure.Report)
  }

  enum Action: Equatable {
    /// Start the app in the background unless it runs, and send ``Event/guestReady`` when it can be asked, or
    /// ``Event/timedOut`` after so many milliseconds.
    case startGuest(within: UInt64)
    /// Ask the app, and send ``Event/timedOut`` after so many milliseconds; an earlier wait is forgotten.
    case ask(within: UInt64)
    case stopWaiting
    /// Delete all that the account owns in the app, and send ``Event/deletionFinished(_:)``.
    case delete
    case finish(Outcome)
  }

  private(set) var state = State.requested
  private let deadline: UInt64

  /// Creates a wipe.
  ///
  /// - Parameter milliseconds: the time that the app may take to start, and again to answer.
  init(within milliseconds: UInt64) { deadline = milliseconds }

  /// Whether another wipe of this account in this app would be dropped.
  var isRunning: Bool {
    switch state {
    case .requested, .done: false
    case .starting, .asked, .deleting: true
    }
  }

  /// Handles an event. A second start is dropped while this wipe runs, which deletes all that the account owns already;
  /// to ask an app twice about one wipe would let the first answer hide the second.
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
      preconditionFailure("a selective wipe has deleted nothing that it did not ask to delete")
    case (.done, .start):
      preconditionFailure("a selective wipe starts once, and the next one is another")
    // Answers that come unasked or too late, and timers that were on their way, change nothing.
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
