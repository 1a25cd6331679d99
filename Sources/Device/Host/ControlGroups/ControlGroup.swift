internal import CConfinement
internal import Glibc
internal import Synchronization

/// The state of this process's control group in the version 2 hierarchy (cgroups(7)). The state determines whether
/// devices can use the group.
package enum ControlGroup: Sendable, Equatable {
  /// There is no version 2 hierarchy.
  case absent
  /// The group lacks controllers that child groups need.
  ///
  /// - Parameter controllers: The controllers in ``needed`` that the group lacks.
  case lacking(controllers: [String], folder: String)
  /// This user may not manage the group.
  case foreign(folder: String)
  /// Other processes are in the group, so the group cannot enable controllers for child groups.
  case crowded(folder: String)
  case delegated(folder: String)

  /// The controllers that limit a guest and all of its child processes.
  static let needed = ["memory", "pids"]
}

// MARK: - Claim

/// The claim of this process on its control group, in which devices of this process create child groups.
///
/// Only the root group may both contain processes and enable controllers for its child groups. Unless its group is the
/// root, this process therefore moves into a child group. It moves back when no device needs the claim.
struct ControlGroupClaim {
  private var holders = 0
  private var folder: ControlGroupFolder?
  /// The group that this process has moved to; nil if it has not moved.
  private var refuge: ControlGroupFolder?
  private var state = ControlGroup.absent

  private static let shared = Mutex(ControlGroupClaim())

  /// Acquires the claim. Each call must be balanced by ``release()``.
  ///
  /// - Returns: The state, and the parent folder for devices' groups; the folder is nil if groups
  ///   cannot be used.
  static func retain() -> (state: ControlGroup, folder: ControlGroupFolder?) {
    shared.withLock { claim in
      if claim.holders == 0 { claim.make() }
      claim.holders += 1
      return (claim.state, claim.folder)
    }
  }

  static func release() {
    shared.withLock { claim in
      claim.holders -= 1
      if claim.holders == 0 { claim.giveBack() }
    }
  }

  private mutating func make() {
    let found = ControlGroupFiles().group
    state = found.state
    guard let own = found.folder else { return }
    Self.sweep(own)
    if own.handOnControllers(.enabled) == 0 {
      folder = own
      return
    }
    refuge = own.group("\(Self.prefix)\(getpid())")
    if refuge?.enter() == 0, own.handOnControllers(.enabled) == 0 {
      folder = own
      return
    }
    state = .crowded(folder: own.path)
    leaveRefuge(for: own)
  }

  private mutating func giveBack() {
    guard let own = folder else { return }
    folder = nil
    // If this process did not move, the group is the root. Its controllers may also be enabled for
    // other processes.
    guard refuge != nil else { return }
    _ = own.handOnControllers(.disabled)
    leaveRefuge(for: own)
  }

  private mutating func leaveRefuge(for own: ControlGroupFolder) {
    guard let refuge, own.enter() == 0 else { return }
    // A zygote's helper processes end later than its programs.
    refuge.awaitEnd()
    _ = refuge.remove()
    self.refuge = nil
  }

  /// The prefix of the names of child groups. It is followed by the id of the process that created the group.
  static let prefix = "sluice-"

  /// Removes child groups of `own` that processes of Sluice created and did not remove before they exited.
  private static func sweep(_ own: ControlGroupFolder) {
    for group in own.groups where group.name.hasPrefix(prefix) {
      let owner = group.name.dropFirst(prefix.count).prefix { $0 != "-" }
      guard let process = Int32(owner), Glibc.kill(process, 0) < 0, errno == ESRCH else { continue }
      for guest in group.groups { _ = guest.remove() }
      // Removal fails if the group still has processes, which is intended.
      _ = group.remove()
    }
  }
}

// MARK: - Information from the system

/// This process's version 2 control group and its ancestors, and its version 1 groups.
struct ControlGroupFiles {
  /// The group, followed by its ancestors up to the root of the hierarchy; empty if there is no hierarchy.
  private let groups: [ControlGroupFolder]
  /// This process's groups for the memory and pids controllers in version 1 hierarchies.
  private let memory, processes: ControlGroupFolder?

  init() {
    let mounts = (ProcessFiles.text("/proc/self/mountinfo") ?? "").split(separator: "\n")
    let memberships = (ProcessFiles.text("/proc/self/cgroup") ?? "").split(separator: "\n")
    groups = Self.groups(mounts, memberships)
    memory = Self.group(of: "memory", mounts, memberships)
    processes = Self.group(of: "pids", mounts, memberships)
  }

  private static func groups(
    _ mounts: [Substring], _ memberships: [Substring]
  ) -> [ControlGroupFolder] {
    let words = mounts.first { $0.contains(" - cgroup2 ") }?.split(separator: " ") ?? []
    guard words.count > 4 else { return [] }
    let line = memberships.first { $0.hasPrefix("0::") }
    let names = line?.dropFirst(3).split(separator: "/") ?? []
    return (0...names.count).reversed().map { count in
      ControlGroupFolder(path: ([words[4]] + names.prefix(count)).joined(separator: "/"))
    }
  }

  /// Returns this process's group in the cgroup v1 hierarchy of a controller; nil if the controller is not
  /// mounted. In a container, the root of the mount is the container's own group.
  private static func group(
    of controller: Substring, _ mounts: [Substring], _ memberships: [Substring]
  ) -> ControlGroupFolder? {
    let mount = mounts.first { line in
      line.contains(" - cgroup ")
        && line.split(separator: " ").last?.split(separator: ",").contains(controller) == true
    }
    guard let words = mount?.split(separator: " "), words.count > 4,
      let line = memberships.first(where: { line in
        let fields = line.split(separator: ":", omittingEmptySubsequences: false)
        return fields.count > 2 && fields[1].split(separator: ",").contains(controller)
      })
    else { return nil }
    let path = line.split(separator: ":", omittingEmptySubsequences: false)[2...]
      .joined(separator: ":")
    let isRoot = path == "/" || words[3] == path
    return ControlGroupFolder(path: words[4] + (isRoot ? "" : path))
  }

  /// The state and the folder of this process's version 2 group. The folder is nil if child groups cannot limit guests.
  var group: (state: ControlGroup, folder: ControlGroupFolder?) {
    guard let own = groups.first else { return (.absent, nil) }
    guard isDelegated(own) else { return (.foreign(folder: own.path), nil) }
    let offered = own.text("cgroup.controllers")?.split(separator: " ").map(String.init) ?? []
    let lacking = ControlGroup.needed.filter { !offered.contains($0) }
    guard lacking.isEmpty else {
      return (.lacking(controllers: lacking, folder: own.path), nil)
    }
    return (.delegated(folder: own.path), own)
  }

  /// Returns whether the group is delegated to this user: the user can write to it. This does not suffice for root,
  /// which can write to every group. Root's group must also carry systemd's delegation mark, or be the root of the
  /// visible hierarchy, as in a container.
  private func isDelegated(_ group: ControlGroupFolder) -> Bool {
    guard
      ["", "/cgroup.procs", "/cgroup.subtree_control"].allSatisfy({
        access(group.path + $0, W_OK) == 0
      })
    else { return false }
    guard geteuid() == 0, groups.count > 1 else { return true }
    return sluice_is_delegated(group.path) != 0
  }

  /// The lowest process limit among this process's groups and, in version 2, their ancestors; nil if there is no limit.
  var taskLimit: Int? {
    (groups + [processes].compactMap(\.self)).compactMap { $0.number("pids.max") }.min()
  }

  /// The memory available under the groups' limits, in bytes; nil if there is no limit. Inactive file cache does not
  /// count as used.
  var availableMemory: Int? {
    let left =
      groups.compactMap { $0.left(of: "memory.max", used: "memory.current") }
      + [memory].compactMap {
        $0?.left(of: "memory.limit_in_bytes", used: "memory.usage_in_bytes")
      }
    return left.min()
  }
}

extension ControlGroupFolder {
  /// Returns the number in one of the group's files; nil if the file is unreadable or contains `max` (no limit).
  fileprivate func number(_ file: String) -> Int? { text(file).flatMap { Int($0) } }

  /// Returns the number in the group's file `limit`, minus the memory in use according to the file `used`. Returns nil
  /// if there is no limit.
  fileprivate func left(of limit: String, used: String) -> Int? {
    guard let most = number(limit) else { return nil }
    let (pages, files) = (number(used) ?? 0, count("inactive_file", in: "memory.stat") ?? 0)
    return max(0, most - max(0, pages - files))
  }
}
