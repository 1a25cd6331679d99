internal import EventLoop
internal import SystemCalls

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
