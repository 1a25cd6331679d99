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
    guard let script = Script(path: path) else { return own }
    return own + [folder(of: script.interpreter), "/usr/bin"]
  }

  private func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
