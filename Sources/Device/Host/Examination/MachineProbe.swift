internal import CConfinement
package import EventLoop
internal import Foundation
internal import Glibc
internal import SystemCalls

/// Probes of this machine: they ask the kernel, start Sluice's own programs, and read what `/proc` says.
package struct MachineProbe {
  private let programs: DeviceConfiguration.Programs

  /// Creates probes that start the programs of devices.
  package init(_ programs: DeviceConfiguration.Programs) { self.programs = programs }

  /// Gathers the facts. This process's memory is guarded from here on.
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
    // The kernel does not count those of root.
    if getuid() != 0 { facts.processes = hardLimit(__RLIMIT_NPROC) }
    let groups = ControlGroupFiles()
    facts.memory = min(files.availableMemory, groups.availableMemory ?? .max)
    facts.tasks = groups.taskLimit
    facts.controlGroup = ControlGroupClaim.retain().state
    ControlGroupClaim.release()
    facts.guardRefusal = -sluice_guard_host_memory()
    return facts
  }

  /// A hard limit of this process; `Int.max`: none.
  private func hardLimit(_ resource: __rlimit_resource) -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0,
      limit.rlim_max != rlim_t.max
    else { return .max }
    return Int(clamping: limit.rlim_max)
  }

  // MARK: programs

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
      // As a device does, which is made in there.
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

  // MARK: settings

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

// MARK: - The facts

/// The facts about a machine that the confinement of guests and their number depend on.
package struct MachineFacts: Sendable {
  /// The ABI of the kernel's Landlock, or the negated errno of asking for it.
  package var landlockABI = 10
  package var filtersCalls = true
  /// The guarantees of the zygotes' namespaces; none where ``programFailures`` has one.
  package var promises = Zygote.Promises.all
  /// The errno with which the kernel refuses namespaces; 0: none.
  package var refusal: Int32 = 0
  /// Settings of the kernel by their names of sysctl(8), without those that it does not have.
  package var settings: [String: Int] = [:]
  /// Whether a filter of system calls is in force for this process, as in a container.
  package var isFiltered = false
  /// The reason why a process cannot be limited as guests are; nil where it can.
  package var limitFailure: String?
  package var controlGroup = ControlGroup.delegated(folder: "/sys/fs/cgroup")
  /// The errno with which the kernel refuses to guard the host's memory; 0: none.
  package var guardRefusal: Int32 = 0
  /// The reasons why `sluice-guest` and `sluice-launch` do not start.
  package var programFailures: [String] = []
  package var server = ServerProgram.found
  /// The hard limit on open descriptors of this process.
  package var descriptors = Int.max
  /// The hard limit on processes of this user (RLIMIT_NPROC); `Int.max`: none.
  package var processes = Int.max
  /// The least limit on processes of the control groups that this process is in; nil: none.
  package var tasks: Int?
  /// Bytes of memory that are available.
  package var memory = Int.max

  /// The state of the program of servers, which not every build has.
  package enum ServerProgram: Sendable, Equatable {
    case found
    case absent
    case failing(String)
  }

  /// Creates the facts of a machine that keeps every promise.
  package init() {}
}

// MARK: - The parts of the examination

/// A trial of `sluice-launch`, which takes the limits of guests and then finds no program to become.
private struct LimitProbe {
  private let launch: String

  init(_ launch: String) { self.launch = launch }

  /// The reason why it does not come as far as the program; nil where it does.
  func failure() -> String? {
    do throws(EventLoopError) {
      let loop = try EventLoop()
      defer { loop.close() }
      let (exit, output) = try run(on: loop)
      // As POSIX has it for a shell: there is no such program.
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

/// The files of proc(5) that tell of this process and of the machine's memory.
struct ProcessFiles {
  /// The text of a file, without blanks at its ends; nil where it cannot be read.
  static func text(_ path: String) -> String? {
    (try? String(contentsOfFile: path, encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private let status = ProcessFiles.text("/proc/self/status") ?? ""
  private let memory = ProcessFiles.text("/proc/meminfo") ?? ""

  /// Whether a filter of system calls is in force.
  var isFiltered: Bool { Self.words(after: "Seccomp:", in: status).first == "2" }

  /// Bytes of memory that processes may have without swapping; `Int.max` where the kernel does not tell.
  var availableMemory: Int {
    Self.words(after: "MemAvailable:", in: memory).first.flatMap { Int($0) }.map { $0 << 10 }
      ?? .max
  }

  /// The words of the line that begins with `name`, without that.
  private static func words(after name: String, in text: String) -> [Substring] {
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.dropFirst(name.count).split(whereSeparator: \.isWhitespace) ?? []
  }
}
