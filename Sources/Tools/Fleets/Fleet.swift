internal import Diagnostics
package import EventLoop
package import class EventLoop.Timer
internal import Foundation
internal import Model
package import Scenario
package import Simulation

/// The coordinator of a fleet: it places the devices of a case on hosts, and lets them go on together.
///
/// Hosts go on in windows of time. In none can anything arrive that was sent in it, because what passes between devices takes
/// longer than the window: so the order of all events is the same wherever the devices are.
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
  /// The time until which all devices may have gone on.
  private var until = Int.min
  private var problems: [String] = []
  /// When each host was heard last.
  private var lastWords: [Int: ContinuousClock.Instant] = [:]
  private let watch: FleetWatch
  private var timer: Timer?
  private let identityCount: Int
  private let deviceCount: Int
  /// The number of windows.
  private var windows = 0

  /// A host that takes part.
  private struct Host {
    var address = ""
    var devices: [Int] = []
    /// What it said when it paused last; nil while it goes on.
    var pause: FleetMessage.Pause?
    /// Whether it has been asked to leave.
    var isLeaving = false
  }

  /// Starts the hosts of a case, and waits until all have come.
  ///
  /// - Parameters:
  ///   - folder: the folder of the case, new, that all hosts share.
  ///   - address: the address by which hosts reach this machine.
  ///   - command: what starts a host, but for its place.
  /// - Throws: ``RunError`` where not all come.
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

  /// Carries the case out.
  ///
  /// - Returns: what went wrong on hosts, a sentence each.
  /// - Throws: ``RunError`` where no host is left.
  package func run() throws(RunError) -> [String] {
    timer = try? Timer(on: loop) { [unowned self] in look() }
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
        try goOn()
      }
      try close()
    } catch {
      processes.end()
      files.forgetIdentities(identityCount)
      throw error
    }
    return problems
  }

  /// Looks whether the fleet is to end, and shows how far it is.
  private func look() {
    if watch.isInterrupted() { link.isInterrupted = true }
    let missing = hosts.values.count(where: \.address.isEmpty)
    watch.show(
      missing > 0
        ? "\(missing) of \(hosts.count) hosts have not come"
        : "\(hosts.count) hosts, \(test.name), \(Timestamp.text(until)), \(windows) windows")
  }

  // MARK: hosts

  /// Waits until all hosts have come. Of those that do not come soon after the first, none is waited for.
  private func gather() throws(RunError) {
    var deadline: ContinuousClock.Instant?
    while hosts.values.contains(where: \.address.isEmpty) {
      try link.wait { [link] in link.hasEvents || !missing(by: deadline).isEmpty }
      guard link.hasEvents else {
        for number in missing(by: deadline) {
          hosts[number] = nil
          watch.tell("host \(number) does not come")
        }
        guard !hosts.isEmpty else { throw noHosts }
        continue
      }
      guard case .message(.greeting(let address, let version), let number) = try link.next() else {
        continue
      }
      try greet(number, at: address, version)
      deadline = deadline ?? .now + Self.patience
    }
  }

  /// The hosts that have not come, and will not.
  private func missing(by deadline: ContinuousClock.Instant?) -> [Int] {
    let isOver = processes.haveEnded || deadline.map { .now > $0 } ?? false
    return hosts.filter { $0.value.address.isEmpty }.keys.sorted().filter {
      isOver || link.lost.contains($0) || processes.hasEnded($0)
    }
  }

  /// The time that hosts have to come once the first has.
  private static let patience = Duration.seconds(60)

  private func greet(_ number: Int, at address: String, _ version: String) throws(RunError) {
    guard version == self.version else {
      throw RunError(
        .command, "host \(number) is Sluice \(version), and this is \(self.version)",
        rule: "fleet")
    }
    hosts[number]?.address = address
    link.reach(number, at: address)
  }

  /// Gives devices to hosts, to one after the other.
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

  /// Says who has which devices, and waits until they are up there.
  private func place(until time: Int) throws(RunError) {
    let placement = FleetMessage.Placement(
      hosts: hosts.sorted { $0.key < $1.key }.map { number, host in
        FleetMessage.Placement.Host(
          number: number, address: host.address, devices: host.devices)
      }, machineTime: machineTime, until: time)
    try order { _ in .placement(placement) }
  }

  /// Gives the devices of lost hosts to those that are left.
  private func replace(_ lost: [Int]) throws(RunError) {
    let moved = lost.flatMap { hosts.removeValue(forKey: $0)?.devices ?? [] }.sorted()
    guard !hosts.isEmpty else { throw noHosts }
    deal(moved)
    for number in lost {
      let devices =
        moved.count == 1
        ? "1 device comes up again on another"
        : "\(moved.count) devices come up again on the others"
      watch.tell("host \(number) is lost; \(devices)")
    }
  }

  // MARK: windows

  /// The earliest time at which a device goes on, or something arrives; nil: all have carried out their steps.
  private var nextTime: Int? {
    let pauses = hosts.values.compactMap(\.pause)
    guard pauses.contains(where: { $0.next != nil }) else { return nil }
    return pauses.flatMap { [$0.next, $0.earliestArrival] }.compactMap(\.self).min()
  }

  /// Lets all devices go on until the time that they may.
  private func goOn() throws(RunError) {
    let pauses = hosts.mapValues(\.pause)
    let until = until
    try order { host in
      .window(
        until: until,
        expected: pauses.compactMapValues { $0?.sent[host] }.filter { $0.key != host })
    }
  }

  /// Gives each host an order, and waits until all have carried it out. Devices of hosts that are lost meanwhile come up again on
  /// others, and carry out what is due by then.
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

  /// Waits until all hosts have answered that are not lost.
  ///
  /// - Parameter body: called with the answers of those that stay.
  /// - Returns: the hosts that have left, or of which nothing was heard for long.
  private func awaitAnswers(
    _ body: (FleetMessage.Pause) -> Void = { _ in }
  ) throws(RunError) -> Set<Int> {
    var gone: Set<Int> = []
    for number in hosts.keys { lastWords[number] = .now }
    while true {
      // What has come from a host that is lost came before that.
      while link.hasEvents {
        guard case .message(let message, let number) = try link.next() else { continue }
        lastWords[number] = .now
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

  /// The hosts that have not paused and are not lost; nil: there are none.
  private func waitingFor(besides gone: Set<Int>) -> [Int]? {
    let open = hosts.filter {
      $0.value.pause == nil && !link.lost.contains($0.key) && !gone.contains($0.key)
    }.keys.sorted()
    return open.isEmpty ? nil : open
  }

  /// Whether nothing was heard for long of one of the hosts.
  private func isSilent(_ numbers: [Int]) -> Bool {
    numbers.contains { lastWords[$0].map { .now - $0 > Self.silence } ?? false }
  }

  /// The time after which a host of which nothing is heard is lost: more than any step takes.
  private static let silence = Duration.seconds(150)

  /// Has hosts leave that one of the others has lost: between the two, messages are missing.
  private func separate(_ numbers: [Int]) {
    for number in numbers where hosts[number]?.isLeaving == false && !link.lost.contains(number) {
      hosts[number]?.isLeaving = true
      hosts[number]?.pause = nil
      link.send(.closing(.lost), to: number)
    }
  }

  // MARK: end

  private func close() throws(RunError) {
    for number in hosts.keys.sorted() {
      hosts[number]?.pause = nil
      link.send(.closing(.down), to: number)
    }
    _ = try awaitAnswers()
    for (number, host) in hosts.sorted(by: { $0.key < $1.key }) where host.pause == nil {
      watch.tell("host \(number) was lost when its devices went down")
    }
    link.close()
    processes.end(after: HostProcesses.patience)
    files.remove()
  }
}
