internal import EventLoop

extension PromiseFinding {
  /// Descriptors of the host for each ready-made guest, and for everything else.
  private static let hostDescriptors = (each: 1, other: DescriptorLimit.reserve + 32)
  /// Processes and threads of the host and of its zygotes.
  private static let ownProcesses = 12
  /// Processes of a ready-made guest. A program is two: itself, and number 1 of its PID namespace.
  private static let processesOfGuest = 1
  /// Memory that a ready-made guest takes, with what the host keeps for it, in bytes; 200 KiB were measured.
  private static let bytesOfGuest = 1 << 18

  static func descriptors(_ facts: MachineFacts, guests: Int) -> PromiseFinding {
    let (each, other) = hostDescriptors
    guard facts.descriptors < .max else {
      return PromiseFinding(.descriptors, .kept, "a process may open any number")
    }
    let bound = GuestBound(
      words: "a process may open \(facts.descriptors)",
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

  /// Settings of the kernel, with the number that a guest takes of each.
  private static func settings(_ facts: MachineFacts) -> [(name: String, each: Int)] {
    let settings = [
      (name: "kernel.pid_max", each: processesOfGuest),
      (name: "kernel.threads-max", each: processesOfGuest),
      (name: "user.max_pid_namespaces", each: 1),
    ]
    // Without such namespaces none is counted.
    return facts.promises.contains(.processes) ? settings : Array(settings.dropLast())
  }

  static func memory(_ facts: MachineFacts, guests: Int) -> PromiseFinding {
    guard facts.memory < .max else { return PromiseFinding(.memory, .kept, "no limit is known") }
    let bound = GuestBound(
      words: "\(facts.memory >> 20) MiB are available, of which four guests take about 1",
      guests: facts.memory / bytesOfGuest, change: "more memory, or fewer guests")
    return PromiseFinding(.memory, [bound], guests: guests)
  }
}
