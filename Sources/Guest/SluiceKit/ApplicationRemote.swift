internal import EventLoop
internal import Synchronization

/// An app as seen by other threads: they cannot call it, but can have its thread do so.
///
/// ```swift
/// let remote = app.remote
/// IdentityDispatchQueue.global().async {
///   let digest = summarize(document)
///   remote.enqueue { app in app.log(digest) }
/// }
/// ```
public final class ApplicationRemote: Sendable {
  private let state: Mutex<State>

  private struct State {
    var calls: [Call] = []
    /// The sender of the signal; nil once no more calls will be made.
    var sender: AsyncSignal.Sender?
  }

  /// A call and the identity under which it is made.
  private struct Call {
    let identity: ThreadIdentity
    let body: @Sendable (Application) -> Void
  }

  /// - Parameter sender: wakes the app's thread, which then calls ``runAll(in:)``; nil where the app has ended.
  init(waking sender: AsyncSignal.Sender?) {
    state = Mutex(State(sender: sender))
  }

  /// Has the app's thread call `body`, under the thread identity of the caller.
  ///
  /// Calls run in the order in which they were enqueued, while ``Application/run()`` runs, and the last of
  /// them when the app stops, before its connection closes. Safe from any thread, that of the app included;
  /// never waits.
  ///
  /// - Returns: false where the app has ended: `body` will not be called.
  @discardableResult
  public func enqueue(_ body: @escaping @Sendable (Application) -> Void) -> Bool {
    let call = Call(identity: .current, body: body)
    let sender = state.withLock { state in
      if state.sender != nil { state.calls.append(call) }
      return state.sender
    }
    sender?.send()
    return sender != nil
  }

  /// Makes all waiting calls; calls that they enqueue come after other events.
  func runAll(in application: Application) {
    for call in take() { call.identity.scope { call.body(application) } }
  }

  /// Makes the waiting calls, and takes no others.
  func end(in application: Application) {
    state.withLock { $0.sender = nil }
    runAll(in: application)
  }

  private func take() -> [Call] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }
}
