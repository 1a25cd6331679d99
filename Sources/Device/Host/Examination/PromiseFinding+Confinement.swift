internal import Glibc

extension PromiseFinding {
  static func files(_ facts: MachineFacts) -> PromiseFinding {
    guard facts.landlockABI > 0 else { return withoutLandlock(facts) }
    let kept = LandlockGeneration.all.filter { $0.abi <= facts.landlockABI }
    let gaps = LandlockGeneration.all.filter { $0.abi > facts.landlockABI }.compactMap(\.gap)
    let finding =
      "Landlock ABI \(facts.landlockABI): " + kept.map(\.addition).joined(separator: ", ")
    guard facts.landlockABI < LandlockGeneration.complete else {
      return PromiseFinding(.files, .kept, finding)
    }
    return PromiseFinding(
      .files, .partly, finding, open: "guests may " + gaps.joined(separator: ", "), change: newer)
  }

  private static func withoutLandlock(_ facts: MachineFacts) -> PromiseFinding {
    let isDisabled = facts.landlockABI == Int(-EOPNOTSUPP)
    return PromiseFinding(
      .files, .not,
      isDisabled
        ? "Landlock is not enabled" : "this kernel has no Landlock, or a container hides it",
      open: "guests may " + LandlockGeneration.all.compactMap(\.gap).joined(separator: ", "),
      change: isDisabled ? "`landlock` first in `lsm=` of the kernel's command line" : newer)
  }

  private static var newer: String {
    "a kernel from Linux 6.12 on, with Landlock ABI \(LandlockGeneration.complete) or later"
  }

  static func systemCalls(_ facts: MachineFacts) -> PromiseFinding {
    guard !facts.filtersCalls else {
      return PromiseFinding(.systemCalls, .kept, "seccomp takes filters")
    }
    return PromiseFinding(
      .systemCalls, .not, "this kernel has no seccomp, or a container hides it",
      open: "guests may make every system call", change: "a kernel with `CONFIG_SECCOMP_FILTER=y`")
  }

  static func limits(_ facts: MachineFacts) -> PromiseFinding {
    guard let failure = facts.limitFailure else {
      return PromiseFinding(
        .limits, .kept, "memory, size of files and descriptors of a process can be limited")
    }
    return PromiseFinding(
      .limits, .not, failure, open: "no guest starts, as none is started without its limits",
      change: "let `sluice-launch` call `setrlimit` and `capset`, as in a container's filter")
  }

  static func controlGroups(_ facts: MachineFacts) -> PromiseFinding {
    if case .delegated(let folder) = facts.controlGroup {
      return PromiseFinding(
        .controlGroups, .kept,
        "version 2, `\(folder)` is delegated, with \(ControlGroup.needed.joined(separator: " and "))"
      )
    }
    let (finding, change) = lack(of: facts.controlGroup)
    return PromiseFinding(
      .controlGroups, .unused, finding,
      open: "the device counts what the processes of a program take together, a few times a second",
      change: change)
  }

  private static func lack(of group: ControlGroup) -> (finding: String, change: String) {
    let scope = "`systemd-run --user --scope -p Delegate=yes sluice …`"
    switch group {
    case .absent: return ("no hierarchy of version 2", "`systemd.unified_cgroup_hierarchy=1`")
    case .foreign(let folder), .delegated(let folder):
      return ("version 2, `\(folder)` is not delegated to this user", scope)
    case .crowded(let folder):
      return ("version 2, other processes are in `\(folder)`", "\(scope), which holds nothing else")
    case .lacking(let controllers, let folder):
      return (
        "version 2, `\(folder)` is without the controllers "
          + controllers.joined(separator: " and "),
        "version 2 alone (`systemd.unified_cgroup_hierarchy=1`), and \(scope)"
      )
    }
  }

  static func hostMemory(_ facts: MachineFacts) -> PromiseFinding {
    guard facts.guardRefusal != 0 else {
      return PromiseFinding(.hostMemory, .kept, "the host can be made not dumpable")
    }
    return PromiseFinding(
      .hostMemory, .not,
      "the host cannot be made not dumpable: \(String(cString: strerror(facts.guardRefusal)))",
      open: "processes of the same user may read the keys in the host's memory",
      change: "let `sluice` call `prctl`, as in a container's filter")
  }

  static func programs(_ facts: MachineFacts) -> PromiseFinding {
    guard facts.programFailures.isEmpty else {
      return PromiseFinding(
        .programs, .not, facts.programFailures.joined(separator: "; "), open: "no guest starts",
        change: "`make` builds them; they are looked for beside `sluice`")
    }
    let guests = "`sluice-guest` and `sluice-launch` start"
    switch facts.server {
    case .found: return PromiseFinding(.programs, .kept, guests + ", `sluice-server` is there")
    case .absent: return PromiseFinding(.programs, .kept, guests + ", `sluice-server` is not built")
    case .failing(let reason):
      return PromiseFinding(
        .programs, .partly, reason, open: "no server of a scenario starts",
        change: "`make tls` builds it")
    }
  }
}
