internal import Glibc
internal import Synchronization

/// The control groups of a device: one for all of its programs, and below it one for each, which the kernel bounds with all
/// that it starts. There are none where the system delegates no group to the user.
///
/// The ready-made guest and scripts need none: they start no process, and the limits of one process bound them.
final class ControlGroups {
  private let limits: DeviceConfiguration.Limits
  /// The group of the device; nil: there is none.
  private let device: ControlGroupFolder?
  private var count = 0
  /// Groups whose processes the kernel has not done away with yet.
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

  /// Memory that all programs together may have, in bytes: an eighth of the machine's is left to everybody else.
  private static var mostMemory: Int {
    sysconf(Int32(_SC_PHYS_PAGES)) / 8 * 7 * sysconf(Int32(_SC_PAGESIZE))
  }

  /// Processes and threads that all programs together may have: an eighth of what the kernel numbers is left to
  /// everybody else.
  private static var mostProcesses: Int {
    let most = ["pid_max", "threads-max"].compactMap {
      ProcessFiles.text("/proc/sys/kernel/\($0)").flatMap { Int($0) }
    }
    return (most.min() ?? 32_768) / 8 * 7
  }

  /// A group for a program that is about to start; nil: there is none, and the device has to look itself at what the program
  /// starts.
  func makeGroup() -> ControlGroup.OfGuest? {
    sweep()
    count += 1
    guard let folder = device?.group("\(count)") else { return nil }
    let settings = [
      ("memory.max", limits.memory == 0 ? "max" : "\(limits.memory)"),
      ("memory.oom.group", "1"), ("pids.max", "\(limits.processes)"),
    ]
    // Where there is no swap, its limit has no file.
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

  /// Removes all groups. The guests have ended.
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
  /// The control group of one program, which it is born in and cannot leave.
  final class OfGuest {
    /// A descriptor of the group's folder.
    let descriptor: Int32
    private let folder: ControlGroupFolder
    private let didEnd: () -> Void
    private var isClosed = false

    /// - Returns: nil where the system has no descriptor left.
    init?(_ folder: ControlGroupFolder, didEnd: @escaping () -> Void) {
      descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      self.folder = folder
      self.didEnd = didEnd
    }

    /// Whether the kernel has killed the processes of the group because they had more memory than they may. Kills count also
    /// where a group above or the machine had none left, but what is counted as `oom` is this group's own.
    var ranOutOfMemory: Bool {
      ["oom", "oom_kill"].allSatisfy { (folder.count($0, in: "memory.events") ?? 0) > 0 }
    }

    /// Whether the kernel has refused the group a process or thread because it had as many as it may, and not because a group
    /// above had: before Linux 6.11 that counts, too.
    var ranOutOfProcesses: Bool {
      guard (folder.count("max", in: "pids.events") ?? 0) > 0,
        let most = folder.text("pids.max").flatMap({ Int($0) }),
        let peak = (folder.text("pids.peak") ?? folder.text("pids.current")).flatMap({ Int($0) })
      else { return false }
      return peak >= most
    }

    /// Ends what is left in the group, and gives it back.
    func close() {
      guard !isClosed else { return }
      isClosed = true
      Glibc.close(descriptor)
      didEnd()
    }

    deinit { close() }
  }
}

/// A control group, as the folder that shows it (cgroups(7), version 2).
struct ControlGroupFolder: Sendable, Equatable {
  let path: String

  /// The content of one of the group's files, without the line's end; nil where it cannot be read.
  func text(_ file: String) -> String? { ProcessFiles.text("\(path)/\(file)") }

  /// The number after `name` in one of the group's files of names with numbers; nil where there is none.
  func count(_ name: String, in file: String) -> Int? {
    let line = text(file)?.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
    return line.flatMap { Int($0.dropFirst(name.count + 1)) }
  }

  /// Writes to one of the group's files.
  ///
  /// - Returns: 0, or the errno with which the system refuses.
  @discardableResult
  func set(_ file: String, _ text: String) -> Int32 {
    let descriptor = open("\(path)/\(file)", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    return write(descriptor, text, text.utf8.count) < 0 ? errno : 0
  }

  /// Lets groups below this one have the controllers that devices need, or takes them away again.
  ///
  /// - Returns: 0, or the errno with which the system refuses.
  func handOnControllers(_ sign: ControllerSign) -> Int32 {
    let change = ControlGroup.needed.map { "\(sign.rawValue)\($0)" }
    return set("cgroup.subtree_control", change.joined(separator: " "))
  }

  enum ControllerSign: String {
    case enabled = "+"
    case disabled = "-"
  }

  /// Moves this process into the group, with all of its threads.
  ///
  /// - Returns: 0, or the errno with which the system refuses.
  func enter() -> Int32 { set("cgroup.procs", "0") }

  /// The group of that name below this one, made where it is missing; nil where the system refuses it.
  func group(_ name: String) -> ControlGroupFolder? {
    let group = ControlGroupFolder(path: "\(path)/\(name)")
    return mkdir(group.path, 0o755) == 0 || errno == EEXIST ? group : nil
  }

  /// The groups below this one.
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

  /// Kills the processes of the group and of those below it.
  func kill() { set("cgroup.kill", "1") }

  /// Waits until the processes of the group are gone, which are ending, for a second at most: one that waits for a
  /// disk does not end before it has it.
  func awaitEnd() {
    let events = open("\(path)/cgroup.events", O_RDONLY | O_CLOEXEC)
    guard events >= 0 else { return }
    defer { Glibc.close(events) }
    var change = pollfd(fd: events, events: Int16(POLLPRI), revents: 0)
    // A change wakes everybody who has read the file before it.
    while count("populated", in: "cgroup.events") == 1, poll(&change, 1, 1_000) > 0 {
      var bytes: UInt64 = 0
      pread(events, &bytes, MemoryLayout.size(ofValue: bytes), 0)
    }
  }

  /// Removes the group, in which there must be no process and no other group.
  ///
  /// - Returns: whether it is gone.
  func remove() -> Bool { rmdir(path) == 0 || errno == ENOENT }

  /// The last part of the path.
  var name: Substring { path.split(separator: "/").last ?? "" }
}
