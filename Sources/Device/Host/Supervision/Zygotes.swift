internal import EventLoop
internal import Synchronization

/// The zygotes of a device, from which its guests are forked. Each starts with the first guest that needs it.
final class Zygotes {
  private let configuration: DeviceConfiguration
  private let folder: String
  private let audit: AuditLog
  private var started: [Kind: Zygote] = [:]
  /// Whether the trace contains the warning about missing confinement.
  private var hasWarned = false
  /// The zygote whose network contains the servers.
  private var ofServers: Zygote?

  private enum Kind {
    /// For ready-made guests and scripts; they inherit its system call filter.
    case guest
    /// For ready-made guests that need their own mounts, which that filter forbids.
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
  /// - Throws: ``HostError`` if it does not start or lacks required confinement.
  func guest(_ app: AppDescription) throws(HostError) -> Zygote {
    try zygote(app.accessibleGroups.isEmpty ? .guest : .guestWithGroups)
  }

  /// Returns the zygote for a program.
  ///
  /// - Throws: ``HostError`` if it does not start, lacks required confinement, or the zygote whose network
  ///   contains the program's servers has ended.
  func launch(reaching servers: ServerAccess) throws(HostError) -> Zygote {
    let zygote = try zygote(.launch)
    guard servers.ports.isEmpty || zygote === ofServers else {
      throw HostError(
        .program, "the process that connects programs to the servers has ended; restart the device")
    }
    return zygote
  }

  /// Returns the zygote for a server.
  ///
  /// - Throws: ``HostError`` if it does not start or lacks required confinement.
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

  /// Throws an error for missing confinement, or warns about it once.
  private func check(_ promises: Zygote.Promises) throws(HostError) {
    guard let lack = promises.lack else { return }
    guard !configuration.requiresConfinement else { throw HostError(.confinement, lack) }
    if !hasWarned { audit.trace(configuration.name, "sluice: warning: \(lack)") }
    hasWarned = true
  }

  /// Ends the zygotes; running guests continue.
  func close() {
    for zygote in started.values { zygote.close() }
    started.removeAll()
    ofServers = nil
  }
}

// MARK: - Births

/// The origin of a guest's process, and its confinement.
struct Birth {
  let origin: ChildProcess.Origin
  /// The process's name, its first argument.
  let name: String
  /// Arguments of `sluice-guest` and `sluice-launch`.
  let confinement: [String]
  /// The time from which the exit is watched. A ready-made guest with a PID namespace needs no watch. The end
  /// of its connection reports the exit, because every holder of a copy ends with it.
  let watch: ChildProcess.Watch
  /// The system call filter that the process installs itself; nil if it has its zygote's.
  let filter: SystemCallProfile?

  /// Creates the launch parameters of a ready-made guest. Its root is its container or, if it has app groups, a view
  /// of the device's folder that shows only its containers.
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

  /// Creates a program's launch parameters. The program sees only its own processes, and only its containers in the
  /// device's folder.
  init(
    ofProgram app: AppDescription, _ name: String, from zygote: Zygote, _ folder: String,
    _ filter: SystemCallProfile
  ) {
    self.name = name
    self.filter = filter
    let hasMounts = zygote.promises.contains([.processes, .mounts])
    // The host's /proc shows processes of another PID namespace under different numbers.
    let isIsolated = zygote.promises.contains(.processes) && (hasMounts || !app.usesDispatch)
    origin = .zygote(zygote, isIsolated ? .withInit : .shared)
    watch = .fromStart
    confinement = hasMounts ? ["--mount-processes", "--view", folder] : []
  }
}

/// A system call filter of one guest; other guests share their zygote's filter.
///
/// The kernel frees each filter in its own work item, which may wait for another item of the same queue. If
/// 1,024 filters are freed at once, all of them deadlock (Linux 6.18, `bpf_prog_free_deferred`). From then
/// on, every process on the machine that installs a filter hangs.
final class OwnFilter {
  /// The maximum number of zygotes, for all devices of this process.
  private static let most = 900

  private static let count = Atomic(0)

  /// Counts a filter.
  ///
  /// - Throws: ``HostError`` if the maximum is reached.
  init(of app: AppDescription) throws(HostError) {
    guard Self.count.add(1, ordering: .relaxed).newValue <= Self.most else {
      Self.count.subtract(1, ordering: .relaxed)
      throw HostError(
        .limit,
        "\(Self.most) programs and apps with app groups are running, the maximum; `\(app.bundleID)` "
          + "can start after one of them ends")
    }
  }

  deinit { Self.count.subtract(1, ordering: .relaxed) }
}
