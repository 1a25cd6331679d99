internal import EventLoop
internal import Glibc
internal import Model

/// Watches the processes that programs start. The kernel limits each process; this class limits all processes of a
/// program together.
///
/// While programs run, another thread counts their processes and threads at intervals, and immediately if the number of
/// threads on the machine rises sharply. The device kills a program that has too many threads or uses too much memory.
/// Other programs are not affected.
final class ProgramWatch {
  private let limits: DeviceConfiguration.Limits
  private let registry: GuestRegistry
  private let loop: EventLoop
  private var timer: Timer?
  private var isLooking = false
  /// The loop's time, in milliseconds, from which the next count is due. A sharp rise in the number of threads causes
  /// an earlier count.
  private var nextLook: UInt64 = 0
  /// The number of threads on the machine at the last count.
  private var threadsBefore = 0
  var end: (Guest, ExitCause) -> Void = { _, _ in }

  /// The interval, in milliseconds, at which the watch checks for a due count.
  private static let tick: UInt64 = 20
  /// The interval between counts, in milliseconds, if fewer than 50 programs run. It grows by the same amount for each
  /// further 50 programs.
  private static let interval: UInt64 = 250

  /// Creates a watch that is idle until ``watch(_:)`` is called for a program.
  init(_ limits: DeviceConfiguration.Limits, registry: GuestRegistry, loop: EventLoop) {
    self.limits = limits
    self.registry = registry
    self.loop = loop
  }

  /// If `guest` is a program, starts the watch. The watch stops once no program is running.
  ///
  /// - Throws: ``EventLoopError`` if the system provides no timer.
  func watch(_ guest: Guest) throws(EventLoopError) {
    guard guest.runsExecutable else { return }
    if timer == nil { timer = try Timer(on: loop) { [unowned self] in check() } }
    if timer?.isActive == false { timer?.start(after: Self.tick, every: Self.tick) }
  }

  /// The memory limit for a program with all of its processes, in bytes; `Int.max` for no limit.
  private var memoryLimit: Int { limits.memory == 0 ? .max : Int(clamping: limits.memory) }

  private func check() {
    guard !isLooking else { return }
    let threads = Self.threadsOfMachine
    guard loop.now >= nextLook || threads - threadsBefore > limits.processes / 8 else { return }
    var programs: [String: Int32] = [:]
    var others: Set<Int32> = []
    var exhausted: [Guest] = []
    for guest in registry.all {
      guard let process = guest.process.handle?.pid, guest.isRunning else { continue }
      if guest.process.controlGroup?.ranOutOfProcesses == true { exhausted.append(guest) }
      if guest.runsExecutable { programs[guest.name] = process } else { others.insert(process) }
    }
    guard !programs.isEmpty else {
      timer?.stop()
      return
    }
    for guest in exhausted { end(guest, .processLimit(limits.processes)) }
    threadsBefore = threads
    nextLook = loop.now + Self.interval * UInt64(1 + programs.count / 50)
    count(ProcessCensus(programs: programs, childless: others, memoryLimit: memoryLimit))
  }

  private func count(_ census: ProcessCensus) {
    isLooking = true
    loop.work(
      { census.run() },
      then: { [weak self] extents in
        guard let self, timer?.isClosing == false else { return }
        isLooking = false
        for (name, extent) in extents where census.programs[name] == process(of: name) {
          judge(name, extent)
        }
      })
  }

  private func process(of name: String) -> Int32? { registry[name]?.process.handle?.pid }

  private func judge(_ name: String, _ extent: ProcessCensus.Extent) {
    guard let guest = registry[name], guest.isRunning else { return }
    if extent.threads > limits.processes {
      end(guest, .processLimit(limits.processes))
    } else if extent.resident > memoryLimit {
      end(guest, .memoryLimit(mebibytes: memoryLimit >> 20))
    }
  }

  /// The number of threads of all processes on the machine; 0 if unknown. It comes from the fourth
  /// field of proc_loadavg(5).
  private static var threadsOfMachine: Int {
    let descriptor = open("/proc/loadavg", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = read(descriptor, &bytes, bytes.count)
    let fields = String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: " ")
    guard fields.count > 3 else { return 0 }
    return fields[3].split(separator: "/").last.flatMap { Int($0) } ?? 0
  }
}

// MARK: - Counting

/// Counts the threads and the memory of programs. The count can run on any thread.
struct ProcessCensus: Sendable {
  /// The process id of each program's first process, keyed by guest name. Only programs in their own PID namespace are
  /// counted.
  let programs: [String: Int32]
  /// The process ids of guests that cannot start processes. The count does not search for their children.
  let childless: Set<Int32>
  /// The memory limit of a program, in bytes. If the resident sizes of the program's processes add up to more, their
  /// proportional set sizes are added up instead, because resident sizes count shared memory once for each process.
  let memoryLimit: Int

  /// The number of threads and the memory of a program with all of its processes.
  struct Extent: Sendable, Equatable {
    var threads = 0
    /// The memory in bytes: the sum of the processes' resident sizes. If this sum exceeds
    /// ``ProcessCensus/memoryLimit``, the sum of their proportional set sizes.
    var resident = 0
  }

  /// Counts the threads and the memory of the processes in each program's PID namespace. The result omits programs
  /// that have exited or have no namespace of their own.
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
    for (threads, _, resident) in processes.map(\.extent) {
      sum.threads += threads
      sum.resident += resident
    }
    // Resident sizes count shared memory once for each process, so they overestimate the total.
    if sum.resident > memoryLimit { sum.resident = processes.map(\.proportion).reduce(0, +) }
    return sum
  }
}
