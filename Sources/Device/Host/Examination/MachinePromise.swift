package import EventLoop

/// A promise that a machine keeps or does not: what docs/security.md says of guests' confinement, and the number of guests.
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

  /// The guarantee of a zygote's namespaces that keeps the promise; nil where something else does.
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
