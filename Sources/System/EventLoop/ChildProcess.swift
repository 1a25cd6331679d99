internal import CSpawn
internal import CZygote

#if canImport(Glibc)
  internal import Glibc
#endif

internal import Synchronization

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
  struct Known {
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
  static func adding<Value>(
    _ start: (inout Known) throws(EventLoopError) -> (pid: Int32, value: Value)
  ) throws(EventLoopError) -> Value {
    try known.withLock { known throws(EventLoopError) in
      let started = try start(&known)
      known.pids.insert(started.pid)
      return started.value
    }
  }

  /// Removes a process that `reap` reaps.
  static func removing<Value>(_ pid: Int32, _ reap: (inout Known) -> Value) -> Value {
    known.withLock { known in
      known.pids.remove(pid)
      return reap(&known)
    }
  }

  /// Calls `body` with the identifiers of all child processes that have not been reaped, in ascending order; none
  /// starts or is reaped meanwhile.
  static func withAll<Value>(_ body: ([Int32]) -> Value) -> Value {
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
}

extension ChildProcess {
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
