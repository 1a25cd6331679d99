internal import Synchronization

/// A sign-in prompt. The app may dismiss it while it is still being shown, before the closure that
/// dismisses it is known.
final class ShownPrompt: Sendable {
  private let state = Mutex(State.appearing)

  private enum State {
    case appearing
    case shown(@Sendable () -> Void)
    case gone
  }

  /// Records the closure that dismisses the prompt. If the prompt has already been dismissed, calls
  /// the closure immediately.
  func isShown(_ dismiss: @escaping @Sendable () -> Void) {
    let isGone = state.withLock { state in
      if case .gone = state { return true }
      state = .shown(dismiss)
      return false
    }
    if isGone { dismiss() }
  }

  func dismiss() {
    let before = state.withLock { state in
      defer { state = .gone }
      return state
    }
    if case .shown(let dismiss) = before { dismiss() }
  }
}
