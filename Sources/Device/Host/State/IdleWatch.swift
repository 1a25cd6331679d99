internal import EventLoop
internal import Glibc

package struct IdleWatch {
  let registry: GuestRegistry
  let loop: EventLoop
  let servers: [RunningServer]
  let wipes: WipeCoordinator
  let enrollment: EnrollmentCoordinator
  let access: AccessController
  let faults: FaultInjector

  /// Whether the device is doing work other than handling requests: a wipe, a change of files' protection, an app's
  /// restart for its first policy, an identity switch that the SDK requires, or a fault.
  package var isBusy: Bool {
    wipes.isWiping || enrollment.isBusy || access.isAwaitingSwitch || faults.isBusy
  }

  /// The reason why the device is not idle, as a clause: a busy guest or server, or a pending operation. Nil if all
  /// running guests and servers are waiting and have nothing to read. A suspended guest is ignored once its messages
  /// have been processed.
  ///
  /// A sleeping program counts as waiting, even if it will wake up later.
  package var activity: String? { activity(among: awake(among: Array(registry.all)), servers) }

  /// Returns the ``activity`` of servers and of guests with a program or script of their own. Unlike ready-made guests,
  /// they can act without a scenario step.
  ///
  /// - Parameter ignored: The names of guests to ignore. If no other guest of this kind is running, servers are ignored
  ///   too, because the ignored guests may keep them busy.
  package func ownActivity(besides ignored: Set<String>) -> String? {
    let guests = awake(
      among: registry.all.filter { $0.app.program != .readyMade && !ignored.contains($0.name) })
    return activity(among: guests, guests.isEmpty && !ignored.isEmpty ? [] : servers)
  }

  /// Whether no guest or server is busy, and no message is in transit. Requests may still be pending if they wait for a
  /// certain time, or for a suspended guest to resume.
  package var isAtRest: Bool {
    !isBusy && currentActivity(among: awake(among: Array(registry.all)), servers) == nil
  }

  private func activity(among awake: [Guest], _ servers: [RunningServer]) -> String? {
    if faults.isBusy { return "a fault is active" }
    if isBusy { return "a wipe, an enrollment or a switch is in progress" }
    return awake.lazy.compactMap(\.pendingWork).first ?? currentActivity(among: awake, servers)
  }

  private func awake(among guests: [Guest]) -> [Guest] {
    guests.filter { $0.isRunning && ($0.state != .suspended || $0.connection?.remainder != nil) }
      .sorted { $0.name < $1.name }
  }

  /// Returns the guest or server that is busy or has data to read, as a clause; nil if there is none.
  private func currentActivity(among running: [Guest], _ servers: [RunningServer]) -> String? {
    guard !running.isEmpty || !servers.isEmpty else { return nil }
    if loop.isWorking { return "the device works" }
    let workers =
      running.map { Worker("`\($0.name)`", $0.process.handle?.pid) }
      + servers.map { Worker("the server `\($0.description.name)`", $0.pid) }
    var turns: [[Int: UInt64]] = []
    for worker in workers {
      guard let count = worker.idleTurns else { return "\(worker.name) works" }
      turns.append(count)
    }
    if let reader = running.first(where: { $0.connection?.isQuiet != true }) {
      return "`\(reader.name)` works"
    }
    if let server = servers.first(where: \.hasDataInTransit) {
      return "the server `\(server.description.name)` exchanges data"
    }
    // If no process was scheduled since the first check, no message has woken one.
    let worker = zip(workers, turns).first { $0.idleTurns != $1 }?.0
    return worker.map { "\($0.name) works" }
  }
}

private struct Worker {
  let name: String
  private let activity: ProcessActivity?

  init(_ name: String, _ process: Int32?) {
    self.name = name
    activity = process.map(ProcessActivity.init)
  }

  /// The ``ProcessActivity/idleTurns`` of the worker's process. A worker without a process counts as idle, so its value
  /// is empty.
  var idleTurns: [Int: UInt64]? { activity.map(\.idleTurns) ?? [:] }
}

extension Guest {
  /// The message or action that the device or the guest still waits for, as a clause; nil if there is none.
  fileprivate var pendingWork: String? {
    guard state == .ready, process.isWelcome, connection != nil, process.handle != nil else {
      return "`\(name)` has not finished starting or stopping"
    }
    if work != nil { return "`\(name)` has not completed its request" }
    if !mailbox.inFlight.isEmpty { return "`\(name)` has not acknowledged an item" }
    if mailbox.calls.values.contains(where: \.isAwaited) {
      return "`\(name)` has not answered a request from the device"
    }
    if mailbox.unansweredRequests > 0 || !mailbox.queued.isEmpty {
      return "a request of `\(name)` is not finished"
    }
    return nil
  }
}

extension GuestConnection {
  /// Whether no message is in transit in either direction.
  fileprivate var isQuiet: Bool {
    backlog == 0 && !isYielding && port.unreadBytes ?? 0 == 0 && port.untakenBytes ?? 0 == 0
  }
}

/// The activity of a process's threads (proc_pid_stat(5), proc_pid_schedstat(5)).
private struct ProcessActivity {
  private let folder: String

  init(of process: Int32) { folder = "/proc/\(process)/task" }

  /// The number of times that each thread has been scheduled, keyed by thread id. Nil if a thread is running, or waits
  /// for a processor or the disk. Also nil if the process no longer exists.
  ///
  /// If two readings at different times are equal, the process did not run between them.
  var idleTurns: [Int: UInt64]? {
    guard let directory = opendir(folder) else { return nil }
    defer { closedir(directory) }
    var turns: [Int: UInt64] = [:]
    while let entry = readdir(directory) {
      let thread = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let number = Int(thread) else { continue }
      turns[number] = self.turns(of: thread)
      if let state = state(of: thread), !Self.idle.contains(state) { return nil }
    }
    return turns
  }

  /// The states of idle threads: sleeping, stopped, or an idle kernel thread.
  private static let idle: Set<UInt8> = [
    UInt8(ascii: "S"), UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: "I"),
  ]

  /// Returns the state of a thread; nil if the thread no longer exists.
  private func state(of thread: String) -> UInt8? {
    let text = text(of: "\(thread)/stat")
    // The state follows the name, which is in parentheses and may contain parentheses.
    guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    return text.dropFirst(end + 2).first
  }

  /// Returns the number of times that a thread was scheduled; 0 if the kernel does not count, or the thread
  /// no longer exists.
  private func turns(of thread: String) -> UInt64 {
    let fields = text(of: "\(thread)/schedstat").split { $0 <= UInt8(ascii: " ") }
    return fields.count < 3 ? 0 : UInt64(String(decoding: fields[2], as: UTF8.self)) ?? 0
  }

  private func text(of file: String) -> ArraySlice<UInt8> {
    let descriptor = open("\(folder)/\(file)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    return bytes[..<max(0, count)]
  }
}
