internal import Synchronization

/// A sign-in prompt that may be dismissed before its dismiss closure is known.
final class ShownPrompt: Sendable {
  private let state = Mutex(State.appearing)

  private enum State {
    case appearing
    case shown(@Sendable () -> Void)
    case gone
  }

  /// Records that the prompt is shown.
  ///
  /// - Parameter dismiss: A closure that dismisses the prompt.
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
