internal import CConfinement
internal import EventLoop
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
