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
