internal import CUV

#if canImport(Glibc)
  internal import Glibc
#endif

/// The limit on open descriptors of this process (RLIMIT_NOFILE of getrlimit(2)).
public enum DescriptorLimit {
  private static let forCrowds: rlim_t = 65_536
  /// Descriptors that are not for guests: files that a device opens to work, clients that ask it.
  public static let reserve = 64

  /// The number that guests have used up, but for the reserve; nil while they have not. Of a small limit a quarter is the
  /// reserve.
  public static var exhausted: Int? {
    guard let most = current else { return nil }
    // The system gives the lowest number that is free.
    let next = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if next >= 0 { close(next) }
    return next >= 0 && Int(next) < most - min(reserve, most / 4) ? nil : most
  }

  /// The present limit; nil: none that could be reached.
  public static var current: Int? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
      limit.rlim_cur < rlim_t(Int32.max)
    else { return nil }
    return Int(limit.rlim_cur)
  }

  /// Raises the limit as far as the system allows: by default a user's programs have 1,024, for the sake of
  /// select(2), and a few hundred guests need more. Root has as many as ten thousand guests need.
  public static func raise() {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    if limit.rlim_max < forCrowds {
      var more = rlimit(rlim_cur: forCrowds, rlim_max: forCrowds)
      if setrlimit(resource, &more) == 0 { return }
    }
    guard limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
  }
}

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

/// Standard input, output and error of this process.
public enum StandardDescriptors {
  /// Connects those that whoever started the process has closed with `/dev/null`.
  ///
  /// Otherwise the next files that are opened take their places, and libuv does not close what is there.
  public static func complete() {
    var opened: Int32
    repeat { opened = open("/dev/null", O_RDWR) } while (0...STDERR_FILENO).contains(opened)
    if opened > STDERR_FILENO { close(opened) }
  }
}
