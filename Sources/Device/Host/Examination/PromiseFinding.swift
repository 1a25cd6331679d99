internal import CConfinement
package import Encodings
internal import EventLoop
internal import Glibc

/// The result of checking one promise of a machine.
package struct PromiseFinding: Sendable, Equatable {
  package enum State: String, Sendable, CaseIterable {
    case kept
    case partly
    case not
    /// The machine lacks the mechanism behind the promise, but another mechanism replaces it.
    case unused
  }

  package let promise: MachinePromise
  package let state: State
  /// The facts found, as text.
  package let finding: String
  /// The consequences for guests, or the unavailable features, as a sentence; nil if there are no consequences.
  package let open: String?
  /// The change to the machine that would keep the promise; nil if no change is needed or possible.
  package let change: String?

  init(
    _ promise: MachinePromise, _ state: State, _ finding: String, open: String? = nil,
    change: String? = nil
  ) {
    self.promise = promise
    self.state = state
    self.finding = finding
    self.open = open
    self.change = change
  }

  package var isComplete: Bool { state == .kept || state == .unused }

  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", promise.rawValue)
      writer.member("state", state.rawValue)
      writer.member("finding", finding)
      writer.member("open", open)
      writer.member("change", change)
    }
  }

  // MARK: Confinement

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
      change: isDisabled
        ? "`landlock` as the first module of `lsm=` on the kernel's command line" : newer)
  }

  private static var newer: String {
    "Linux 6.12 or later, with Landlock ABI \(LandlockGeneration.complete) or later"
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
        .limits, .kept, "a process's memory, file size and descriptors can be limited")
    }
    return PromiseFinding(
      .limits, .not, failure, open: "no guest starts, because guests need these limits",
      change:
        "allow `sluice-launch` to call `setrlimit` and `capset`; a container's filter may forbid both"
    )
  }

  static func controlGroups(_ facts: MachineFacts) -> PromiseFinding {
    if case .delegated(let folder) = facts.controlGroup {
      return PromiseFinding(
        .controlGroups, .kept,
        "version 2, and `\(folder)` is delegated with the controllers \(ControlGroup.needed.joined(separator: " and "))"
      )
    }
    let (finding, change) = lack(of: facts.controlGroup)
    return PromiseFinding(
      .controlGroups, .unused, finding,
      open:
        "the device itself counts a program's processes and their memory, but only a few times a second",
      change: change)
  }

  private static func lack(of group: ControlGroup) -> (finding: String, change: String) {
    let scope = "`systemd-run --user --scope -p Delegate=yes sluice …`"
    switch group {
    case .absent:
      return (
        "no control groups of version 2",
        "`systemd.unified_cgroup_hierarchy=1` on the kernel's command line"
      )
    case .foreign(let folder), .delegated(let folder):
      return ("version 2, but `\(folder)` is not delegated to this user", scope)
    case .crowded(let folder):
      return (
        "version 2, but other processes are in `\(folder)`",
        "\(scope), which runs `sluice` in a new control group"
      )
    case .lacking(let controllers, let folder):
      return (
        "version 2, but `\(folder)` lacks the controllers "
          + controllers.joined(separator: " and "),
        "`systemd.unified_cgroup_hierarchy=1` on the kernel's command line, which disables version 1, and \(scope)"
      )
    }
  }

  static func hostMemory(_ facts: MachineFacts) -> PromiseFinding {
    guard facts.guardRefusal != 0 else {
      return PromiseFinding(.hostMemory, .kept, "the host can hide its memory from other processes")
    }
    return PromiseFinding(
      .hostMemory, .not,
      "the host cannot hide its memory from other processes: \(String(cString: strerror(facts.guardRefusal)))",
      open: "processes of the same user may read the keys in the host's memory",
      change: "allow `sluice` to call `prctl`; a container's filter may forbid the call")
  }

  static func programs(_ facts: MachineFacts) -> PromiseFinding {
    guard facts.programFailures.isEmpty else {
      return PromiseFinding(
        .programs, .not, facts.programFailures.joined(separator: "; "), open: "no guest starts",
        change: "`make` builds them; they must be next to `sluice`")
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

/// A version of Landlock's ABI, and what it adds to the confinement of guests: docs/security.md, "Kernels".
private struct LandlockGeneration {
  let abi: Int
  let addition: String
  /// The actions that kernels with an older ABI do not deny to guests, as the end of a clause that begins with "guests
  /// may"; nil if the system call filter denies these actions.
  let gap: String?

  static let all = [
    LandlockGeneration(abi: 1, addition: "files", gap: "open every file that the user may open"),
    LandlockGeneration(
      abi: 2, addition: "moving between folders", gap: "move files between folders"),
    LandlockGeneration(
      abi: 3, addition: "truncating", gap: "truncate files that they may not write to"),
    LandlockGeneration(abi: 4, addition: "TCP", gap: "connect to every TCP port"),
    LandlockGeneration(abi: 5, addition: "device control", gap: "control devices"),
    LandlockGeneration(
      abi: 6, addition: "signals, abstract sockets",
      gap: "signal other processes, connect to abstract sockets"),
    LandlockGeneration(abi: 9, addition: "pathname sockets", gap: nil),
    LandlockGeneration(abi: 10, addition: "UDP", gap: nil),
  ]

  /// The first ABI version with which Landlock confines guests completely.
  static let complete = Int(SLUICE_COMPLETE_LANDLOCK_ABI)
}

// MARK: - Namespaces

extension PromiseFinding {
  static func network(_ facts: MachineFacts) -> PromiseFinding {
    namespace(
      .network, facts, kept: "guests have a network without external access",
      open:
        "guests see the machine's network, and guests that may reach a server may connect to its "
        + "port on any machine")
  }

  static func processes(_ facts: MachineFacts) -> PromiseFinding {
    namespace(
      .processes, facts, kept: "guests have processes and queues of their own",
      open:
        "guests see the ids of other processes, and can start processes that outlive the host")
  }

  static func execution(_ facts: MachineFacts) -> PromiseFinding {
    namespace(
      .execution, facts, kept: "nothing in the device's folder is executed",
      open:
        "programs may execute files that they have written, through `ld.so` or an executable mapping"
    )
  }

  static func view(_ facts: MachineFacts) -> PromiseFinding {
    namespace(
      .view, facts, kept: "guests see their part of the device's folder, and a /proc of their own",
      open: "programs learn that other guests' folders exist, and programs with `dispatch` read "
        + "names, command lines and times of other processes in /proc")
  }

  private static func namespace(
    _ promise: MachinePromise, _ facts: MachineFacts, kept: String, open: String
  ) -> PromiseFinding {
    guard let obstacle = NamespaceObstacle(to: promise, facts) else {
      return PromiseFinding(promise, .kept, kept)
    }
    return PromiseFinding(promise, .not, obstacle.finding, open: open, change: obstacle.change)
  }
}

/// The reason why the machine cannot isolate guests in a namespace, and the change to the machine that makes this
/// possible.
private struct NamespaceObstacle: Equatable {
  let finding: String
  let change: String

  private init(_ finding: String, _ change: String) {
    self.finding = finding
    self.change = change
  }

  /// Finds the reason why a promise is not kept; nil if it is kept or needs no namespace.
  init?(to promise: MachinePromise, _ facts: MachineFacts) {
    guard let guarantee = promise.guarantee, !facts.promises.contains(guarantee) else { return nil }
    if !facts.programFailures.isEmpty {
      self.init("not tested, because programs do not start", "see programs")
    } else if !facts.promises.contains(.network) {
      self = Self.toAny(facts)
    } else if promise == .processes || promise == .view && !facts.promises.contains(.processes) {
      self = Self.toProcesses(facts)
    } else if !facts.promises.contains(.execution) {
      self.init(
        "the device's folder cannot be mounted with `noexec`",
        "Linux 5.12 or later; for a Docker container, `--security-opt apparmor=unconfined`")
    } else {
      self.init(
        "guests cannot have a /proc of their own, for example because a container hides parts of its /proc",
        "`--security-opt systempaths=unconfined` for a Docker container, "
          + "`--security-opt unmask=ALL` for a Podman container")
    }
  }

  // MARK: Obstacles to all namespaces

  private static func toAny(_ facts: MachineFacts) -> NamespaceObstacle {
    for setting in Setting.all where facts.settings[setting.name] == setting.forbids {
      return setting.obstacle
    }
    guard facts.refusal != 0 else {
      return NamespaceObstacle(
        "user namespaces can be created, but grant no capabilities",
        "a profile of the machine's security module that allows `sluice-guest` and `sluice-launch` "
          + "to create user namespaces")
    }
    let reason = String(cString: strerror(facts.refusal))
    if facts.isFiltered {
      return NamespaceObstacle(
        "a system call filter is active, and the kernel refuses namespaces: \(reason)",
        "`--security-opt seccomp=unconfined` for a container")
    }
    if [EINVAL, ENOSYS].contains(facts.refusal) {
      return NamespaceObstacle(
        "this kernel has no user or network namespaces",
        "a kernel with `CONFIG_USER_NS=y` and `CONFIG_NET_NS=y`")
    }
    return NamespaceObstacle(
      "the kernel refuses namespaces: \(reason)",
      "run `sluice` outside of chroots and containers, or with fewer user namespaces in use")
  }

  /// A kernel setting that can forbid namespaces.
  private struct Setting {
    let name: String
    /// The value of the setting that forbids namespaces, and a value that permits them.
    let forbids: Int
    let permits: Int
    let words: String

    static let all = [
      Setting(
        name: "user.max_user_namespaces", forbids: 0, permits: 65_536,
        words: "user namespaces are forbidden"),
      Setting(
        name: "user.max_net_namespaces", forbids: 0, permits: 65_536,
        words: "network namespaces are forbidden"),
      Setting(
        name: "user.max_mnt_namespaces", forbids: 0, permits: 65_536,
        words: "mount namespaces are forbidden"),
      Setting(
        name: "kernel.unprivileged_userns_clone", forbids: 0, permits: 1,
        words: "unprivileged users may not create user namespaces"),
      Setting(
        name: "kernel.apparmor_restrict_unprivileged_userns", forbids: 1, permits: 0,
        words: "AppArmor gives users no rights in user namespaces"),
    ]

    var obstacle: NamespaceObstacle {
      NamespaceObstacle(
        "\(words): `\(name)` is \(forbids)", "`sysctl -w \(name)=\(permits)`")
    }
  }

  private static func toProcesses(_ facts: MachineFacts) -> NamespaceObstacle {
    for kind in ["pid", "ipc"] where facts.settings["user.max_\(kind)_namespaces"] == 0 {
      return NamespaceObstacle(
        "namespaces of this kind are forbidden: `user.max_\(kind)_namespaces` is 0",
        "`sysctl -w user.max_\(kind)_namespaces=65536`")
    }
    return NamespaceObstacle(
      "the kernel refuses PID and IPC namespaces",
      "a kernel with `CONFIG_PID_NS=y` and `CONFIG_IPC_NS=y`")
  }
}

// MARK: - Capacity

extension PromiseFinding {
  /// The number of file descriptors that the host needs: `each` for every ready-made guest, and `other` for everything
  /// else.
  private static let hostDescriptors = (each: 1, other: DescriptorLimit.reserve + 32)
  /// The number of processes and threads that the host and its zygotes use.
  private static let ownProcesses = 12
  /// The number of processes of a ready-made guest. A guest with a program has two, because its PID
  /// namespace has a process 1.
  private static let processesOfGuest = 1
  /// The memory for a ready-made guest, in bytes, including the host's share. Measurements showed 200 KiB.
  private static let bytesOfGuest = 1 << 18

  static func descriptors(_ facts: MachineFacts, guests: Int) -> PromiseFinding {
    let (each, other) = hostDescriptors
    guard facts.descriptors < .max else {
      return PromiseFinding(.descriptors, .kept, "a process may open any number of descriptors")
    }
    let bound = GuestBound(
      words: "a process may open \(facts.descriptors) descriptors",
      guests: max(0, facts.descriptors - other) / each,
      change: "`ulimit -Hn \(guests * each + other)`, or `LimitNOFILE=` of a service")
    return PromiseFinding(.descriptors, [bound], guests: guests)
  }

  static func processNumbers(_ facts: MachineFacts, guests: Int) -> PromiseFinding {
    var bounds = settings(facts).compactMap { (name, each) -> GuestBound? in
      facts.settings[name].map {
        GuestBound(
          words: "`\(name)` is \($0)", guests: $0 / each,
          change: "`sysctl -w \(name)=\(guests * each * 2)`")
      }
    }
    if facts.processes < .max {
      bounds.append(
        GuestBound(
          words: "the user may have \(facts.processes) processes",
          guests: max(0, facts.processes - ownProcesses) / processesOfGuest,
          change:
            "`ulimit -Hu \(guests * processesOfGuest * 2 + ownProcesses)`, or `LimitNPROC=` of a service"
        ))
    }
    if let tasks = facts.tasks {
      bounds.append(
        GuestBound(
          words: "a control group may have \(tasks) processes",
          guests: max(0, tasks - ownProcesses) / processesOfGuest,
          change: "`TasksMax=` of the service or slice, or `--pids-limit` of a container"))
    }
    return PromiseFinding(.processNumbers, bounds, guests: guests)
  }

  /// Returns the kernel settings that limit the number of processes or PID namespaces; `each` is the number that one
  /// guest uses.
  private static func settings(_ facts: MachineFacts) -> [(name: String, each: Int)] {
    let settings = [
      (name: "kernel.pid_max", each: processesOfGuest),
      (name: "kernel.threads-max", each: processesOfGuest),
      (name: "user.max_pid_namespaces", each: 1),
    ]
    // The limit of PID namespaces does not apply if there are none.
    return facts.promises.contains(.processes) ? settings : Array(settings.dropLast())
  }

  static func memory(_ facts: MachineFacts, guests: Int) -> PromiseFinding {
    guard facts.memory < .max else { return PromiseFinding(.memory, .kept, "no limit is known") }
    let bound = GuestBound(
      words: "\(facts.memory >> 20) MiB are available, and each guest needs about 0.25 MiB",
      guests: facts.memory / bytesOfGuest, change: "more memory, or fewer guests")
    return PromiseFinding(.memory, [bound], guests: guests)
  }
}

/// A machine limit that bounds the number of guests.
private struct GuestBound {
  /// The name and value of the limit, as text.
  let words: String
  /// The number of guests that can run within the limit.
  let guests: Int
  /// The change that makes room for the requested number of guests.
  let change: String
}

extension PromiseFinding {
  /// Creates the finding for a promise that depends on several limits of the machine.
  ///
  /// - Parameter guests: The requested number of guests.
  private init(_ promise: MachinePromise, _ bounds: [GuestBound], guests: Int) {
    let low = bounds.filter { $0.guests < guests }
    let least = bounds.map(\.guests).min() ?? Int.max
    guard !low.isEmpty else {
      let tightest = bounds.first { $0.guests == least }
      self.init(promise, .kept, tightest.map { Self.sentence($0) } ?? "no limit")
      return
    }
    self.init(
      promise, least > 0 ? .partly : .not, low.map { Self.sentence($0) }.joined(separator: "; "),
      open: least > 0
        ? "about \(least) of \(guests) ready-made guests can run at a time" : "no guest runs",
      change: low.map(\.change).joined(separator: "; "))
  }

  private static func sentence(_ bound: GuestBound) -> String {
    "\(bound.words), enough for about \(bound.guests) ready-made guests"
  }
}
