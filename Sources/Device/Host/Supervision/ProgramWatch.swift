internal import EventLoop
internal import Glibc
internal import Model

/// The watch over what programs start: the system bounds each process, and this all processes of a program together.
///
/// While programs run, their processes are counted on another thread, again and again, and at once when the machine has many
/// more than before. A program that has too many, or too much memory in them, is ended alone.
final class ProgramWatch {
  private let limits: DeviceConfiguration.Limits
  private let registry: GuestRegistry
  private let loop: EventLoop
  private var timer: Timer?
  private var isLooking = false
  /// The earliest time for the next count, unless there are many more processes.
  private var nextLook: UInt64 = 0
  /// Number of threads on the machine at the last count.
  private var threadsBefore = 0
  /// Ends a guest that has taken more than it may.
  var end: (Guest, ExitCause) -> Void = { _, _ in }

  /// Time between two checks for whether a count is due, in milliseconds.
  private static let tick: UInt64 = 20
  /// Time between two counts of few programs, in milliseconds.
  private static let interval: UInt64 = 250

  /// Creates a watch, which begins with the first program.
  init(_ limits: DeviceConfiguration.Limits, registry: GuestRegistry, loop: EventLoop) {
    self.limits = limits
    self.registry = registry
    self.loop = loop
  }

  /// Watches what a guest that has started starts, until no program runs any more; nothing where it starts none.
  ///
  /// - Throws: ``EventLoopError`` where the system refuses a timer.
  func watch(_ guest: Guest) throws(EventLoopError) {
    guard guest.runsExecutable else { return }
    if timer == nil { timer = try Timer(on: loop) { [unowned self] in check() } }
    if timer?.isActive == false { timer?.start(after: Self.tick, every: Self.tick) }
  }

  /// Bytes of memory that a program may have, with all that it has started.
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

  /// Number of processes of the machine and of their further threads, the last number of the fourth field of
  /// proc_loadavg(5); 0 where the system does not tell.
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
