internal import Glibc
internal import Synchronization

/// The control groups of a device: one for all of its programs, with a child group for each program. The kernel applies
/// a program's limits to its child processes too. If the host process's own group cannot be used, the device has no
/// control groups.
///
/// The ready-made guest and scripts start no processes, so process limits suffice for them.
final class ControlGroups {
  private let limits: DeviceConfiguration.Limits
  private let device: ControlGroupFolder?
  private var count = 0
  /// Groups whose processes were killed but have not all exited. Such a group cannot be removed yet.
  private var leaving: [ControlGroupFolder] = []
  private var isClosed = false

  private static let devices = Atomic(0)

  init(_ limits: DeviceConfiguration.Limits) {
    self.limits = limits
    device = ControlGroupClaim.retain().folder.flatMap(Self.makeDevice)
  }

  private static func makeDevice(in folder: ControlGroupFolder) -> ControlGroupFolder? {
    let number = devices.add(1, ordering: .relaxed).newValue
    guard let device = folder.group("\(ControlGroupClaim.prefix)\(getpid())-\(number)") else {
      return nil
    }
    guard device.set("memory.max", "\(mostMemory)") == 0,
      device.set("pids.max", "\(mostProcesses)") == 0,
      device.handOnControllers(.enabled) == 0
    else {
      _ = device.remove()
      return nil
    }
    return device
  }

  /// The memory limit for all programs together, in bytes: seven eighths of the machine's memory.
  private static var mostMemory: Int {
    sysconf(Int32(_SC_PHYS_PAGES)) / 8 * 7 * sysconf(Int32(_SC_PAGESIZE))
  }

  /// The limit on processes and threads for all programs together: seven eighths of the kernel's maximum.
  private static var mostProcesses: Int {
    let most = ["pid_max", "threads-max"].compactMap {
      ProcessFiles.text("/proc/sys/kernel/\($0)").flatMap { Int($0) }
    }
    return (most.min() ?? 32_768) / 8 * 7
  }

  /// Creates a group for a program that is about to start; nil if none is available. Without a
  /// group, the device must watch the program's processes itself.
  func makeGroup() -> ControlGroup.OfGuest? {
    sweep()
    count += 1
    guard let folder = device?.group("\(count)") else { return nil }
    let settings = [
      ("memory.max", limits.memory == 0 ? "max" : "\(limits.memory)"),
      ("memory.oom.group", "1"), ("pids.max", "\(limits.processes)"),
    ]
    // Without swap, the file does not exist.
    folder.set("memory.swap.max", "0")
    guard settings.allSatisfy({ folder.set($0, $1) == 0 }),
      let group = ControlGroup.OfGuest(folder, didEnd: { [weak self] in self?.remove(folder) })
    else {
      _ = folder.remove()
      return nil
    }
    return group
  }

  private func remove(_ folder: ControlGroupFolder) {
    folder.kill()
    if !folder.remove() { leaving.append(folder) }
  }

  private func sweep() { leaving.removeAll { $0.remove() } }

  /// Kills the processes left in the device's groups, and removes the groups. Call it after all guests have exited.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    if let device {
      device.kill()
      device.awaitEnd()
      sweep()
      _ = device.remove()
    }
    ControlGroupClaim.release()
  }

  deinit { close() }
}

// MARK: - Groups

extension ControlGroup {
  /// The control group of one program. The program starts in the group and cannot leave it.
  final class OfGuest {
    let descriptor: Int32
    private let folder: ControlGroupFolder
    private let didEnd: () -> Void
    private var isClosed = false

    /// Opens the folder of the group.
    ///
    /// - Parameter didEnd: Called when the group is closed.
    /// - Returns: nil if no descriptor is available.
    init?(_ folder: ControlGroupFolder, didEnd: @escaping () -> Void) {
      descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      self.folder = folder
      self.didEnd = didEnd
    }

    /// Whether the kernel has killed processes because of the group's own memory limit. The counter `oom_kill` is not
    /// sufficient, because it also counts kills for an ancestor's limit or for lack of memory on the machine. The
    /// counter `oom` excludes such kills.
    var ranOutOfMemory: Bool {
      ["oom", "oom_kill"].allSatisfy { (folder.count($0, in: "memory.events") ?? 0) > 0 }
    }

    /// Whether the kernel has refused a process or thread because of the group's own limit. The counter `max` in
    /// `pids.events` is not sufficient, because before Linux 6.11, it also counts refusals for an ancestor's limit.
    var ranOutOfProcesses: Bool {
      guard (folder.count("max", in: "pids.events") ?? 0) > 0,
        let most = folder.text("pids.max").flatMap({ Int($0) }),
        let peak = (folder.text("pids.peak") ?? folder.text("pids.current")).flatMap({ Int($0) })
      else { return false }
      return peak >= most
    }

    /// The processor time of all processes that have been in the group, in milliseconds; nil if unknown.
    var processorTime: UInt64? {
      folder.count("usage_usec", in: "cpu.stat").map { UInt64(max(0, $0)) / 1_000 }
    }

    /// Kills the processes left in the group, and removes it.
    func close() {
      guard !isClosed else { return }
      isClosed = true
      Glibc.close(descriptor)
      didEnd()
    }

    deinit { close() }
  }
}

/// A control group, represented by its folder (cgroups(7), version 2).
struct ControlGroupFolder: Sendable, Equatable {
  let path: String

  /// Returns the content of one of the group's files without the trailing newline; nil if it cannot be read.
  func text(_ file: String) -> String? { ProcessFiles.text("\(path)/\(file)") }

  /// Returns the number after `name` in one of the group's flat keyed files; nil if there is none.
  func count(_ name: String, in file: String) -> Int? {
    let line = text(file)?.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
    return line.flatMap { Int($0.dropFirst(name.count + 1)) }
  }

  /// Writes `text` to one of the group's files.
  ///
  /// - Returns: 0, or the errno of the failure.
  @discardableResult
  func set(_ file: String, _ text: String) -> Int32 {
    let descriptor = open("\(path)/\(file)", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    return write(descriptor, text, text.utf8.count) < 0 ? errno : 0
  }

  /// Enables or disables, depending on `sign`, the controllers in ``ControlGroup/needed`` for child groups.
  ///
  /// - Returns: 0, or the errno of the failure.
  func handOnControllers(_ sign: ControllerSign) -> Int32 {
    let change = ControlGroup.needed.map { "\(sign.rawValue)\($0)" }
    return set("cgroup.subtree_control", change.joined(separator: " "))
  }

  enum ControllerSign: String {
    case enabled = "+"
    case disabled = "-"
  }

  /// Moves this process with all its threads into the group.
  ///
  /// - Returns: 0, or the errno of the failure.
  func enter() -> Int32 { set("cgroup.procs", "0") }

  /// Returns the child group of that name, creating it if necessary; nil if that fails.
  func group(_ name: String) -> ControlGroupFolder? {
    let group = ControlGroupFolder(path: "\(path)/\(name)")
    return mkdir(group.path, 0o755) == 0 || errno == EEXIST ? group : nil
  }

  var groups: [ControlGroupFolder] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var groups: [ControlGroupFolder] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard entry.pointee.d_type == DT_DIR, name != ".", name != ".." else { continue }
      groups.append(ControlGroupFolder(path: "\(path)/\(name)"))
    }
    return groups
  }

  /// Kills all processes in the group and its descendants.
  func kill() { set("cgroup.kill", "1") }

  /// Waits until the group has no processes. Gives up once the kernel reports no change for one second. A killed
  /// process may exit late, because a disk operation must complete first.
  func awaitEnd() {
    let events = open("\(path)/cgroup.events", O_RDONLY | O_CLOEXEC)
    guard events >= 0 else { return }
    defer { Glibc.close(events) }
    var change = pollfd(fd: events, events: Int16(POLLPRI), revents: 0)
    // poll(2) reports changes since the last read of the file.
    while count("populated", in: "cgroup.events") == 1, poll(&change, 1, 1_000) > 0 {
      var bytes: UInt64 = 0
      pread(events, &bytes, MemoryLayout.size(ofValue: bytes), 0)
    }
  }

  /// Removes the group, which must have no processes and no child groups.
  ///
  /// - Returns: Whether the group no longer exists.
  func remove() -> Bool { rmdir(path) == 0 || errno == ENOENT }

  var name: Substring { path.split(separator: "/").last ?? "" }
}
