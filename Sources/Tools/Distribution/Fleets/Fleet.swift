package import class EventLoop.Timer
package import EventLoop
internal import Foundation
internal import Model
internal import Output
package import Scenario
package import Simulation

/// The coordinator of a fleet. It places a case's devices on hosts, and synchronises their
/// progress.
///
/// Hosts advance in time windows. The latency between devices exceeds a window, so a message sent
/// in a window cannot arrive in the same window. The order of all events is therefore independent
/// of the placement.
package final class Fleet {
  private let test: Case
  private let latency: Int
  private let loop: EventLoop
  private let link: FleetLink
  private let files: FleetFiles
  private let processes: HostProcesses
  private let version: String
  private let machineTime = Int(Date().timeIntervalSince1970)
  private var hosts: [Int: Host] = [:]
  /// The time up to which all devices may advance.
  private var until = Int.min
  private var problems: [String] = []
  /// The time for which this process has run, without its pauses. Timeouts for hosts' messages are measured by it.
  private var runningTime: RunningTime
  /// The time of each host's last message, in milliseconds of ``runningTime``.
  private var lastWords: [Int: UInt64] = [:]
  private let watch: FleetWatch
  private var timer: Timer?
  private let identityCount: Int
  private let deviceCount: Int
  private var windows = 0

  private struct Host {
    var address = ""
    var devices: [Int] = []
    /// The host's answer to the last order; nil while the host executes the order.
    var pause: FleetMessage.Pause?
    var isLeaving = false
  }

  /// Starts the hosts of a case. They connect in ``run()``.
  ///
  /// - Parameters:
  ///   - folder: The new folder of the case, which all hosts share.
  ///   - address: The address at which hosts reach this machine.
  ///   - command: The command that starts a host, without the options for its ``FleetPlace``.
  /// - Throws: ``RunError`` if the link or a host cannot be started, or a file cannot be written.
  package init(
    _ test: Case, of prepared: PreparedScenario, _ settings: RunSettings, folder: String,
    on target: FleetTarget, hosts count: Int, reachedAt address: String, by command: [String],
    version: String, watch: FleetWatch, on loop: EventLoop
  ) throws(RunError) {
    self.test = test
    self.version = version
    self.watch = watch
    latency = prepared.scenario.links.latency
    self.loop = loop
    runningTime = RunningTime(from: loop.now)
    files = FleetFiles(folder)
    let identities = try LinkIdentity.all(
      count + 1, of: prepared.scenario.name, at: machineTime)
    identityCount = identities.count
    link = try FleetLink(
      FleetFiles.link(of: settings.programs), as: identities[0], listeningAt: target.listening,
      on: loop)
    try files.write(identities)
    let place = [
      "--fleet", folder, "--coordinator", "\(address):\(link.port ?? 0)", "--listen",
      target.listening,
    ]
    do throws(RunError) {
      processes = try HostProcesses(
        target.commands(for: count, command + place), log: files.log, on: loop)
    } catch {
      files.forgetIdentities(identityCount)
      throw error
    }
    deviceCount = prepared.deviceNames.count
    for number in 1...count { hosts[number] = Host() }
  }

  /// Runs the case on the hosts.
  ///
  /// - Returns: Problems on hosts, as one sentence each.
  /// - Throws: ``RunError`` if no host is left, a host runs another version, or the run is interrupted.
  package func run() throws(RunError) -> [String] {
    timer = try? Timer(on: loop) { [unowned self] in poll() }
    timer?.start(after: 0, every: 500)
    defer {
      timer?.close()
      watch.show("")
    }
    do throws(RunError) {
      try gather()
      deal(Array(0..<deviceCount))
      try place(until: until)
      while let next = nextTime {
        until = next + latency - 1
        windows += 1
        try runWindow()
      }
      try close()
    } catch {
      processes.end()
      files.forgetIdentities(identityCount)
      throw error
    }
    return problems
  }

  private func poll() {
    if watch.isInterrupted() { link.isInterrupted = true }
    let missing = hosts.values.count(where: \.address.isEmpty)
    watch.show(
      missing > 0
        ? "\(missing) of \(hosts.count) hosts have not connected"
        : "\(hosts.count) hosts, \(test.name), \(Timestamp.text(until)), \(windows) windows")
  }

  private var now: UInt64 { runningTime.read(at: loop.now) }

  // MARK: Hosts

  /// Waits for all hosts to connect. The timeout starts when the first host has connected.
  private func gather() throws(RunError) {
    var deadline: UInt64?
    while hosts.values.contains(where: \.address.isEmpty) {
      try link.wait { [link] in link.hasEvents || !missing(by: deadline).isEmpty }
      guard link.hasEvents else {
        for number in missing(by: deadline) {
          hosts[number] = nil
          watch.report("host \(number) did not connect")
        }
        guard !hosts.isEmpty else { throw noHosts }
        continue
      }
      guard case .message(.greeting(let address, let version), let number) = try link.next() else {
        continue
      }
      try greet(number, at: address, version)
      deadline = deadline ?? now + Self.patience
    }
  }

  /// Returns the hosts that have not connected and can no longer connect.
  private func missing(by deadline: UInt64?) -> [Int] {
    let isOver = processes.haveEnded || deadline.map { now > $0 } ?? false
    return hosts.filter { $0.value.address.isEmpty }.keys.sorted().filter {
      isOver || link.lost.contains($0) || processes.hasEnded($0)
    }
  }

  /// The connection timeout in milliseconds, which starts when the first host has connected.
  private static let patience: UInt64 = 60_000

  private func greet(_ number: Int, at address: String, _ version: String) throws(RunError) {
    guard version == self.version else {
      throw RunError(
        .command, "host \(number) runs Sluice \(version), but the coordinator runs \(self.version)",
        rule: "fleet")
    }
    hosts[number]?.address = address
    link.reach(number, at: address)
  }

  /// Assigns devices to hosts in round-robin order.
  private func deal(_ devices: [Int]) {
    let numbers = hosts.keys.sorted()
    for (index, device) in devices.enumerated() {
      hosts[numbers[index % numbers.count]]?.devices.append(device)
    }
  }

  private var noHosts: RunError {
    let how = Set(processes.ends.values).sorted().joined(separator: ", ")
    let words = files.lastWords.map { ": \($0)" } ?? ""
    return RunError(.command, "all hosts have ended \(how)\(words)", rule: "fleet")
  }

  /// Announces the placement, and waits until the devices have started.
  private func place(until time: Int) throws(RunError) {
    let placement = FleetMessage.Placement(
      hosts: hosts.sorted { $0.key < $1.key }.map { number, host in
        FleetMessage.Placement.Host(
          number: number, address: host.address, devices: host.devices)
      }, machineTime: machineTime, until: time)
    try order { _ in .placement(placement) }
  }

  /// Assigns the devices of lost hosts to the remaining hosts.
  private func replace(_ lost: [Int]) throws(RunError) {
    let moved = lost.flatMap { hosts.removeValue(forKey: $0)?.devices ?? [] }.sorted()
    guard !hosts.isEmpty else { throw noHosts }
    deal(moved)
    for number in lost {
      let devices =
        moved.count == 1
        ? "1 device restarts on another host"
        : "\(moved.count) devices restart on the other hosts"
      watch.report("host \(number) is lost; \(devices)")
    }
  }

  // MARK: Time windows

  /// The earliest time at which a device resumes or a message arrives; nil if all devices have completed
  /// their steps.
  private var nextTime: Int? {
    let pauses = hosts.values.compactMap(\.pause)
    guard pauses.contains(where: { $0.next != nil }) else { return nil }
    return pauses.flatMap { [$0.next, $0.earliestArrival] }.compactMap(\.self).min()
  }

  /// Lets all devices advance to the end of the window.
  private func runWindow() throws(RunError) {
    let pauses = hosts.mapValues(\.pause)
    let until = until
    try order { host in
      .window(
        until: until,
        expected: pauses.compactMapValues { $0?.sent[host] }.filter { $0.key != host })
    }
  }

  /// Sends each host an order, and waits until all hosts have completed it.
  ///
  /// If hosts are lost meanwhile, their devices restart on other hosts and catch up.
  private func order(_ order: (_ host: Int) -> FleetMessage) throws(RunError) {
    for number in hosts.keys.sorted() {
      hosts[number]?.pause = nil
      link.send(order(number), to: number)
    }
    try awaitPauses()
  }

  private func awaitPauses() throws(RunError) {
    var gone = try awaitAnswers { [unowned self] in separate($0.lost) }
    gone.formUnion(hosts.keys.filter(link.lost.contains))
    guard !gone.isEmpty else { return }
    try replace(gone.sorted())
    try place(until: until)
  }

  /// Waits until each host has answered the last order, is lost, or has timed out.
  ///
  /// - Parameter body: Called with the answer of each host that does not leave.
  /// - Returns: The hosts that have left or timed out.
  private func awaitAnswers(
    _ body: (FleetMessage.Pause) -> Void = { _ in }
  ) throws(RunError) -> Set<Int> {
    var gone: Set<Int> = []
    for number in hosts.keys { lastWords[number] = now }
    while true {
      // Messages from a host that has since been lost were received before the loss.
      while link.hasEvents {
        guard case .message(let message, let number) = try link.next() else { continue }
        lastWords[number] = now
        guard case .pause(let pause) = message else { continue }
        problems += pause.problems
        hosts[number]?.pause = pause
        if pause.isClosed { gone.insert(number) } else { body(pause) }
      }
      guard let open = waitingFor(besides: gone) else { return gone }
      try link.wait { [link] in link.hasEvents || isSilent(open) }
      for number in open where isSilent([number]) {
        processes.kill(number)
        gone.insert(number)
      }
    }
  }

  /// Returns the hosts that still have to answer the last order, without lost hosts and the hosts in `gone`; nil if
  /// there are none.
  private func waitingFor(besides gone: Set<Int>) -> [Int]? {
    let open = hosts.filter {
      $0.value.pause == nil && !link.lost.contains($0.key) && !gone.contains($0.key)
    }.keys.sorted()
    return open.isEmpty ? nil : open
  }

  /// Returns whether any of the hosts has timed out.
  private func isSilent(_ numbers: [Int]) -> Bool {
    let now = now
    return numbers.contains { lastWords[$0].map { now > $0 + Self.silence } ?? false }
  }

  /// The timeout in milliseconds after which a silent host is considered lost. It exceeds the
  /// duration of any step.
  private static let silence: UInt64 = 150_000

  /// Orders hosts to leave, because their connection to another host is lost. Messages between them and that host are
  /// missing.
  private func separate(_ numbers: [Int]) {
    for number in numbers where hosts[number]?.isLeaving == false && !link.lost.contains(number) {
      hosts[number]?.isLeaving = true
      hosts[number]?.pause = nil
      link.send(.closing(.lost), to: number)
    }
  }

  // MARK: Shutdown

  private func close() throws(RunError) {
    for number in hosts.keys.sorted() {
      hosts[number]?.pause = nil
      link.send(.closing(.down), to: number)
    }
    _ = try awaitAnswers()
    for (number, host) in hosts.sorted(by: { $0.key < $1.key }) where host.pause == nil {
      watch.report("host \(number) was lost while its devices shut down")
    }
    link.close()
    processes.end(after: HostProcesses.patience)
    files.remove()
  }
}

// MARK: - Fleet platform

/// The platform on which a fleet's hosts run.
package enum FleetTarget: String, Sendable, CaseIterable {
  /// Processes on this machine.
  case local
  /// Slurm tasks started by srun.
  case slurm

  /// Returns the commands that start the hosts 1 to `count`.
  ///
  /// - Parameter host: The command for one host. The host's number is appended for local hosts; srun supplies it
  ///   itself.
  fileprivate func commands(for count: Int, _ host: [String]) -> [[String]] {
    switch self {
    case .local: (1...count).map { host + ["--number", "\($0)"] }
    // The end of one task must not end the others.
    case .slurm:
      [
        [
          "/usr/bin/env", "srun", "--ntasks=\(count)", "--no-kill", "--kill-on-bad-exit=0",
          "--wait=0", "--job-name=sluice", "--input=none",
        ] + host
      ]
    }
  }

  /// The address on which links listen.
  package var listening: String {
    switch self {
    case .local: "127.0.0.1"
    case .slurm: "0.0.0.0"
    }
  }
}

/// The coordinator's callbacks while it waits.
package struct FleetWatch {
  /// Replaces the status line. An empty text removes it.
  let show: (String) -> Void
  /// Prints a message.
  let report: (String) -> Void
  /// Whether the user has requested the end of the run.
  let isInterrupted: () -> Bool

  package init(
    show: @escaping (String) -> Void, report: @escaping (String) -> Void,
    isInterrupted: @escaping () -> Bool
  ) {
    self.show = show
    self.report = report
    self.isInterrupted = isInterrupted
  }
}

/// The processes that the coordinator has started as a fleet's hosts.
private final class HostProcesses {
  private let loop: EventLoop
  private var processes: [ChildProcess] = []
  /// The exit reasons of ended processes as text, keyed by command number from 1.
  private(set) var ends: [Int: String] = [:]

  /// Starts a process for each command.
  ///
  /// - Parameter log: The path of the file for the processes' output.
  /// - Throws: ``RunError`` if a process does not start. The started processes are then ended.
  init(_ commands: [[String]], log: String, on loop: EventLoop) throws(RunError) {
    self.loop = loop
    let output = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw RunError(unwritable: log, errno) }
    defer { Foundation.close(output) }
    for command in commands {
      do throws(EventLoopError) {
        try start(command, as: processes.count + 1, output)
      } catch {
        end()
        throw RunError(.command, "\(command[0]): \(error)", rule: "fleet")
      }
    }
  }

  private func start(
    _ command: [String], as number: Int, _ output: Int32
  ) throws(EventLoopError) {
    let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }.sorted()
    processes.append(
      try ChildProcess(
        ChildProcess.Specification(
          .executable(command[0]), arguments: command, environment: environment,
          directory: FileManager.default.currentDirectoryPath,
          descriptors: [.null, .inherited(output), .inherited(output)]), on: loop
      ) { [weak self] exit in self?.ends[number] = Self.text(exit) })
  }

  private static func text(_ exit: ChildProcess.Exit) -> String {
    switch exit {
    case .status(let status): "with status \(status)"
    case .signal(let signal): "by signal \(signal)"
    }
  }

  /// Returns whether the process of a host has exited; false if there is only one process, because that may be
  /// `srun`, which starts all hosts.
  func hasEnded(_ host: Int) -> Bool { processes.count > 1 && ends[host] != nil }

  var haveEnded: Bool { ends.count == processes.count }

  /// Kills a host immediately. Does nothing if there is only one process, because that may be `srun`.
  func kill(_ number: Int) {
    guard processes.indices.contains(number - 1), processes.count > 1 else { return }
    processes[number - 1].signalGroup(SIGKILL)
  }

  /// Ends the remaining processes.
  ///
  /// - Parameter patience: The time before they receive SIGTERM, in milliseconds.
  func end(after patience: UInt64 = 0) {
    let timers = [(patience, SIGTERM), (patience + Self.patience, SIGKILL)].map { time, signal in
      let timer = try? Timer(on: loop) { [unowned self] in
        for process in processes { process.signalGroup(signal) }
      }
      timer?.start(after: time)
      return timer
    }
    loop.run { haveEnded }
    for timer in timers { timer?.close() }
    for process in processes { process.close() }
  }

  /// The time between SIGTERM and SIGKILL, in milliseconds.
  static let patience: UInt64 = 10_000
}
