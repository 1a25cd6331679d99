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

  /// `enum czygote_option`.
  struct Options: OptionSet {
    let rawValue: UInt32

    static let asInit = Options(rawValue: CZYGOTE_AS_INIT.rawValue)
    static let withInit = Options(rawValue: CZYGOTE_WITH_INIT.rawValue)
    static let executes = Options(rawValue: CZYGOTE_EXECUTES.rawValue)
    static let loopback = Options(rawValue: CZYGOTE_LOOPBACK.rawValue)
  }

  private let raw: czygote
  private var isClosed = false

  /// Starts the program at `executable`, which calls `czygote_serve`, and waits until it serves.
  ///
  /// - Parameter folder: the folder in which nothing is to be executed.
  /// - Throws: ``EventLoopError`` where the program does not start, or is no zygote.
  public init(executable: String, folder: String) throws(EventLoopError) {
    var raw = czygote()
    try ChildProcess.adding { () throws(EventLoopError) in
      try EventLoopError.check(.spawn, czygote_open(executable, folder, &raw))
      return (raw.pid, ())
    }
    self.raw = raw
  }

  /// Has a process forked.
  ///
  /// - Parameter controlGroup: a descriptor of the folder of the control group that it begins in; nil: the zygote's.
  /// - Returns: its identifier, or a negated errno.
  func start(
    _ request: inout cspawn_request, _ options: Options, in controlGroup: Int32?
  ) -> Int32 {
    withUnsafePointer(to: raw) {
      czygote_start($0, &request, Int32(bitPattern: options.rawValue), controlGroup ?? -1)
    }
  }

  /// The guarantees of its namespaces.
  public var promises: Promises { Promises(rawValue: raw.promises) }

  /// Whether it still serves.
  public var isAlive: Bool { !isClosed && czygote_is_alive(raw.control) != 0 }

  /// Ends the zygote; its processes live on.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    ChildProcess.removing(raw.pid) { withUnsafePointer(to: raw, czygote_close) }
  }

  deinit { close() }
}
