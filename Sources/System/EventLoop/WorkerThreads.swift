internal import CUV

#if canImport(Glibc)
  internal import Glibc
#endif

/// The threads of libuv's pool, which belong to the process.
///
/// libuv starts them with the first work, and ends the process where the system gives it fewer than it asks for: whoever
/// goes on to start many processes starts the threads first.
public enum WorkerThreads {
  /// Starts the threads, as many as the system gives less one, once for the process: libdispatch waits without end where
  /// no thread is left for it.
  ///
  /// - Throws: ``EventLoopError`` where the system does not give two.
  public static func start() throws(EventLoopError) {
    try EventLoopError.check(.startThreads, outcome)
  }

  /// libuv's code of the only attempt.
  private static let outcome: Int32 = {
    let wanted = wantedCount
    let count = available(atMost: wanted + 1) - 1
    guard count > 0 else { return UV_EAGAIN.rawValue }
    if count < wanted { setenv(sizeVariable, "\(count)", 1) }
    return startPool()
  }()

  private static let sizeVariable = "UV_THREADPOOL_SIZE"

  /// The number of threads that libuv asks for.
  private static var wantedCount: Int {
    guard let text = getenv(sizeVariable) else { return 4 }
    return min(max(Int(atoi(text)), 1), 1_024)
  }

  /// The number of threads that the system gives this process at one time, up to `most`.
  static func available(atMost most: Int) -> Int {
    let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    defer { gate.deallocate() }
    pthread_mutex_init(gate, nil)
    defer { pthread_mutex_destroy(gate) }
    pthread_mutex_lock(gate)
    var threads: [pthread_t] = []
    while threads.count < most {
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { gate in
          let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self)
          gate.map { _ = pthread_mutex_lock($0) }
          gate.map { _ = pthread_mutex_unlock($0) }
          return nil
        }, gate)
      guard code == 0 else { break }
      threads.append(thread)
    }
    pthread_mutex_unlock(gate)
    for thread in threads { pthread_join(thread, nil) }
    return threads.count
  }

  /// Has libuv start its threads, by work that does nothing on a loop of its own.
  private static func startPool() -> Int32 {
    withUnsafeTemporaryAllocation(of: uv_loop_t.self, capacity: 1) { loop in
      withUnsafeTemporaryAllocation(of: uv_work_t.self, capacity: 1) { work in
        let (loop, work) = (loop.baseAddress, work.baseAddress)
        let code = uv_loop_init(loop)
        guard code == 0 else { return code }
        uv_queue_work(loop, work, { _ in }, nil)
        uv_run(loop, UV_RUN_DEFAULT)
        return uv_loop_close(loop)
      }
    }
  }
}
