internal import CConfinement
internal import EventLoop
internal import Glibc
internal import SystemCalls

/// The launcher of guests as processes: with their executables, and confined to what they need.
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
    try listen(guest, pipe, for: supervisor)
  }

  /// The output of ready-made guests and scripts, which may be thousands: hardly more than what they say when they cannot go on.
  /// What a script prints is a message.
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
      supervisor.turn { supervisor.didExit(guest, exit) }
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
      // Landlock grants a folder with all that is in it.
      if let folder = exposure(of: Folders.absolute(folders.root), to: path, guest.app) {
        throw HostError(
          .program,
          "the device's folder is in `\(folder)`, which the program `\(path)` may read; keep them apart"
        )
      }
    case .script(let path): try ProgramCheck.check(script: path)
    }
  }

  private func listen(
    _ guest: Guest, _ pipe: Pipe, for supervisor: GuestSupervisor
  ) throws(EventLoopError) {
    pipe.onRead = { [unowned supervisor, unowned guest] in supervisor.didRead($0, from: guest) }
    pipe.onEnd = { [unowned supervisor, unowned guest] _ in
      supervisor.turn { supervisor.didEnd(guest) }
    }
    pipe.onDrain = { [unowned supervisor, unowned guest] in supervisor.didDrain(guest) }
    try pipe.startReading()
  }

  // MARK: confinement

  /// Paths that dynamically linked programs need to read: loader, libraries, time zones, a few devices.
  private static let runtime: [String] = {
    var paths: [String] = []
    var next = sluice_runtime_paths()
    while let path = next?.pointee {
      paths.append(String(cString: path))
      next = next?.advanced(by: 1)
    }
    return paths
  }()

  /// Half of the signals that may wait for processes of the user, of which each POSIX timer takes one: scripts, which
  /// have a timer each, get theirs whatever programs take.
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
      // While many start, all processors are at work anyway.
      successor: birth.filter == nil && guest.process.batch?.hasQueue != true ? .ahead : .later)
  }

  /// The arguments for what the guest runs, which come last.
  private func needs(of app: AppDescription) -> [String] {
    switch app.program {
    case .readyMade: return []
    case .script(let path): return ["--", path]
    case .executable(let path, let rest):
      // libdispatch watches its worker threads in /proc/TID/stat, and Swift looks for a program's arguments in the others; both
      // trap where they cannot.
      let processFiles = app.usesDispatch ? ["/proc"] : ["/proc/self/cmdline", "/proc/self/maps"]
      return processFiles.flatMap { ["--read-files", $0] } + ["--write", "/dev/null"]
        + ["--pending-signals", "\(Self.pendingSignals)"]
        + (Self.runtime + needs(of: path, app)).flatMap { ["--read", $0] } + ["--", path] + rest
    }
  }

  /// Where Foundation looks for the main bundle, by the variable that it reads on macOS: the executable within the
  /// bundle, wherever the program really is.
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

  /// A folder that a program at `path` may read and that the device's own folder is in; nil where there is none.
  private func exposure(of folder: String, to path: String, _ app: AppDescription) -> String? {
    (Self.runtime + needs(of: path, app)).first { readable in
      let readable = Folders.absolute(readable)
      return folder == readable || folder.hasPrefix(readable == "/" ? "/" : "\(readable)/")
    }
  }

  /// Paths that a program at `path` must read beside the runtime: its own folder and its app's bundle, and the
  /// interpreters where it is a script.
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

/// A way to run guests: as processes of their own, or in a test's memory.
protocol GuestLauncher: AnyObject {
  /// Starts a guest, and sets its process, its connection and its output.
  ///
  /// - Parameters:
  ///   - servers: the servers that the guest may reach.
  ///   - supervisor: the supervisor, which hears what becomes of the guest.
  /// - Throws: an error where the guest cannot be started.
  func launch(
    _ guest: Guest, reaching servers: ServerAccess, for supervisor: GuestSupervisor) throws
}

/// The process that a guest runs in.
protocol ProcessHandle: AnyObject {
  var pid: Int32 { get }
  /// Whether all that the process has started ends with it.
  var takesDescendantsAlong: Bool { get }
  /// Sends a signal to the process, and to all that it has started in its process group.
  @discardableResult
  func signalGroup(_ signal: Int32) -> Bool
  /// Waits until the process, which was sent SIGSTOP, runs no more.
  func awaitStop()
  /// Looks for the process's end from now on, where nothing else tells it.
  func watch() throws(EventLoopError)
  /// Kills the process and tells its end at once.
  func endAtOnce()
  /// Lets go of the process; one that has not ended is killed.
  func close()
}

extension ChildProcess: ProcessHandle {}

/// The standard output and error of a guest's process.
protocol GuestOutput: AnyObject {
  /// Reads at once what the process has written until now.
  func readRest()
  func close()
}

extension CommonOutput.Share: GuestOutput {}

// MARK: - Programs

/// Checks of programs that guests are to run.
enum ProgramCheck {
  /// Length of the longest script that is run, in bytes.
  private static let longestScript = 1 << 20

  /// Checks a script.
  ///
  /// - Throws: ``HostError`` where `path` is no file that can be read, or one too long for a script.
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
        .program, "the script `\(path)` has \(status.st_size) bytes, the limit is 1 MiB")
    }
  }

  /// Checks an executable.
  ///
  /// - Throws: ``HostError`` where `path` is no file that can be executed, or a script without interpreter.
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
  /// The interpreter of an executable that is text, which its first line names after `#!` (execve(2)); nil where the
  /// file is not a script.
  fileprivate static func interpreter(of path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    // The kernel reads no more of the line: BINPRM_BUF_SIZE.
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    let text = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    guard text.starts(with: "#!".utf8) else { return nil }
    let words = String(decoding: text.dropFirst(2), as: UTF8.self)
      .split(whereSeparator: \.isWhitespace)
    return words.first.map(String.init)
  }
}
