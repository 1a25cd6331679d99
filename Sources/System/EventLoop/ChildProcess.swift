internal import CSpawn
internal import CUV
internal import CZygote
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#endif

/// A process that this one started, in a process group of its own, and in a session of its own or that of its zygote.
public final class ChildProcess {
  /// The program to start, with its surroundings.
  public struct Specification {
    /// Where the process comes from.
    public var origin: Origin
    /// All arguments, the first of which is by convention the executable's name.
    public var arguments: [String]
    /// The environment, `NAME=value` each; the parent's environment is never inherited.
    public var environment: [String]
    /// The working directory.
    public var directory: String
    /// The child's descriptors 0, 1, 2, …. All others are closed.
    public var descriptors: [Descriptor]
    /// The time from which the process's end is looked for.
    public var watch: Watch
    /// A descriptor of the folder of the control group that a zygote's fork begins in; nil: the zygote's.
    public var controlGroup: Int32?

    /// The zygote's next process.
    public var successor: Zygote.Successor

    /// A program with its surroundings.
    public init(
      _ origin: Origin, arguments: [String], environment: [String] = [], directory: String,
      descriptors: [Descriptor], watch: Watch = .fromStart, controlGroup: Int32? = nil,
      successor: Zygote.Successor = .later
    ) {
      self.controlGroup = controlGroup
      self.successor = successor
      self.watch = watch
      self.origin = origin
      self.arguments = arguments
      self.environment = environment
      self.directory = directory
      self.descriptors = descriptors
    }
  }

  /// The origin of a process.
  public enum Origin {
    /// The executable at this path; no search path is used.
    case executable(String)
    /// A fork of this zygote.
    case zygote(Zygote, Zygote.Isolation)
    /// The executable at this path, with the namespaces of this zygote, whose network has a loopback interface from here
    /// on.
    case executableAmong(Zygote, String)
  }

  /// The time from which the end of a process is looked for.
  public enum Watch: Sendable {
    case fromStart
    /// From ``ChildProcess/watch()`` on, and no descriptor of this process's is taken for it until then: where a pipe tells the
    /// end, too.
    case onDemand
  }

  /// The meaning of one descriptor of the child.
  public enum Descriptor {
    /// `/dev/null`.
    case null
    /// A descriptor of the parent.
    case inherited(Int32)
    /// The other end of this pipe, which becomes connected.
    case pipe(Pipe)
  }

  /// The way in which the process ended.
  public enum Exit: Sendable, Equatable {
    case status(Int)
    case signal(Int)
  }

  public let pid: Int32
  private let loop: EventLoop
  /// Whether the process tells the signal that ends it by its status, see ``Zygote/Isolation/asInit``.
  private let isInit: Bool
  /// Whether all that the process has started ends with it, because it has a PID namespace.
  public let takesDescendantsAlong: Bool
  private var end: ProcessEnd?
  private var isReaped = false
  private var onExit: ((Exit) -> Void)?

  /// Starts the process. `onExit` is called once, when it has ended and been reaped.
  ///
  /// This process is not copied for it: the cost of a start does not depend on the host's memory. While its end is looked
  /// for, the loop keeps the object.
  ///
  /// - Throws: ``EventLoopError`` where the system refuses; there is no process then.
  public init(
    _ specification: Specification, on loop: EventLoop, onExit: @escaping (Exit) -> Void
  ) throws(EventLoopError) {
    var ends = try Ends(specification.descriptors)
    defer { ends.close() }
    self.loop = loop
    self.onExit = onExit
    let isolation = specification.origin.isolation
    isInit = isolation == .asInit
    takesDescendantsAlong = isolation != .shared
    pid = try Self.adding { children throws(EventLoopError) in
      let pid = try Self.spawn(specification, ends.child, &children)
      return (pid, pid)
    }
    do throws(EventLoopError) {
      if specification.watch == .fromStart { try watch() }
      try ends.connect()
    } catch {
      close()
      throw error
    }
  }

  deinit { close() }

  /// The child processes that have not been reaped, on whatever loop.
  fileprivate struct Known {
    /// Identifiers of processes.
    var pids: Set<Int32> = []
    /// Connections of zygotes that have forked the next process ahead.
    var ahead: Set<Int32> = []

    /// Identifiers of all of them, in ascending order.
    fileprivate var all: [Int32] {
      pids.union(ahead.map(czygote_forked_ahead).filter { $0 > 0 }).sorted()
    }
  }

  private static let known = Mutex(Known())

  /// Adds the process that `start` starts: it must not be taken for an orphan before it is known.
  fileprivate static func adding<Value>(
    _ start: (inout Known) throws(EventLoopError) -> (pid: Int32, value: Value)
  ) throws(EventLoopError) -> Value {
    try known.withLock { known throws(EventLoopError) in
      let started = try start(&known)
      known.pids.insert(started.pid)
      return started.value
    }
  }

  /// Removes a process that `reap` reaps.
  fileprivate static func removing<Value>(_ pid: Int32, _ reap: (inout Known) -> Value) -> Value {
    known.withLock { known in
      known.pids.remove(pid)
      return reap(&known)
    }
  }

  /// Calls `body` with the identifiers of all child processes that have not been reaped, in ascending order; none
  /// starts or is reaped meanwhile.
  fileprivate static func withAll<Value>(_ body: ([Int32]) -> Value) -> Value {
    known.withLock { body($0.all) }
  }

  private static func spawn(
    _ specification: Specification, _ descriptors: [Int32], _ children: inout Known
  ) throws(EventLoopError) -> Int32 {
    let arguments = CStrings(specification.arguments)
    let environment = CStrings(specification.environment)
    let pid = specification.directory.withCString { directory in
      descriptors.withUnsafeBufferPointer { descriptors in
        var request = cspawn_request(
          executable: nil, arguments: arguments.pointers, environment: environment.pointers,
          directory: directory, descriptors: descriptors.baseAddress,
          count: Int32(descriptors.count))
        switch specification.origin {
        case .zygote(let zygote, let isolation):
          let options = isolation.options.union(
            specification.successor == .ahead ? .ahead : [])
          return zygote.start(&request, options, in: specification.controlGroup, &children)
        case .executableAmong(let zygote, _):
          let options = specification.origin.isolation.options
          return zygote.start(
            &request, options.union([.executes, .loopback]), in: nil, &children)
        case .executable(let path):
          return path.withCString { path in
            request.executable = path
            return cspawn_start(&request)
          }
        }
      }
    }
    try EventLoopError.check(.spawn, pid)
    return pid
  }

  /// Looks for the process's end from now on.
  ///
  /// - Throws: ``EventLoopError`` where the system refuses, as for want of a descriptor.
  public func watch() throws(EventLoopError) {
    guard end == nil, !isReaped else { return }
    end = try ProcessEnd(of: pid, on: loop) { [self] in didEnd() }
  }

  /// Kills the process and tells its end at once, where that cannot be waited for.
  public func endAtOnce() {
    guard !isReaped else { return }
    signalGroup(SIGKILL)
    didEnd()
  }

  private func didEnd() {
    let exit = reap()
    let tell = onExit
    onExit = nil
    tell?(exit)
  }

  /// Lets go of the process; one that has not ended is killed. `onExit` is not called any more. Idempotent.
  public func close() {
    onExit = nil
    if !isReaped {
      signalGroup(SIGKILL)
      _ = reap()
    }
    end?.close()
    end = nil
  }

  private func reap() -> Exit {
    var status: Int32 = 0
    let code = Self.removing(pid) { _ in cspawn_reap(pid, &status) }
    precondition(code == 0, "the child was reaped elsewhere")
    isReaped = true
    let signal = Int(status & 0x7F)
    guard signal == 0 else { return .signal(signal) }
    let number = status >> 8 & 0xFF
    let isSignal = isInit && czygote_tells_signal(number - 128) != 0
    return isSignal ? .signal(Int(number - 128)) : .status(Int(number))
  }

  /// Sends `signal` to the process and everything that it started.
  ///
  /// - Returns: false where no process is left to receive it.
  @discardableResult
  public func signalGroup(_ signal: Int32) -> Bool {
    // A zygote's fork is told of before it has made its process group.
    kill(-pid, signal) == 0 || !isReaped && kill(pid, signal) == 0
  }

  /// Waits until the process, which was sent SIGSTOP, has stopped or ended.
  public func awaitStop() { cspawn_await_stop(pid) }
}

extension ChildProcess.Origin {
  /// The namespaces that the process has beyond those that others have, too.
  fileprivate var isolation: Zygote.Isolation {
    switch self {
    case .executable: .shared
    case .zygote(_, let isolation): isolation
    case .executableAmong(let zygote, _):
      zygote.promises.contains(.processes) ? .withInit : .shared
    }
  }
}

/// The descriptors of a child, and this process's ends of its pipes.
private struct Ends {
  /// The child's descriptors 0, 1, 2, ….
  private(set) var child: [Int32] = []
  private var toClose: [Int32] = []
  private var own: [(descriptor: Int32, pipe: Pipe)] = []

  init(_ descriptors: [ChildProcess.Descriptor]) throws(EventLoopError) {
    for descriptor in descriptors {
      switch descriptor {
      case .null: child.append(Int32(CSPAWN_NULL))
      case .inherited(let given): child.append(given)
      case .pipe(let pipe):
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else {
          let error = EventLoopError(.spawn, -errno)
          close()
          throw error
        }
        own.append((pair[0], pipe))
        toClose.append(pair[1])
        child.append(pair[1])
      }
    }
  }

  /// Hands the pipes their descriptors.
  mutating func connect() throws(EventLoopError) {
    while let next = own.last {
      try next.pipe.open(next.descriptor)
      own.removeLast()
    }
  }

  /// Closes all descriptors that no pipe has taken.
  mutating func close() {
    for descriptor in toClose + own.map(\.descriptor) { Glibc.close(descriptor) }
    (toClose, own) = ([], [])
  }
}

/// A null-terminated array of C strings.
private final class CStrings {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    pointers = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() { pointers[index] = strdup(string) }
    pointers[count] = nil
  }

  deinit {
    for index in 0..<count { free(pointers[index]) }
    pointers.deallocate()
  }
}

// MARK: - End

/// The watch for the end of a child process.
private final class ProcessEnd: Handle {
  /// A descriptor that is readable once the process has ended.
  private let descriptor: Int32
  private var isSeen = false
  private var onEnd: (() -> Void)?

  /// Watches the process. `onEnd` is called once, when it has ended.
  ///
  /// - Throws: ``EventLoopError`` where the system refuses.
  init(of process: Int32, on loop: EventLoop, onEnd: @escaping () -> Void) throws(EventLoopError) {
    descriptor = cspawn_watch(process)
    self.onEnd = onEnd
    super.init(UV_POLL, on: loop)
    try EventLoopError.check(.spawn, descriptor)
    do throws(EventLoopError) {
      try EventLoopError.check(.spawn, uv_poll_init(loop.raw, poll, descriptor))
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    adopt()
    uv_poll_start(poll, Int32(UV_READABLE.rawValue)) { raw, _, _ in
      (Handle.of(raw) as? ProcessEnd)?.didEnd()
    }
  }

  private var poll: UnsafeMutablePointer<uv_poll_t> {
    memory.assumingMemoryBound(to: uv_poll_t.self)
  }

  private func didEnd() {
    // Its output is read first: that is among the same events, and may stand behind this one, which comes again.
    guard isSeen else {
      isSeen = true
      return
    }
    uv_poll_stop(poll)
    let tell = onEnd
    onEnd = nil
    tell?()
  }

  override func willClose() { onEnd = nil }

  override func didClose() {
    Glibc.close(descriptor)
    super.didClose()
  }
}

// MARK: - Zygotes

/// A small process that starts others by forking, in namespaces that keep them apart.
///
/// Its processes are children of this one: ``ChildProcess`` starts them and sees their end, and they outlive the zygote.
public final class Zygote {
  /// The guarantees that a zygote's namespaces give, as far as the kernel and the user's rights allow.
  public struct Promises: OptionSet, Sendable, Hashable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    init(_ promise: czygote_promise) { self.init(rawValue: Int32(bitPattern: promise.rawValue)) }

    /// A user, a network and an IPC namespace without a way out, one for all processes of the zygote.
    public static let network = Promises(CZYGOTE_NETWORK)
    /// A PID namespace for each process that asks for it: it sees no others, and what it starts ends with it.
    public static let processes = Promises(CZYGOTE_PROCESSES)
    /// Nothing in the zygote's folder is executed.
    public static let execution = Promises(CZYGOTE_EXECUTION)
    /// Mounts of their own for processes that ask for them, with a `/proc` of their own.
    public static let mounts = Promises(CZYGOTE_MOUNTS)
  }

  /// The namespaces of one process beyond those of its zygote.
  public enum Isolation: Sendable {
    /// The zygote's, where all of its processes are together.
    case shared
    /// A PID namespace in which the process has number 1. It ends with the status 128 and a signal's number
    /// instead of by a signal, unless that is SIGKILL or a fault.
    case asInit
    /// PID and IPC namespaces in which another process has number 1.
    case withInit

    fileprivate var options: Options {
      switch self {
      case .shared: []
      case .asInit: .asInit
      case .withInit: .withInit
      }
    }
  }

  /// The next process of a zygote.
  public enum Successor: Sendable {
    /// It is forked when it is asked for.
    case later
    /// It is forked ahead, and waits. It must be one ``Isolation/asInit``, without a control group.
    case ahead
  }

  /// `enum czygote_option`.
  fileprivate struct Options: OptionSet {
    let rawValue: UInt32

    static let asInit = Options(rawValue: CZYGOTE_AS_INIT.rawValue)
    static let withInit = Options(rawValue: CZYGOTE_WITH_INIT.rawValue)
    static let executes = Options(rawValue: CZYGOTE_EXECUTES.rawValue)
    static let loopback = Options(rawValue: CZYGOTE_LOOPBACK.rawValue)
    static let ahead = Options(rawValue: CZYGOTE_AHEAD.rawValue)
  }

  private var raw: czygote
  private var isClosed = false

  /// Starts the program at `executable`, which calls `czygote_serve`, and waits until it serves.
  ///
  /// - Parameters:
  ///   - folder: the folder in which nothing is to be executed.
  ///   - filter: a descriptor of the filter of system calls for the zygote and all that it forks; nil: none.
  /// - Throws: ``EventLoopError`` where the program does not start, or is no zygote.
  public init(executable: String, folder: String, filter: Int32? = nil) throws(EventLoopError) {
    var raw = czygote()
    try ChildProcess.adding { _ throws(EventLoopError) in
      try EventLoopError.check(.spawn, czygote_open(executable, folder, filter ?? -1, &raw))
      return (raw.pid, ())
    }
    self.raw = raw
  }

  /// Has a process forked.
  ///
  /// - Parameters:
  ///   - controlGroup: a descriptor of the folder of the control group that it begins in; nil: the zygote's.
  ///   - children: this process's children, among which the process is that the zygote forks for the next request.
  /// - Returns: its identifier, or a negated errno.
  fileprivate func start(
    _ request: inout cspawn_request, _ options: Options, in controlGroup: Int32?,
    _ children: inout ChildProcess.Known
  ) -> Int32 {
    let pid = czygote_start(
      &raw, &request, Int32(bitPattern: options.rawValue), controlGroup ?? -1)
    if raw.ahead >= 0 {
      children.ahead.insert(raw.control)
    } else {
      children.ahead.remove(raw.control)
    }
    return pid
  }

  /// The guarantees of its namespaces.
  public var promises: Promises {
    Promises(rawValue: raw.promises).subtracting(Promises(CZYGOTE_FILTER))
  }

  /// Whether the system calls of its processes are filtered from their beginning on. Each of them must then have a PID namespace, see
  /// ``Isolation/asInit``.
  public var isFiltered: Bool { raw.promises & Int32(CZYGOTE_FILTER.rawValue) != 0 }

  /// Whether it still serves.
  public var isAlive: Bool { !isClosed && czygote_is_alive(raw.control) != 0 }

  /// Ends the zygote; its processes live on.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    ChildProcess.removing(raw.pid) { children in
      children.ahead.remove(raw.control)
      czygote_close(&raw)
    }
  }

  deinit { close() }

  /// The errno with which the kernel refuses a child of this process the namespaces that a zygote asks for; 0: it gives them, or
  /// the answer is not known.
  public static func refusal() -> Int32 { -czygote_refusal() }
}

// MARK: - Orphans

/// Processes that the children of this process have started and left, outside of the children's process groups.
public enum Orphans {
  /// Makes such processes children of this one when their parent ends (PR_SET_CHILD_SUBREAPER of prctl(2)), so that
  /// ``end()`` finds them. From here on this process must start others by ``ChildProcess`` alone.
  public static func adopt() { cspawn_adopt_orphans() }

  /// The largest number of searches in one call: killed processes leave their own children behind.
  private static let rounds = 100
  /// The pause between searches in microseconds, for killed processes to be gone.
  private static let pause: UInt32 = 1_000

  /// The number of searches that were asked for.
  private static let asked = Atomic<Int>(0)
  /// The number of the last request whose search is over.
  private static let done = Mutex(0)

  /// Kills all processes that this one has adopted; nothing where it adopts none.
  ///
  /// A search looks at every process of the machine. Threads that ask during a search share the next one.
  public static func end() {
    guard cspawn_adopts_orphans() != 0 else { return }
    let ticket = asked.add(1, ordering: .sequentiallyConsistent).newValue
    done.withLock { done in
      guard done < ticket else { return }
      let last = asked.load(ordering: .sequentiallyConsistent)
      search()
      done = last
    }
  }

  private static func search() {
    for round in 0..<rounds {
      if round > 0 { usleep(pause) }
      let areFound = ChildProcess.withAll { pids in
        pids.withUnsafeBufferPointer { cspawn_end_orphans($0.baseAddress, Int32($0.count)) > 0 }
      }
      if !areFound { return }
    }
  }
}
