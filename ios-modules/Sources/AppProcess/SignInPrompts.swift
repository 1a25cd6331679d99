internal import Synchronization

/// The sign-ins that the app shows to its user, whom a step `signIn` of the scenario stands for. The first that was
/// shown is answered first.
public final class SignInPrompts: Sendable {
  private let state = Mutex(State())

  private struct State {
    var lastId = 0
    var shown: [Prompt] = []
  }

  private struct Prompt {
    let id: Int
    let completion: @Sendable (String) -> Void
  }

  /// Shows a sign-in.
  ///
  /// - Parameters:
  ///   - hint: the account that the app proposes; nil where it proposes none.
  ///   - completion: takes the account that the user signs in with, a UPN or an object id, on the connection's thread.
  /// - Returns: what takes the sign-in off the screen; nothing where it has been answered.
  @discardableResult
  public func show(
    hint: String?, completion: @escaping @Sendable (_ accountId: String) -> Void
  ) -> @Sendable () -> Void {
    let id = state.withLock { state in
      state.lastId += 1
      state.shown.append(Prompt(id: state.lastId, completion: completion))
      return state.lastId
    }
    let proposal = hint.map { " as \($0)" } ?? ""
    AppProcess.current.log("the app asks its user to sign in\(proposal)")
    return { [self] in state.withLock { $0.shown.removeAll { $0.id == id } } }
  }

  /// Whether a sign-in is shown.
  public var isShown: Bool { state.withLock { !$0.shown.isEmpty } }

  /// - Returns: whether a sign-in is shown, which takes the account.
  func answer(_ accountId: String) -> Bool {
    let first = state.withLock { $0.shown.isEmpty ? nil : $0.shown.removeFirst() }
    first?.completion(accountId)
    return first != nil
  }
}
