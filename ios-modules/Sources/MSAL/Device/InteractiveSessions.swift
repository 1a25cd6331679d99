internal import Synchronization

/// The sign-in that the process shows for MSAL. There is never more than one.
final class InteractiveSessions: Sendable {
  static let ofProcess = InteractiveSessions()

  private let state = Mutex(State())

  private struct State {
    var lastId = 0
    var running: Session?
  }

  private struct Session {
    let id: Int
    /// Called with the first end of the session; later ones find none.
    let end: @Sendable (End) -> Void
  }

  enum End: Sendable, Equatable {
    /// The user has signed in with an account.
    case signedIn(String)
    /// The app has cancelled it.
    case canceled
  }

  /// Begins a session.
  ///
  /// - Parameter end: called once.
  /// - Returns: its id; nil where another runs.
  func begin(_ end: @escaping @Sendable (End) -> Void) -> Int? {
    state.withLock { state in
      guard state.running == nil else { return nil }
      state.lastId += 1
      state.running = Session(id: state.lastId, end: end)
      return state.lastId
    }
  }

  /// Ends the session with an account, unless it has ended.
  func signIn(_ account: String, to id: Int) {
    take { $0.id == id }?.end(.signedIn(account))
  }

  /// Cancels the session that runs.
  ///
  /// - Returns: whether one did.
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
