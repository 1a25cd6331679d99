import Synchronization

@testable import MSAL

/// A device that answers immediately. The test answers its sign-in prompts.
final class FakeDevice: DeviceAccess {
  private let state: Mutex<State>

  private struct State {
    var answer: Result<String, TokenRefusal>
    var asked: [(account: String, question: TokenQuestion)] = []
    var hints: [String?] = []
    var shown: (@Sendable (String?) -> Void)?
    var lines: [String] = []
  }

  let isExtension: Bool

  init(
    answer: Result<String, TokenRefusal> = .success(Sample.token), isExtension: Bool = false
  ) {
    self.isExtension = isExtension
    state = Mutex(State(answer: answer))
  }

  var accounts: [String] { state.withLock { $0.asked.map { $0.account } } }
  var questions: [TokenQuestion] { state.withLock { $0.asked.map { $0.question } } }
  var hints: [String?] { state.withLock(\.hints) }
  var lines: [String] { state.withLock(\.lines) }
  var showsSignIn: Bool { state.withLock { $0.shown != nil } }

  func answer(_ answer: Result<String, TokenRefusal>) { state.withLock { $0.answer = answer } }

  /// Answers the prompt: signs the user in, or dismisses the prompt if the account is nil.
  func signIn(_ account: String?) {
    let shown = state.withLock { state in
      defer { state.shown = nil }
      return state.shown
    }
    shown?(account)
  }

  func acquireToken(
    for account: String, _ question: TokenQuestion,
    completion: @escaping @Sendable (Result<String, TokenRefusal>) -> Void
  ) {
    let answer = state.withLock { state in
      state.asked.append((account, question))
      return state.answer
    }
    completion(answer)
  }

  func showSignIn(
    hint: String?, completion: @escaping @Sendable (_ account: String?) -> Void
  ) -> @Sendable () -> Void {
    state.withLock { state in
      state.hints.append(hint)
      state.shown = completion
    }
    return { [self] in state.withLock { $0.shown = nil } }
  }

  func logOnce(_ line: String) { state.withLock { $0.lines.append(line) } }
}
