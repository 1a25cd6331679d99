internal import CConfinement
internal import Glibc
internal import Synchronization

/// The control group of this process in the hierarchy of version 2 (cgroups(7)), as far as devices can use it.
package enum ControlGroup: Sendable, Equatable {
  /// There is no such hierarchy.
  case absent
  /// - Parameter controllers: those of ``needed`` that groups below it cannot have.
  case lacking(controllers: [String], folder: String)
  /// The group belongs to somebody else.
  case foreign(folder: String)
  /// Other processes are in the group, which therefore cannot hand controllers on to groups below it.
  case crowded(folder: String)
  case delegated(folder: String)

  /// The controllers that bound a guest with all that it starts.
  static let needed = ["memory", "pids"]
}

// MARK: - The claim

/// The claim of this process on the control group that it is in: its devices make groups below it.
///
/// A group that hands controllers on has no processes of its own, but for the root. So this process moves into a group beside
/// those of its devices, and back when no device needs the claim any more.
struct ControlGroupClaim {
  private var holders = 0
  private var folder: ControlGroupFolder?
  /// The group that this process has moved to; nil: it stayed where it was.
  private var refuge: ControlGroupFolder?
  private var state = ControlGroup.absent

  private static let shared = Mutex(ControlGroupClaim())

  /// Takes hold of the claim, as often as ``release()`` is called.
  ///
  /// - Returns: what there is, and the folder for groups of devices; nil: there are none.
  static func retain() -> (state: ControlGroup, folder: ControlGroupFolder?) {
    shared.withLock { claim in
      if claim.holders == 0 { claim.make() }
      claim.holders += 1
      return (claim.state, claim.folder)
    }
  }

  /// Lets go of the claim.
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
    // A root that holds processes and hands controllers on may do so for others, too.
    guard refuge != nil else { return }
    _ = own.handOnControllers(.disabled)
    leaveRefuge(for: own)
  }

  private mutating func leaveRefuge(for own: ControlGroupFolder) {
    guard let refuge, own.enter() == 0 else { return }
    // Processes that a zygote has had beside programs end after these.
    refuge.awaitEnd()
    _ = refuge.remove()
    self.refuge = nil
  }

  /// The beginning of the names of groups, before the identifier of the process that has made them.
  static let prefix = "sluice-"

  /// Removes the groups of processes that have died.
  private static func sweep(_ own: ControlGroupFolder) {
    for group in own.groups where group.name.hasPrefix(prefix) {
      let owner = group.name.dropFirst(prefix.count).prefix { $0 != "-" }
      guard let process = Int32(owner), Glibc.kill(process, 0) < 0, errno == ESRCH else { continue }
      for guest in group.groups { _ = guest.remove() }
      // One that still has processes stays.
      _ = group.remove()
    }
  }
}

// MARK: - What the system tells

/// The control group of version 2 that this process is in, and the groups above.
struct ControlGroupFiles {
  /// The group, and those that it is in up to the root of the hierarchy; none: there is no hierarchy.
  private let groups: [ControlGroupFolder]
  /// The groups that this process is in, in hierarchies of version 1 whose controllers bound memory and processes.
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

  /// The group in the hierarchy of version 1 that has a controller; nil: none has. In a container the hierarchy begins with the
  /// container's own group.
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

  /// The group, and whether groups below it can bound guests.
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

  /// Whether the group is this user's. Root may write to every group, so there it must be marked as systemd marks
  /// what it delegates, or be the root of what this process sees of the hierarchy, as in a container.
  private func isDelegated(_ group: ControlGroupFolder) -> Bool {
    guard
      ["", "/cgroup.procs", "/cgroup.subtree_control"].allSatisfy({
        access(group.path + $0, W_OK) == 0
      })
    else { return false }
    guard geteuid() == 0, groups.count > 1 else { return true }
    return sluice_is_delegated(group.path) != 0
  }

  /// The least limit on processes of the group and those that it is in; nil: none.
  var taskLimit: Int? {
    (groups + [processes].compactMap(\.self)).compactMap { $0.number("pids.max") }.min()
  }

  /// Bytes of memory that the limits of the group and of those that it is in leave, where files in memory are not
  /// counted; nil: there is no limit.
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
  /// The number that one of the group's files holds; nil where it cannot be read, or says that there is no limit.
  fileprivate func number(_ file: String) -> Int? { text(file).flatMap { Int($0) } }

  /// The rest of a limit; nil: there is none.
  fileprivate func left(of limit: String, used: String) -> Int? {
    guard let most = number(limit) else { return nil }
    let (pages, files) = (number(used) ?? 0, count("inactive_file", in: "memory.stat") ?? 0)
    return max(0, most - max(0, pages - files))
  }
}
