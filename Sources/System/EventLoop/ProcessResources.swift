internal import CUV

#if canImport(Glibc)
  internal import Glibc
#endif

/// The limit on open descriptors of this process (RLIMIT_NOFILE of getrlimit(2)).
public enum DescriptorLimit {
  private static let forCrowds: rlim_t = 65_536
  /// The number of descriptors reserved for the device's files and clients.
  public static let reserve = 64

  /// The descriptor limit if few descriptors are free; otherwise nil. Few means at most ``reserve``, or at most a
  /// quarter of the limit if that is less.
  public static var exhausted: Int? {
    guard let most = current else { return nil }
    // The kernel returns the lowest free number.
    let next = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if next >= 0 { close(next) }
    return next >= 0 && Int(next) < most - min(reserve, most / 4) ? nil : most
  }

  /// The current limit; nil if it is unknown or too high to be reached.
  public static var current: Int? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
      limit.rlim_cur < rlim_t(Int32.max)
    else { return nil }
    return Int(limit.rlim_cur)
  }

  /// Raises the limit to the hard limit. The default of 1,024, a concession to select(2), is too low for a few hundred
  /// guests. If the hard limit is below 65,536 and this process may raise it, raises both limits to 65,536.
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

/// The process-wide thread pool of libuv.
///
/// libuv starts the pool with the first work item, and aborts the process if it cannot start enough threads. Start the
/// pool before starting many processes.
public enum WorkerThreads {
  /// Starts the pool once per process. Leaves one available thread to libdispatch, which would otherwise block
  /// forever.
  ///
  /// - Throws: ``EventLoopError`` if fewer than two threads are available.
  public static func start() throws(EventLoopError) {
    try EventLoopError.check(.startThreads, outcome)
  }

  /// libuv's result code for the only attempt to start the pool.
  private static let outcome: Int32 = {
    let wanted = wantedCount
    let count = available(atMost: wanted + 1) - 1
    guard count > 0 else { return UV_EAGAIN.rawValue }
    if count < wanted { setenv(sizeVariable, "\(count)", 1) }
    return startPool()
  }()

  private static let sizeVariable = "UV_THREADPOOL_SIZE"

  /// The number of threads that libuv requests.
  private static var wantedCount: Int {
    guard let text = getenv(sizeVariable) else { return 4 }
    return min(max(Int(atoi(text)), 1), 1_024)
  }

  /// Returns the number of threads that this process can start at once, up to `most`.
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

  /// Makes libuv start its threads, by running empty work on a temporary loop.
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

/// The standard input, output and error of this process.
public enum StandardDescriptors {
  /// Opens `/dev/null` for each standard descriptor that was closed at launch. Otherwise, files opened later would get
  /// these descriptor numbers, which libuv does not close.
  public static func complete() {
    var opened: Int32
    repeat { opened = open("/dev/null", O_RDWR) } while (0...STDERR_FILENO).contains(opened)
    if opened > STDERR_FILENO { close(opened) }
  }
}
