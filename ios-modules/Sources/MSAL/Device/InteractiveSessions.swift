internal import Synchronization

/// MSAL's interactive sign-ins, called sessions. A process has at most one session at a time.
final class InteractiveSessions: Sendable {
  static let ofProcess = InteractiveSessions()

  private let state = Mutex(State())

  private struct State {
    var lastId = 0
    var running: Session?
  }

  private struct Session {
    let id: Int
    /// The closure that is called once, when the session ends.
    let end: @Sendable (End) -> Void
  }

  enum End: Sendable, Equatable {
    /// The user signed in with an account.
    case signedIn(String)
    /// The user dismissed the prompt.
    case dismissed
    /// The app cancelled the session.
    case canceled
  }

  /// Begins a session.
  ///
  /// - Parameter end: Called once, when the session ends. If another session is running, it is never called.
  /// - Returns: The session's id; nil if another session is running.
  func begin(_ end: @escaping @Sendable (End) -> Void) -> Int? {
    state.withLock { state in
      guard state.running == nil else { return nil }
      state.lastId += 1
      state.running = Session(id: state.lastId, end: end)
      return state.lastId
    }
  }

  /// Ends the session with the user's answer to the prompt. Does nothing if the session has already ended.
  ///
  /// - Parameter account: The account that signs in; nil if the user dismissed the prompt.
  func answer(_ account: String?, to id: Int) {
    take { $0.id == id }?.end(account.map(End.signedIn) ?? .dismissed)
  }

  /// Cancels the running session.
  ///
  /// - Returns: Whether a session was running.
  func cancel() -> Bool {
    let session = take { _ in true }
    session?.end(.canceled)
    return session != nil
  }

  private func take(where isMeant: (Session) -> Bool) -> Session? {
    state.withLock { state in
      guard let session = state.running, isMeant(session) else { return nil }
      state.running = nil
      return session
    }
  }
}
