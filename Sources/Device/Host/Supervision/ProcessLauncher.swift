internal import CConfinement
internal import EventLoop
internal import Glibc

/// Launches guests as confined processes of the operating system.
final class ProcessLauncher: GuestLauncher {
  private let configuration: DeviceConfiguration
  private let folders: Folders
  private let loop: EventLoop
  private let zygotes: Zygotes
  private let groups: ControlGroups
  private var common: CommonOutput?

  init(
    _ configuration: DeviceConfiguration, folders: Folders, zygotes: Zygotes, groups: ControlGroups,
    loop: EventLoop
  ) {
    self.configuration = configuration
    self.folders = folders
    self.zygotes = zygotes
    self.groups = groups
    self.loop = loop
  }

  func launch(
    _ guest: Guest, reaching servers: ServerAccess, for supervisor: GuestSupervisor
  ) throws {
    try prepareContainer(guest)
    try checkProgram(of: guest)
    let pipe = try Pipe(on: loop)
    guest.process.connection = GuestConnection(
      guest: guest, port: pipe, frameLimit: configuration.limits.guestFrame)
    switch guest.app.program {
    case .readyMade, .script:
      let output = try commonOutput()
      let process = try start(guest, servers, pipe, output.descriptor, for: supervisor)
      guest.process.output = output.share(of: process.pid) { [unowned supervisor, unowned guest] in
        supervisor.didWrite($0, by: guest)
      }
    case .executable:
      guest.process.controlGroup = groups.makeGroup()
      let (output, childEnd) = try Pipe.capture(on: loop)
      defer { Glibc.close(childEnd) }
      guest.process.output = ProgramOutput(output, supervisor.slices) {
        [unowned supervisor, unowned guest] in supervisor.didWrite($0, by: guest)
      }
      try start(guest, servers, pipe, childEnd, for: supervisor)
    }
    try supervisor.router?.listen(to: pipe, of: guest)
  }

  /// Returns the socket that all ready-made guests and scripts share for standard output and standard error. They share
  /// one, because thousands of them may run, and they write little more than fatal errors. The output of a script's
  /// `print` is sent as messages instead.
  private func commonOutput() throws(EventLoopError) -> CommonOutput {
    if let common { return common }
    let output = try CommonOutput(on: loop)
    common = output
    return output
  }

  @discardableResult
  private func start(
    _ guest: Guest, _ servers: ServerAccess, _ pipe: Pipe, _ output: Int32,
    for supervisor: GuestSupervisor
  ) throws -> ChildProcess {
    let specification = try specification(
      guest, reaching: servers, protocolPipe: pipe, output: output)
    let process = try ChildProcess(specification, on: loop) {
      [unowned supervisor, unowned guest] exit in
      supervisor.transaction { supervisor.didExit(guest, exit) }
    }
    guest.process.handle = process
    return process
  }

  private func prepareContainer(_ guest: Guest) throws(HostError) {
    try folders.createContainer(guest.container)
    guard access(guest.container, W_OK) == 0 else {
      throw HostError(.folder, "the container `\(guest.container)` is not writable")
    }
    for group in guest.app.appGroups { try folders.createContainer(folders.group(group)) }
  }

  private func checkProgram(of guest: Guest) throws(HostError) {
    switch guest.app.program {
    case .readyMade: break
    case .executable(let path, _):
      try ProgramCheck.check(executable: path)
      // Landlock grants access to a folder only together with all of its contents.
      if let folder = exposure(of: Folders.absolute(folders.root), to: path, guest.app) {
        throw HostError(
          .program,
          "the program `\(path)` may read `\(folder)`, which contains the device's folder; move the device's folder elsewhere"
        )
      }
    case .script(let path): try ProgramCheck.check(script: path)
    }
  }

  // MARK: Confinement

  /// The paths that dynamically linked programs may read: the loader, libraries, time zones, and a few
  /// devices.
  private static let runtime: [String] = {
    var paths: [String] = []
    var next = sluice_runtime_paths()
    while let path = next?.pointee {
      paths.append(String(cString: path))
      next = next?.advanced(by: 1)
    }
    return paths
  }()

  /// A program's limit on pending signals: half of the user's limit, at least 1. Each POSIX timer uses a pending
  /// signal. The other half remains for scripts, which have one timer each.
  private static let pendingSignals = max(1, sluice_pending_signal_limit() / 2)

  private func specification(
    _ guest: Guest, reaching servers: ServerAccess, protocolPipe: Pipe, output: Int32
  ) throws -> ChildProcess.Specification {
    let birth = try birth(of: guest, reaching: servers)
    var arguments =
      [birth.name] + confinement(guest.app.accessibleGroups.map(folders.group))
      + servers.arguments + birth.confinement
    var descriptors: [ChildProcess.Descriptor] = [
      .null, .inherited(output), .inherited(output), .pipe(protocolPipe),
    ]
    if let profile = birth.filter {
      guest.process.filter = try OwnFilter(of: guest.app)
      arguments.append("--filter-calls")
      descriptors.append(.inherited(try CompiledFilter.of(profile).descriptor))
    }
    return ChildProcess.Specification(
      birth.origin, arguments: arguments + needs(of: guest.app),
      environment: servers.environment + bundleEnvironment(of: guest.app),
      directory: guest.container, descriptors: descriptors,
      watch: birth.watch, controlGroup: guest.process.controlGroup?.descriptor,
      // The zygote forks the next guest's process while the device is busy with other guests.
      successor: birth.filter == nil ? .ahead : .later)
  }

  /// Returns the last arguments of the process, which depend on the app's program. For an executable, they are its
  /// permissions and limits, its path and its own arguments. For a script, they are its path. For the ready-made guest,
  /// there are none.
  private func needs(of app: AppDescription) -> [String] {
    switch app.program {
    case .readyMade: return []
    case .script(let path): return ["--", path]
    case .executable(let path, let rest):
      // libdispatch reads its worker threads' state from /proc/TID/stat, and Swift reads a
      // program's arguments from the other files. Both trap if the read fails.
      let processFiles = app.usesDispatch ? ["/proc"] : ["/proc/self/cmdline", "/proc/self/maps"]
      var arguments = processFiles.flatMap { ["--read-files", $0] }
      arguments += ["--write", "/dev/null", "--pending-signals", "\(Self.pendingSignals)"]
      arguments += (Self.runtime + needs(of: path, app)).flatMap { ["--read", $0] }
      return arguments + ["--", path] + rest
    }
  }

  /// Returns the environment variable from which Foundation determines the location of the main bundle. Its value is a
  /// path directly in the bundle, as on macOS, even if the program is elsewhere. Returns an empty array if the app has
  /// no bundle or no executable.
  private func bundleEnvironment(of app: AppDescription) -> [String] {
    guard case .executable(let path, _) = app.program, let bundle = app.bundlePath else {
      return []
    }
    return ["CFProcessPath=\(bundle)/\(name(of: path))"]
  }

  private func birth(
    of guest: Guest, reaching servers: ServerAccess
  ) throws -> Birth {
    let folder = Folders.absolute(folders.root)
    switch guest.app.program {
    case .readyMade, .script:
      return Birth(
        ofReadyMade: guest.app, configuration.programs.guest, from: try zygotes.guest(guest.app),
        folder)
    case .executable:
      return Birth(
        ofProgram: guest.app, configuration.programs.launch,
        from: try zygotes.launch(reaching: servers), folder,
        .program(configuration.systemCalls, servers.network))
    }
  }

  private func confinement(_ groups: [String]) -> [String] {
    let limits = configuration.limits
    var arguments = ["--parent", "\(getpid())", "--write", "."]
    for group in groups { arguments += ["--write", group] }
    arguments += [
      "--memory", "\(limits.memory)", "--file-size", "\(limits.fileSize)",
      "--descriptors", "\(limits.descriptors)",
    ]
    if configuration.requiresConfinement { arguments.append("--require-confinement") }
    return arguments
  }

  /// Returns the folder through which the program at `path` could read the device's folder, `folder`: a path that the
  /// program must be able to read, and that contains the device's folder. Returns nil if there is none.
  private func exposure(of folder: String, to path: String, _ app: AppDescription) -> String? {
    (Self.runtime + needs(of: path, app)).first { readable in
      let readable = Folders.absolute(readable)
      return folder == readable || folder.hasPrefix(readable == "/" ? "/" : "\(readable)/")
    }
  }

  /// Returns the paths that the program at `path` must be able to read, in addition to ``runtime``: its folder, its
  /// app's bundle and, if it has a `#!` line, the folders of interpreters.
  private func needs(of path: String, _ app: AppDescription) -> [String] {
    let own = [folder(of: path)] + (app.bundlePath.map { [$0] } ?? [])
    guard let interpreter = ProgramCheck.interpreter(of: path) else { return own }
    return own + [folder(of: interpreter), "/usr/bin"]
  }

  private func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}

// MARK: - Launchers

/// Launches guests: as processes or, in tests, in memory.
protocol GuestLauncher: AnyObject {
  /// Starts a guest, and sets its process, its connection and its output.
  ///
  /// - Parameters:
  ///   - servers: The servers that the guest may reach.
  ///   - supervisor: Receives the guest's messages and exit.
  /// - Throws: An error if the guest cannot be started.
  func launch(
    _ guest: Guest, reaching servers: ServerAccess, for supervisor: GuestSupervisor) throws
}

protocol ProcessHandle: AnyObject {
  var pid: Int32 { get }
  /// Whether the kernel kills all descendants of the process when the process exits.
  var takesDescendantsAlong: Bool { get }
  /// The parent of the init process of this process's PID namespace; nil if this process is init itself,
  /// or has no PID namespace.
  var parentOfInit: Int32? { get }
  @discardableResult
  func signalGroup(_ signal: Int32) -> Bool
  /// Waits until the process has stopped after SIGSTOP or has exited.
  func awaitStop()
  /// Starts watching for the process's exit. This is needed if no other event reports the exit.
  func watch() throws(EventLoopError)
  /// Kills the process, and reports its exit immediately.
  func endAtOnce()
  /// Releases the process, and kills it if it is still running.
  func close()
}

extension ChildProcess: ProcessHandle {}

protocol GuestOutput: AnyObject {
  /// Reads the process's pending output immediately.
  func readRest()
  func close()
}

extension CommonOutput.Share: GuestOutput {}

// MARK: - Program checks

enum ProgramCheck {
  /// The maximum length of a script, in bytes.
  private static let longestScript = 1 << 20

  /// Checks a script before a guest is started with it.
  ///
  /// - Throws: ``HostError`` if `path` is not a readable file, or the file is too long.
  static func check(script path: String) throws(HostError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw HostError(.program, "cannot find the script `\(path)`: \(lastError())")
    }
    guard status.st_mode & S_IFMT == S_IFREG, access(path, R_OK) == 0 else {
      throw HostError(.program, "the script `\(path)` is not a readable file")
    }
    guard status.st_size <= longestScript else {
      throw HostError(
        .program, "the script `\(path)` has \(status.st_size) bytes; the limit is 1 MiB")
    }
  }

  /// Checks an executable before a process is started with it.
  ///
  /// - Throws: ``HostError`` if `path` is not an executable file, or is a script whose interpreter does not exist.
  static func check(executable path: String) throws(HostError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw HostError(.program, "cannot find the executable `\(path)`: \(lastError())")
    }
    guard status.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 else {
      throw HostError(.program, "`\(path)` is not an executable file")
    }
    if let interpreter = interpreter(of: path), access(interpreter, X_OK) != 0 {
      throw HostError(
        .program, "cannot find the interpreter `\(interpreter)` of `\(path)`: \(lastError())")
    }
  }
  /// Returns an executable script's interpreter from its `#!` line (execve(2)); nil if the file is not a script or
  /// cannot be read.
  fileprivate static func interpreter(of path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    // The kernel reads at most this much of the line: BINPRM_BUF_SIZE.
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    let text = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    guard text.starts(with: "#!".utf8) else { return nil }
    let words = String(decoding: text.dropFirst(2), as: UTF8.self)
      .split(whereSeparator: \.isWhitespace)
    return words.first.map(String.init)
  }
}
