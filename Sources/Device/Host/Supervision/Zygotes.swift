internal import EventLoop
internal import Synchronization
internal import SystemCalls

/// The zygotes of a device, from which its guests come. Each starts with the first guest that needs it.
final class Zygotes {
  private let configuration: DeviceConfiguration
  /// The absolute path of the device's folder.
  private let folder: String
  private let audit: AuditLog
  private var started: [Kind: Zygote] = [:]
  /// Whether the trace has been told of what is lacking.
  private var hasWarned = false
  /// The zygote in whose network the servers are.
  private var ofServers: Zygote?

  private enum Kind {
    /// Of the ready-made guest and of scripts, which have its filter.
    case guest
    /// Of those that need mounts of their own, which that filter does not let them make.
    case guestWithGroups
    case launch
  }

  init(_ configuration: DeviceConfiguration, folder: String, audit: AuditLog) {
    self.configuration = configuration
    self.folder = folder
    self.audit = audit
  }

  /// The zygote of the ready-made guest, which also runs scripts, for an app.
  ///
  /// - Throws: ``HostError`` where it does not start, or does not keep all that is required.
  func guest(_ app: AppDescription) throws(HostError) -> Zygote {
    try zygote(app.accessibleGroups.isEmpty ? .guest : .guestWithGroups)
  }

  /// The zygote of programs, which become what they run.
  ///
  /// - Throws: ``HostError`` where it does not start, does not keep all that is required, or the servers that the program is
  ///   to reach are in the network of one that has ended.
  func launch(reaching servers: ServerAccess) throws(HostError) -> Zygote {
    let zygote = try zygote(.launch)
    guard servers.ports.isEmpty || zygote === ofServers else {
      throw HostError(
        .program, "the process that led to the servers has ended; start the device again")
    }
    return zygote
  }

  /// The zygote of programs, for a server.
  ///
  /// - Throws: ``HostError`` where it does not start, or does not keep all that is required.
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

  /// Refuses what is lacking, or warns of it once.
  private func check(_ promises: Zygote.Promises) throws(HostError) {
    guard let lack = promises.lack else { return }
    guard !configuration.requiresConfinement else { throw HostError(.confinement, lack) }
    if !hasWarned { audit.trace(configuration.name, "sluice: warning: \(lack)") }
    hasWarned = true
  }

  /// Ends the zygotes; guests live on.
  func close() {
    for zygote in started.values { zygote.close() }
    started.removeAll()
    ofServers = nil
  }
}

// MARK: - Births

/// The beginning of a guest's process: where it comes from, and the confinement that it has from there.
struct Birth {
  let origin: ChildProcess.Origin
  /// The process's own name, its first argument.
  let name: String
  /// Arguments of `sluice-guest` and `sluice-launch`.
  let confinement: [String]
  /// The time from which its end is looked for: the connection of a ready-made guest tells it, as it has a PID namespace, and
  /// whoever may have a copy of the connection ends with it.
  let watch: ChildProcess.Watch
  /// The filter of system calls that it takes itself; nil: it has its zygote's.
  let filter: SystemCallProfile?

  /// The ready-made guest: its root is its container, or where it has app groups a view of the device's folder in which
  /// there is nothing else.
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

  /// A program: it sees of the device's folder what it may use, and of processes its own.
  init(
    ofProgram app: AppDescription, _ name: String, from zygote: Zygote, _ folder: String,
    _ filter: SystemCallProfile
  ) {
    self.name = name
    self.filter = filter
    let hasMounts = zygote.promises.contains([.processes, .mounts])
    // A /proc of the host's shows a process of another PID namespace under other numbers.
    let isIsolated = zygote.promises.contains(.processes) && (hasMounts || !app.usesDispatch)
    origin = .zygote(zygote, isIsolated ? .withInit : .shared)
    watch = .fromStart
    confinement = hasMounts ? ["--mount-processes", "--view", folder] : []
  }
}

/// A filter of system calls that one guest has for itself, where others share that of their zygote.
///
/// The kernel frees each filter by a work of its own, and a work may wait for another one of the same queue. Where 1,024
/// filters are freed at one time, all wait for ever (Linux 6.18, `bpf_prog_free_deferred`), and so does every process of
/// the machine that asks for a filter from then on.
final class OwnFilter {
  /// The largest number at a time, of all devices of this process.
  private static let most = 900

  private static let count = Atomic(0)

  /// Counts one more.
  ///
  /// - Throws: ``HostError`` where there are as many as there may be.
  init(of app: AppDescription) throws(HostError) {
    guard Self.count.add(1, ordering: .relaxed).newValue <= Self.most else {
      Self.count.subtract(1, ordering: .relaxed)
      throw HostError(
        .limit,
        "\(Self.most) programs and apps with app groups run, which is the most that the kernel is asked for; `\(app.bundleID)` "
          + "can start once one of them has ended")
    }
  }

  deinit { Self.count.subtract(1, ordering: .relaxed) }
}
