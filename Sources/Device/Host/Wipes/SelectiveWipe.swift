internal import Model

/// A selective wipe of one account in one app, as a state machine: it handles events and returns actions.
///
/// The app is asked to delete the data at most once. Regardless of its answer, all of the account's
/// data is then deleted and the wipe ends.
struct SelectiveWipe {
  enum Reason: CaseIterable, Sendable {
    /// The administrator orders the wipe.
    case remote
    /// A conditional launch setting of the policy requires the wipe.
    case conditionalLaunch
    case signOut
    /// The account is no longer an allowed account of the app.
    case notAllowed
    /// The app unenrolls the account with a wipe.
    case unenrolled
    /// Remediation for conditional access fails for an account that has files or keychain items in the app.
    case notCompliant
    /// The account for which MDM enrolled the device replaces this account.
    case replaced

    /// Whether the app is asked to delete the data first. At sign-out it is not asked, because the
    /// user signs out in the app itself.
    var asksApp: Bool { self != .signOut }
  }

  enum State: Equatable {
    case requested
    /// The app is starting in the background.
    case starting
    /// The app is running `wipeDataForAccountId`.
    case asked
    case deleting(Answer)
    case done(Answer)
  }

  /// The app's answer, or the reason why there is none.
  enum Answer: Equatable, Sendable {
    /// The app reported that it has deleted all data.
    case succeeded
    /// The app leaves the deletion to the SDK.
    case declined
    case crashed(ExitCause)
    /// The app did not answer in time.
    case unresponsive
    /// The app could not be asked: it was suspended, or did not start in time.
    case notRunning
    case notAsked
    /// The app reported that it had deleted all data, but the device then found `files` files of the account.
    case lied(files: Int)
  }

  enum Event {
    case start(Reason)
    /// The app is running and can be asked to delete the data. If the app was running before, this event immediately
    /// follows ``Action/startGuest(within:)``.
    case guestReady
    /// The app returned from `wipeDataForAccountId`; true if it has deleted the data.
    case answered(Bool)
    case guestExited(ExitCause)
    case timedOut
    case deletionFinished(FileErasure.Report)
  }

  enum Action: Equatable {
    /// Start the app in the background if it is not running. Send ``Event/guestReady`` when the app
    /// can be asked, or ``Event/timedOut`` after `within` milliseconds.
    case startGuest(within: UInt64)
    /// Ask the app to delete the data. Send ``Event/timedOut`` after `within` milliseconds, and cancel any earlier
    /// wait.
    case ask(within: UInt64)
    case stopWaiting
    /// Delete all of the account's data in the app, and send ``Event/deletionFinished(_:)``.
    case delete
    case finish(Answer)
  }

  private(set) var state = State.requested
  private let deadline: UInt64

  /// Creates a wipe that has not started.
  ///
  /// - Parameter milliseconds: The timeout in milliseconds, which applies to the app's start and to its answer
  ///   separately.
  init(within milliseconds: UInt64) { deadline = milliseconds }

  /// Handles an event. Ignores a second start, because the running wipe deletes all of the account's data anyway. Asks
  /// the app only once, because the first of two answers could hide the second.
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
      preconditionFailure(
        "a selective wipe must request the deletion of data before the deletion can finish")
    case (.done, .start):
      preconditionFailure(
        "a selective wipe starts only once; create a new `SelectiveWipe` for the next one")
    // Unexpected answers, late answers and late timers are ignored.
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
    let outcome =
      answer == .succeeded && report.found > 0 ? .lied(files: report.found) : answer
    state = .done(outcome)
    return [.finish(outcome)]
  }
}
