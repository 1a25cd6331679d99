internal import CUV

extension EventLoop {
  /// Runs `body` on a thread of libuv's pool, and then `finish` with its value on the loop's thread.
  ///
  /// Neither is ever lost: the loop runs on until both are done, and ``close()`` waits for `body`
  /// and calls `finish` before it returns. `finish` may therefore find the loop's handles closing. It never
  /// runs before this call returns.
  ///
  /// The pool belongs to the process, with as many threads as `UV_THREADPOOL_SIZE` states, 4 without it;
  /// the first call starts them. Work begins in the order of the calls, and ends in any order.
  ///
  /// - Parameters:
  ///   - body: the work, which may block; it must not touch the loop or anything of its thread.
  ///   - finish: gets the value of `body`.
  public func work<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value, then finish: @escaping (Value) -> Void
  ) {
    WorkRequest.start(on: self) {
      let value = body()
      return { finish(value) }
    }
  }
}

/// Work on its way through the pool: libuv owns the request until the work has ended.
private final class WorkRequest {
  private let request = UnsafeMutablePointer<uv_work_t>.allocate(capacity: 1)
  private let loop: EventLoop
  /// Runs on a thread of the pool, and returns the rest for the loop's thread.
  private let body: () -> () -> Void
  private var finish: (() -> Void)?

  private init(_ loop: EventLoop, _ body: @escaping () -> () -> Void) {
    self.loop = loop
    self.body = body
  }

  deinit { request.deallocate() }

  static func start(on loop: EventLoop, _ body: @escaping () -> () -> Void) {
    let work = WorkRequest(loop, body)
    let retained = Unmanaged.passRetained(work)
    work.request.pointee.data = retained.toOpaque()
    let code = uv_queue_work(
      loop.raw, work.request,
      { raw in
        guard let data = raw?.pointee.data else { return }
        Unmanaged<WorkRequest>.fromOpaque(data).takeUnretainedValue().perform()
      },
      { raw, _ in
        guard let data = raw?.pointee.data else { return }
        Unmanaged<WorkRequest>.fromOpaque(data).takeRetainedValue().end()
      })
    // Its only error is a missing callback (uv_queue_work).
    precondition(code == 0, "libuv takes no work")
    loop.beginWork()
  }

  private func perform() { finish = body() }

  private func end() {
    loop.endWork()
    loop.callbackCount &+= 1
    finish?()
  }
}
