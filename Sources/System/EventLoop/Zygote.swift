internal import CSpawn
internal import CZygote

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

    var options: Options {
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
  struct Options: OptionSet {
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
  func start(
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
}
