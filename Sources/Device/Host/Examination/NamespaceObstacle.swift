internal import EventLoop
internal import Glibc

/// The reason why a guarantee of namespaces is lacking, and the change that gives it.
struct NamespaceObstacle: Equatable {
  let finding: String
  let change: String

  private init(_ finding: String, _ change: String) {
    self.finding = finding
    self.change = change
  }

  /// Finds the obstacle to a promise; nil where it is kept, or needs no namespace.
  init?(to promise: MachinePromise, _ facts: MachineFacts) {
    guard let guarantee = promise.guarantee, !facts.promises.contains(guarantee) else { return nil }
    if !facts.programFailures.isEmpty {
      self.init("not tried, as programs do not start", "see programs")
    } else if !facts.promises.contains(.network) {
      self = Self.toAny(facts)
    } else if promise == .processes || promise == .view && !facts.promises.contains(.processes) {
      self = Self.toProcesses(facts)
    } else if !facts.promises.contains(.execution) {
      self.init(
        "the kernel does not change mounts of a folder",
        "a kernel from Linux 5.12 on; for a Docker container, `--security-opt apparmor=unconfined`")
    } else {
      self.init(
        "a /proc of their own cannot be mounted, as where a container hides parts of its own",
        "`--security-opt systempaths=unconfined` for a Docker container, "
          + "`--security-opt unmask=ALL` for one of Podman")
    }
  }

  // MARK: obstacles to all namespaces

  private static func toAny(_ facts: MachineFacts) -> NamespaceObstacle {
    for setting in Setting.all where facts.settings[setting.name] == setting.forbids {
      return setting.obstacle
    }
    guard facts.refusal != 0 else {
      return NamespaceObstacle(
        "user namespaces are given without rights in them",
        "a profile of the machine's security module that lets `sluice-guest` and `sluice-launch` "
          + "have user namespaces")
    }
    let reason = String(cString: strerror(facts.refusal))
    if facts.isFiltered {
      return NamespaceObstacle(
        "a filter of system calls is in force, and namespaces are refused: \(reason)",
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

  /// A setting of the kernel that forbids namespaces.
  private struct Setting {
    let name: String
    /// The value that forbids, and one that does not.
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
        words: "user namespaces are forbidden to users"),
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
