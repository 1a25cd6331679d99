package import EventLoop

/// The facts about a machine that the confinement of guests and their number depend on.
package struct MachineFacts: Sendable {
  /// The ABI of the kernel's Landlock, or the negated errno of asking for it.
  package var landlockABI = 10
  package var filtersCalls = true
  /// The guarantees of the zygotes' namespaces; none where ``programFailures`` has one.
  package var promises = Zygote.Promises.all
  /// The errno with which the kernel refuses namespaces; 0: none.
  package var refusal: Int32 = 0
  /// Settings of the kernel by their names of sysctl(8), without those that it does not have.
  package var settings: [String: Int] = [:]
  /// Whether a filter of system calls is in force for this process, as in a container.
  package var isFiltered = false
  /// The reason why a process cannot be limited as guests are; nil where it can.
  package var limitFailure: String?
  package var controlGroup = ControlGroup.delegated(folder: "/sys/fs/cgroup")
  /// The errno with which the kernel refuses to guard the host's memory; 0: none.
  package var guardRefusal: Int32 = 0
  /// The reasons why `sluice-guest` and `sluice-launch` do not start.
  package var programFailures: [String] = []
  package var server = ServerProgram.found
  /// The hard limit on open descriptors of this process.
  package var descriptors = Int.max
  /// The hard limit on processes of this user (RLIMIT_NPROC); `Int.max`: none.
  package var processes = Int.max
  /// The least limit on processes of the control groups that this process is in; nil: none.
  package var tasks: Int?
  /// Bytes of memory that are available.
  package var memory = Int.max

  /// The state of the program of servers, which not every build has.
  package enum ServerProgram: Sendable, Equatable {
    case found
    case absent
    case failing(String)
  }

  /// Creates the facts of a machine that keeps every promise.
  package init() {}
}
