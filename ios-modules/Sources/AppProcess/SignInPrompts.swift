internal import Synchronization

/// The sign-in prompts that the app shows. Each `signIn` step in the scenario answers the oldest
/// prompt, and a `cancel` step dismisses it.
public final class SignInPrompts: Sendable {
  private let state = Mutex(State())

  public init() {}

  private struct State {
    var lastId = 0
    var shown: [Prompt] = []
  }

  private struct Prompt {
    let id: Int
    let completion: @Sendable (String?) -> Void
  }

  /// Shows a sign-in prompt.
  ///
  /// - Parameters:
  ///   - hint: The suggested account; nil for none.
  ///   - completion: Called once with the UPN or object id of the account that signs in, on the connection's
  ///     thread; with nil if the user dismisses the prompt, on the main thread.
  /// - Returns: A closure that dismisses the prompt. It does nothing if the prompt has been
  ///   answered.
  @discardableResult
  public func show(
    hint: String?, completion: @escaping @Sendable (_ accountId: String?) -> Void
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

  public var isShown: Bool { state.withLock { !$0.shown.isEmpty } }

  /// Answers the oldest prompt with an account.
  ///
  /// - Returns: Whether a prompt was shown and has received the account.
  func answer(_ accountId: String) -> Bool { end(with: accountId) }

  /// Dismisses the oldest prompt, as the user does.
  ///
  /// - Returns: Whether a prompt was shown.
  public func dismiss() -> Bool { end(with: nil) }

  private func end(with accountId: String?) -> Bool {
    let first = state.withLock { $0.shown.isEmpty ? nil : $0.shown.removeFirst() }
    first?.completion(accountId)
    return first != nil
  }
}
