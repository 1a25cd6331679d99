internal import EventLoop
internal import Synchronization

/// The zygotes of a device, from which its guests and servers are forked. A zygote is started for the first process
/// that needs it, and restarted if it has exited.
final class Zygotes {
  private let configuration: DeviceConfiguration
  private let folder: String
  private let audit: AuditLog
  private var started: [Kind: Zygote] = [:]
  /// Whether the warning about missing confinement is already in the trace.
  private var hasWarned = false
  /// The zygote from which the servers were forked. Only programs in its network namespace can connect to the servers.
  private var ofServers: Zygote?

  private enum Kind {
    /// The zygote of ready-made guests and scripts, which inherit its system call filter.
    case guest
    /// The zygote of ready-made guests and scripts with app groups. Such guests need their own mounts, which the filter
    /// of `guest` forbids.
    case guestWithGroups
    case launch
  }

  init(_ configuration: DeviceConfiguration, folder: String, audit: AuditLog) {
    self.configuration = configuration
    self.folder = folder
    self.audit = audit
  }

  /// Returns the zygote for an app's ready-made guest or script.
  ///
  /// - Throws: ``HostError`` if the zygote does not start or lacks required confinement.
  func guest(_ app: AppDescription) throws(HostError) -> Zygote {
    try zygote(app.accessibleGroups.isEmpty ? .guest : .guestWithGroups)
  }

  /// Returns the zygote for a program that may connect to `servers`.
  ///
  /// - Throws: ``HostError`` if the zygote does not start or lacks required confinement. If `servers` has ports, also
  ///   if the zygote whose network namespace contains the servers has exited.
  func launch(reaching servers: ServerAccess) throws(HostError) -> Zygote {
    let zygote = try zygote(.launch)
    guard servers.ports.isEmpty || zygote === ofServers else {
      throw HostError(
        .program, "the process that connects programs to the servers has exited; restart the device"
      )
    }
    return zygote
  }

  /// Returns the zygote from which servers are forked.
  ///
  /// - Throws: ``HostError`` if the zygote does not start or lacks required confinement.
  func launchOfServers() throws(HostError) -> Zygote {
    let zygote = try zygote(.launch)
    ofServers = zygote
    return zygote
  }

  private func zygote(_ kind: Kind) throws(HostError) -> Zygote {
    if let zygote = started[kind], zygote.isAlive { return zygote }
    let zygote = try start(kind)
    try check(zygote.promises)
    started[kind] = zygote
    return zygote
  }

  private func start(_ kind: Kind) throws(HostError) -> Zygote {
    let programs = configuration.programs
    do {
      switch kind {
      case .guest:
        let filter = try CompiledFilter.of(.zygote)
        return try Zygote(
          executable: programs.guest, folder: folder, filter: filter.descriptor)
      case .guestWithGroups: return try Zygote(executable: programs.guest, folder: folder)
      case .launch: return try Zygote(executable: programs.launch, folder: folder)
      }
    } catch {
      throw HostError(.program, "\(error)")
    }
  }

  /// Throws an error if required confinement is missing. If optional confinement is missing, warns once.
  private func check(_ promises: Zygote.Promises) throws(HostError) {
    guard let lack = promises.lack else { return }
    guard !configuration.requiresConfinement else { throw HostError(.confinement, lack) }
    if !hasWarned { audit.trace(configuration.name, "sluice: warning: \(lack)") }
    hasWarned = true
  }

  /// Ends the zygotes. Guests that are already running continue.
  func close() {
    for zygote in started.values { zygote.close() }
    started.removeAll()
    ofServers = nil
  }
}

// MARK: - Starts of processes

/// The launch parameters of a guest's process: its origin and its confinement.
struct Birth {
  let origin: ChildProcess.Origin
  /// The process's name, which is its first argument.
  let name: String
  /// The arguments for `sluice-guest` or `sluice-launch` that confine the process.
  let confinement: [String]
  /// The time from which the host watches for the process's exit. A ready-made guest in its own PID namespace is
  /// watched only on demand: its connection reports the exit, because no copy of the connection outlives the guest.
  let watch: ChildProcess.Watch
  /// The system call filter that the process installs itself; nil if it inherits its zygote's filter.
  let filter: SystemCallProfile?

  /// Creates the launch parameters for a ready-made guest. As far as the system permits, its root directory is its
  /// container. If it has app groups, its root directory is a view of the device's folder that contains only its
  /// containers.
  init(ofReadyMade app: AppDescription, _ name: String, from zygote: Zygote, _ folder: String) {
    let hasProcesses = zygote.promises.contains(.processes)
    origin = .zygote(zygote, hasProcesses ? .asInit : .shared)
    watch = hasProcesses ? .onDemand : .fromStart
    filter = zygote.isFiltered ? nil : .readyMade
    self.name = name
    if app.accessibleGroups.isEmpty {
      confinement = zygote.promises.contains(.network) ? ["--root", "."] : []
    } else {
      confinement =
        zygote.promises.contains(.mounts) ? ["--view", folder, "--root", folder] : []
    }
  }

  /// Creates the launch parameters for a program. As far as the system permits, the program sees only its own
  /// processes and, in the device's folder, only its containers.
  init(
    ofProgram app: AppDescription, _ name: String, from zygote: Zygote, _ folder: String,
    _ filter: SystemCallProfile
  ) {
    self.name = name
    self.filter = filter
    let hasMounts = zygote.promises.contains([.processes, .mounts])
    // The host's /proc shows the processes of another PID namespace under different numbers.
    let isIsolated = zygote.promises.contains(.processes) && (hasMounts || !app.usesDispatch)
    origin = .zygote(zygote, isIsolated ? .withInit : .shared)
    watch = .fromStart
    confinement = hasMounts ? ["--mount-processes", "--view", folder] : []
  }
}

/// A reservation for a system call filter that a guest installs itself. The reservation ends when the object is
/// released. Guests that inherit their zygote's filter need none.
///
/// The number of filters is limited because of a kernel bug. The kernel frees each filter in its own work item, which
/// may wait for another item in the same queue. If 1,024 filters are freed at once, all work items deadlock (Linux
/// 6.18, `bpf_prog_free_deferred`). From then on, every process on the machine that installs a filter hangs.
final class OwnFilter {
  /// The maximum number of filters for all devices of this process.
  private static let most = 900

  private static let count = Atomic(0)

  /// Reserves a filter for a guest of `app`.
  ///
  /// - Throws: ``HostError`` if the maximum number of filters exists.
  init(of app: AppDescription) throws(HostError) {
    guard Self.count.add(1, ordering: .relaxed).newValue <= Self.most else {
      Self.count.subtract(1, ordering: .relaxed)
      throw HostError(
        .limit,
        "the limit of \(Self.most) running programs, including apps with app groups, is reached; "
          + "`\(app.bundleID)` can start after one of them exits")
    }
  }

  deinit { Self.count.subtract(1, ordering: .relaxed) }
}
