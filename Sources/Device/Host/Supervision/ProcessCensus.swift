internal import Glibc

/// A count of what programs have started and what memory that takes, as a value that may go to another thread.
struct ProcessCensus: Sendable {
  /// Programs by the names of their guests: the processes that the host has started for them, each with a PID namespace of
  /// its own.
  let programs: [String: Int32]
  /// Guests that start no processes.
  let childless: Set<Int32>
  /// Bytes of memory below which it is not looked at how much of it processes share.
  let memoryLimit: Int

  /// The extent of a program with all that it has started.
  struct Extent: Sendable, Equatable {
    /// Number of processes and of their further threads.
    var threads = 0
    /// Resident memory in bytes.
    var resident = 0
  }

  /// Counts the processes of each PID namespace. A program that has gone meanwhile, or has no namespace, is not in the
  /// result.
  func run() -> [String: Extent] {
    let own = ProcessFolder(of: getpid()).namespace
    var members: [UInt64: [ProcessFolder]] = [:]
    for process in ProcessFolder.descendants(childless: childless) {
      guard let namespace = process.namespace, namespace != own else { continue }
      members[namespace, default: []].append(process)
    }
    return programs.compactMapValues { program in
      ProcessFolder(of: program).namespace.flatMap { members[$0] }.map(extent)
    }
  }

  private func extent(of processes: [ProcessFolder]) -> Extent {
    var sum = Extent()
    for (threads, resident) in processes.map(\.extent) {
      sum.threads += threads
      sum.resident += resident
    }
    // Each counts what all of them share.
    if sum.resident > memoryLimit { sum.resident = processes.map(\.proportion).reduce(0, +) }
    return sum
  }
}
