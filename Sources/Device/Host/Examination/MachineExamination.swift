package import Encodings
package import EventLoop

/// An assessment of a machine: a finding for each ``MachinePromise``, and the gaps in confinement that exist on every
/// machine.
package struct MachineExamination: Sendable {
  /// One finding for each promise, in the order of ``MachinePromise``.
  package let findings: [PromiseFinding]
  /// The gaps in confinement that exist on every machine, one sentence each.
  package let remainder = MachineRemainder.all

  /// Assesses the machine that `facts` describe.
  ///
  /// - Parameter guests: The number of guests that the machine must be able to run at the same time.
  package init(_ facts: MachineFacts, guests: Int) {
    findings = MachinePromise.allCases.map { promise -> PromiseFinding in
      switch promise {
      case .files: .files(facts)
      case .systemCalls: .systemCalls(facts)
      case .network: .network(facts)
      case .processes: .processes(facts)
      case .execution: .execution(facts)
      case .view: .view(facts)
      case .limits: .limits(facts)
      case .controlGroups: .controlGroups(facts)
      case .hostMemory: .hostMemory(facts)
      case .programs: .programs(facts)
      case .descriptors: .descriptors(facts, guests: guests)
      case .processNumbers: .processNumbers(facts, guests: guests)
      case .memory: .memory(facts, guests: guests)
      }
    }
  }

  package var isComplete: Bool { findings.allSatisfy(\.isComplete) }

  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.array("promises", of: findings) { $1.write(to: &$0) }
      writer.strings("open", remainder)
      writer.member("isComplete", isComplete)
    }
  }
}

/// A property that a device needs from its machine: a part of the confinement in docs/security.md, or room for the
/// requested number of guests. A machine can keep this promise completely, in part, or not.
package enum MachinePromise: String, Sendable, CaseIterable {
  case files
  case systemCalls
  case network
  case processes
  case execution
  case view
  case limits
  case controlGroups
  case hostMemory
  case programs
  case descriptors
  case processNumbers
  case memory

  package var title: String {
    switch self {
    case .files: "files"
    case .systemCalls: "system calls"
    case .network: "network namespace"
    case .processes: "PID and IPC namespaces"
    case .execution: "noexec mount"
    case .view: "own view and /proc"
    case .limits: "resource limits"
    case .controlGroups: "control groups"
    case .hostMemory: "host memory"
    case .programs: "programs"
    case .descriptors: "descriptors"
    case .processNumbers: "process numbers"
    case .memory: "memory"
    }
  }

  /// The guarantee of a zygote's namespaces that the promise requires; nil if the promise does not depend on
  /// namespaces.
  package var guarantee: Zygote.Promises? {
    switch self {
    case .network: .network
    case .processes: .processes
    case .execution: .execution
    case .view: .mounts
    case .files, .systemCalls, .limits, .controlGroups, .hostMemory, .programs, .descriptors,
      .processNumbers, .memory:
      nil
    }
  }
}

extension Zygote.Promises {
  package static let all: Zygote.Promises = [.network, .processes, .execution, .mounts]

  /// A sentence that names the missing guarantees; nil if none is missing.
  package var lack: String? {
    let lacking = MachinePromise.allCases.filter { promise in
      promise.guarantee.map { !contains($0) } ?? false
    }
    guard !lacking.isEmpty else { return nil }
    return
      "guests are only partly confined; missing: \(lacking.map(\.title).joined(separator: ", ")); "
      + "`sluice doctor` shows the reasons and remedies"
  }
}

/// The gaps in confinement that exist on every machine: docs/security.md, "What remains open".
private enum MachineRemainder {
  static let all = [
    "programs that may read the same file, such as a library, see which process holds a lock on it",
    "programs can use `stat` to learn whether a file outside their containers exists, and its size and times",
    "guests can detect one another through load, caches, timing and free disk space",
    "ready-made guests are forked from one zygote, so each knows the address layout of the others",
    "guests of one app group share its container without verdicts",
    "until the next count, a program can exceed its limit on written data and, without control groups, on processes",
    "without control groups, data and files queued in a program's sockets and pipes are not counted",
    "programs can exhaust the kernel's limits per user, such as those on processes, epoll watches and files in flight",
    "a program that reads a shared file may change the file's access time, which other programs can see",
    "programs may make most system calls, so a guest can exploit a vulnerability in any of them",
    "guests run as the user of `sluice` and can reach everything that the kernel does not deny them",
  ]
}
