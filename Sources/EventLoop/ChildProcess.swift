internal import CUV

#if canImport(Glibc)
  internal import Glibc
#endif

/// A process that this one started, in a session and process group of its own.
public final class ChildProcess: Handle {
  /// What to start.
  public struct Specification {
    /// Path of the executable; no search path is used.
    public var executable: String
    /// All arguments, the first of which is by custom the executable's name.
    public var arguments: [String]
    /// `NAME=value` each; the parent's environment is never inherited.
    public var environment: [String]
    /// Working directory.
    public var directory: String
    /// What the child's descriptors 0, 1, 2, … are. All others are closed.
    public var descriptors: [Descriptor]

    public init(
      executable: String, arguments: [String], environment: [String] = [], directory: String,
      descriptors: [Descriptor]
    ) {
      self.executable = executable
      self.arguments = arguments
      self.environment = environment
      self.directory = directory
      self.descriptors = descriptors
    }
  }

  /// What one descriptor of the child is.
  public enum Descriptor {
    /// `/dev/null`.
    case null
    /// A descriptor of the parent.
    case inherited(Int32)
    /// The other end of this pipe, which gets connected.
    case pipe(Pipe)
  }

  /// How the process ended.
  public enum Exit: Sendable, Equatable {
    case status(Int)
    case signal(Int)
  }

  public private(set) var pid: Int32 = 0
  private var onExit: ((Exit) -> Void)?

  /// Starts the process. `onExit` is called once, when it has ended and been reaped.
  public init(
    _ specification: Specification, on loop: EventLoop, onExit: @escaping (Exit) -> Void
  ) throws(EventLoopError) {
    self.onExit = onExit
    super.init(UV_PROCESS, on: loop)
    let code = spawn(specification)
    // Even a spawn that fails leaves an initialized handle, which only uv_close may end.
    adopt()
    guard code == 0 else {
      close()
      throw EventLoopError(.spawn, code)
    }
    pid = memory.assumingMemoryBound(to: uv_process_t.self).pointee.pid
  }

  private func spawn(_ specification: Specification) -> Int32 {
    let arguments = CStrings(specification.arguments)
    let environment = CStrings(specification.environment)
    var descriptors = specification.descriptors.map(\.container)
    // libuv hands on what is not marked close-on-exec, such as what this process inherited itself. What
    // the child is given loses the mark again in the child.
    cuv_close_on_exec_from(UInt32(STDERR_FILENO) + 1)
    return path(specification.executable).withCString { executable in
      specification.directory.withCString { directory in
        descriptors.withUnsafeMutableBufferPointer { stdio in
          var options = uv_process_options_t()
          options.exit_cb = { raw, status, signal in
            (Handle.of(raw) as? ChildProcess)?.didExit(status: Int(status), signal: Int(signal))
          }
          options.file = executable
          options.args = arguments.pointers
          options.env = environment.pointers
          options.cwd = directory
          options.flags = UV_PROCESS_DETACHED.rawValue
          options.stdio = stdio.baseAddress
          options.stdio_count = Int32(stdio.count)
          return uv_spawn(loop.raw, memory.assumingMemoryBound(to: uv_process_t.self), &options)
        }
      }
    }
  }

  /// libuv searches `PATH` for a name without a slash.
  private func path(_ executable: String) -> String {
    executable.isEmpty || executable.utf8.contains(UInt8(ascii: "/"))
      ? executable : "./" + executable
  }

  private func didExit(status: Int, signal: Int) {
    let tell = onExit
    onExit = nil
    tell?(signal != 0 ? .signal(signal) : .status(status))
  }

  /// Sends `signal` to the process and everything that it started.
  ///
  /// - Returns: false where nothing is left to get it.
  @discardableResult
  public func signalGroup(_ signal: Int32) -> Bool {
    pid > 0 && kill(-pid, signal) == 0
  }

  override func willClose() { onExit = nil }
}

extension ChildProcess.Descriptor {
  fileprivate var container: uv_stdio_container_t {
    var container = uv_stdio_container_t()
    switch self {
    case .null:
      container.flags = UV_IGNORE
    case .inherited(let descriptor):
      container.flags = UV_INHERIT_FD
      container.data.fd = descriptor
    case .pipe(let pipe):
      container.flags = uv_stdio_flags(
        UV_CREATE_PIPE.rawValue | UV_READABLE_PIPE.rawValue | UV_WRITABLE_PIPE.rawValue)
      container.data.stream = pipe.stream
    }
    return container
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
