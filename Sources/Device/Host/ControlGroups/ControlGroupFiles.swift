internal import CConfinement
internal import Glibc

/// The control group of version 2 that this process is in, and the groups above.
struct ControlGroupFiles {
  /// The group, and those that it is in up to the root of the hierarchy; none: there is no hierarchy.
  private let groups: [ControlGroupFolder]

  init() {
    let mounts = ProcessFiles.text("/proc/self/mountinfo") ?? ""
    let mount = mounts.split(separator: "\n").first { $0.contains(" - cgroup2 ") }
    let words = mount?.split(separator: " ") ?? []
    guard words.count > 4 else {
      groups = []
      return
    }
    let memberships = ProcessFiles.text("/proc/self/cgroup") ?? ""
    let line = memberships.split(separator: "\n").first { $0.hasPrefix("0::") }
    let names = line?.dropFirst(3).split(separator: "/") ?? []
    groups = (0...names.count).reversed().map { count in
      ControlGroupFolder(
        path: ([words[4]] + names.prefix(count)).joined(separator: "/"))
    }
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
  var taskLimit: Int? { groups.compactMap { $0.text("pids.max").flatMap { Int($0) } }.min() }
}
