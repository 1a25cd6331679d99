internal import CConfinement
package import EventLoop
internal import Foundation
internal import Glibc

/// Examines this machine: it queries the kernel, starts Sluice's programs, and reads `/proc`.
package struct MachineProbe {
  private let programs: DeviceConfiguration.Programs

  package init(_ programs: DeviceConfiguration.Programs) { self.programs = programs }

  /// Collects the facts. As a side effect, this process is protected like a host process: other processes can no longer
  /// read its memory.
  package func facts() -> MachineFacts {
    var facts = MachineFacts()
    facts.landlockABI = Int(sluice_landlock_abi())
    facts.filtersCalls = sluice_can_filter_calls() != 0
    startPrograms(&facts)
    if facts.programFailures.isEmpty { facts.limitFailure = LimitProbe(programs.launch).failure() }
    readSettings(&facts)
    let files = ProcessFiles()
    facts.isFiltered = files.isFiltered
    facts.descriptors = hardLimit(RLIMIT_NOFILE)
    // The limit does not apply to the root user.
    if getuid() != 0 { facts.processes = hardLimit(__RLIMIT_NPROC) }
    let groups = ControlGroupFiles()
    facts.memory = min(files.availableMemory, groups.availableMemory ?? .max)
    facts.tasks = groups.taskLimit
    facts.controlGroup = ControlGroupClaim.retain().state
    ControlGroupClaim.release()
    facts.guardRefusal = -sluice_guard_host_memory()
    return facts
  }

  /// Returns a hard limit of this process; `Int.max` if there is none.
  private func hardLimit(_ resource: __rlimit_resource) -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0,
      limit.rlim_max != rlim_t.max
    else { return .max }
    return Int(clamping: limit.rlim_max)
  }

  // MARK: Programs

  private func startPrograms(_ facts: inout MachineFacts) {
    facts.promises = .all
    for (path, filter) in [(programs.guest, SystemCallProfile.zygote), (programs.launch, nil)] {
      do throws(HostError) {
        let promises = try promises(of: path, filter)
        facts.promises.formIntersection(promises)
      } catch {
        facts.programFailures.append(error.description)
      }
    }
    if !facts.programFailures.isEmpty { facts.promises = [] }
    if facts.promises != .all { facts.refusal = Zygote.refusal() }
    facts.server = server
  }

  private func promises(
    of path: String, _ filter: SystemCallProfile?
  ) throws(HostError) -> Zygote.Promises {
    try ProgramCheck.check(executable: path)
    do {
      // The folder may be missing: it is created together with the device.
      try FileManager.default.createDirectory(
        atPath: NSTemporaryDirectory(), withIntermediateDirectories: true)
      let zygote = try Zygote(
        executable: path, folder: NSTemporaryDirectory(),
        filter: filter.map { try CompiledFilter.of($0).descriptor })
      defer { zygote.close() }
      return zygote.promises
    } catch let error as EventLoopError {
      throw HostError(.program, "`\(path)` does not start: \(error.reason)")
    } catch {
      throw HostError(.program, "`\(path)` does not start: \(error)")
    }
  }

  private var server: MachineFacts.ServerProgram {
    guard FileManager.default.fileExists(atPath: programs.server) else { return .absent }
    do throws(HostError) {
      try ProgramCheck.check(executable: programs.server)
      return .found
    } catch {
      return .failing(error.description)
    }
  }

  // MARK: Settings

  private static let settings = [
    "user.max_user_namespaces", "user.max_net_namespaces", "user.max_mnt_namespaces",
    "user.max_pid_namespaces", "user.max_ipc_namespaces", "kernel.unprivileged_userns_clone",
    "kernel.apparmor_restrict_unprivileged_userns", "kernel.pid_max", "kernel.threads-max",
  ]

  private func readSettings(_ facts: inout MachineFacts) {
    for name in Self.settings {
      let path = "/proc/sys/" + name.replacingOccurrences(of: ".", with: "/")
      facts.settings[name] = ProcessFiles.text(path).flatMap { Int($0) }
    }
  }
}

// MARK: - Facts

/// The facts about a machine that determine its confinement and its maximum number of guests.
package struct MachineFacts: Sendable {
  /// The kernel's Landlock ABI version, or the negated errno of the query.
  package var landlockABI = 10
  package var filtersCalls = true
  /// The guarantees of the zygotes' namespaces; none if there are ``programFailures``.
  package var promises = Zygote.Promises.all
  /// The errno with which the kernel refuses to create namespaces; 0 if it permits them.
  package var refusal: Int32 = 0
  /// Kernel settings by their sysctl(8) names. Settings unknown to this kernel are absent.
  package var settings: [String: Int] = [:]
  /// Whether a system call filter applies to this process, as in a container.
  package var isFiltered = false
  /// The reason why a guest's limits cannot be set on a process; nil if they can, or if the programs do not start.
  package var limitFailure: String?
  package var controlGroup = ControlGroup.delegated(folder: "/sys/fs/cgroup")
  /// The errno with which the kernel refuses to protect the host's memory from other processes; 0 if it protects the
  /// memory.
  package var guardRefusal: Int32 = 0
  /// Reasons why `sluice-guest` or `sluice-launch` does not start; empty if both do.
  package var programFailures: [String] = []
  package var server = ServerProgram.found
  /// This process's hard limit on open descriptors; `Int.max` if there is none.
  package var descriptors = Int.max
  /// This user's hard limit on processes (RLIMIT_NPROC); `Int.max` if there is none, or the user is root.
  package var processes = Int.max
  /// The lowest process limit among this process's control groups; nil if there is none.
  package var tasks: Int?
  /// The available memory in bytes; `Int.max` if no limit is known.
  package var memory = Int.max

  /// The state of `sluice-server`, which some builds lack.
  package enum ServerProgram: Sendable, Equatable {
    case found
    case absent
    case failing(String)
  }

  /// Creates the facts of a machine on which every guarantee holds.
  package init() {}
}

// MARK: - Probes

/// Tests whether `sluice-launch` can set the limits of guests, by running it with an empty program path.
private struct LimitProbe {
  private let launch: String

  init(_ launch: String) { self.launch = launch }

  /// Returns the reason why `sluice-launch` does not start or cannot set the limits. Returns nil if it fails only
  /// because the program path is empty (exit status 127).
  func failure() -> String? {
    do throws(EventLoopError) {
      let loop = try EventLoop()
      defer { loop.close() }
      let (exit, output) = try run(on: loop)
      // The exit status of a POSIX shell if a command is not found.
      if exit == .status(127) { return nil }
      let sentence = output.split(separator: "\n").last.map(String.init)
      return sentence ?? "`\(launch)` ended unexpectedly"
    } catch {
      return "`\(launch)` does not start: \(error.reason)"
    }
  }

  private func run(
    on loop: EventLoop
  ) throws(EventLoopError) -> (exit: ChildProcess.Exit?, output: String) {
    let (pipe, childEnd) = try Pipe.capture(on: loop)
    defer { Glibc.close(childEnd) }
    var output = ""
    var exit: ChildProcess.Exit?
    pipe.onRead = { output += String(decoding: $0, as: UTF8.self) }
    try pipe.startReading()
    _ = try ChildProcess(
      ChildProcess.Specification(
        .executable(launch), arguments: [launch] + limits + ["--", ""], directory: ".",
        descriptors: [.null, .inherited(childEnd), .inherited(childEnd)]), on: loop
    ) { exit = $0 }
    loop.run { exit != nil }
    pipe.readRest()
    return (exit, output)
  }

  private var limits: [String] {
    let limits = DeviceConfiguration.Limits()
    return [
      "--memory", "\(limits.memory)", "--file-size", "\(limits.fileSize)", "--descriptors",
      "\(limits.descriptors)",
    ]
  }
}

/// Information from proc(5) about this process and the machine's memory.
struct ProcessFiles {
  /// Returns the text of a file without surrounding white space; nil if it cannot be read.
  static func text(_ path: String) -> String? {
    (try? String(contentsOfFile: path, encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private let status = ProcessFiles.text("/proc/self/status") ?? ""
  private let memory = ProcessFiles.text("/proc/meminfo") ?? ""

  /// Whether a system call filter applies to this process.
  var isFiltered: Bool { Self.words(after: "Seccomp:", in: status).first == "2" }

  /// The memory available without swapping, in bytes; `Int.max` if the kernel does not report it.
  var availableMemory: Int {
    Self.words(after: "MemAvailable:", in: memory).first.flatMap { Int($0) }.map { $0 << 10 }
      ?? .max
  }

  /// Returns the words that follow `name` on the line that starts with `name`.
  private static func words(after name: String, in text: String) -> [Substring] {
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.dropFirst(name.count).split(whereSeparator: \.isWhitespace) ?? []
  }
}
