internal import EventLoop

extension Application {
  /// Has `body` called soon on the app's thread, under the present thread identity
  /// (``ApplicationRemote/enqueue(_:)``). Other threads use ``remote`` instead.
  public func enqueue(_ body: @escaping @Sendable (Application) -> Void) {
    remote.enqueue(body)
  }

  func makeRemote() -> ApplicationRemote {
    guard !connection.loop.isClosed else { return ApplicationRemote(waking: nil) }
    let signal = try? AsyncSignal(on: connection.loop) { [unowned self] in
      remote.runAll(in: self)
    }
    // It is the host that keeps a guest running.
    signal?.unref()
    connection.willEnd = { [unowned self] in remote.end(in: self) }
    return ApplicationRemote(waking: signal?.sender)
  }
}
