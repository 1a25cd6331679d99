internal import Diagnostics
internal import EventLoop
internal import class EventLoop.Timer
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
  private let watch: FleetWatch
  private var timer: Timer?
  private let identityCount: Int
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
    version: String, watch: FleetWatch
  ) throws(RunError) {
    self.test = test
    self.version = version
    self.watch = watch
    latency = prepared.scenario.links.latency
    loop = try FleetLoop.make()
    files = FleetFiles(folder)
    let identities = try LinkIdentity.all(
      count + 1, of: prepared.scenario.name, at: machineTime)
    identityCount = identities.count
    try files.write(identities)
    link = try FleetLink(
      FleetFiles.link(of: settings.programs), as: identities[0], listeningAt: target.listening,
      on: loop)
    let place = [
      "--fleet", folder, "--coordinator", "\(address):\(link.port ?? 0)", "--listen",
      target.listening,
    ]
    processes = try HostProcesses(
      target.commands(for: count, command + place), log: files.log, on: loop)
    for (index, _) in prepared.deviceNames.enumerated() {
      hosts[index % count + 1, default: Host()].devices.append(index)
    }
    for number in 1...count where hosts[number] == nil { hosts[number] = Host() }
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

  /// Waits until all hosts have come.
  private func gather() throws(RunError) {
    while hosts.values.contains(where: \.address.isEmpty) {
      try link.wait { [link, processes] in link.hasEvents || processes.haveEnded }
      guard link.hasEvents else { throw noHosts }
      guard case .message(.greeting(let address, let version), let number) = try link.next()
      else { continue }
      guard version == self.version else {
        throw RunError(
          .command, "host \(number) is Sluice \(version), and this is \(self.version)",
          rule: "fleet")
      }
      hosts[number]?.address = address
      link.reach(number, at: address)
    }
  }

  private var noHosts: RunError {
    let how = Set(processes.ends).sorted().joined(separator: ", ")
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
    let left = hosts.keys.sorted()
    guard !left.isEmpty else { throw noHosts }
    for (index, device) in moved.enumerated() {
      hosts[left[index % left.count]]?.devices.append(device)
    }
    for number in lost {
      watch.tell("host \(number) is lost; \(moved.count) devices come up again on the others")
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
    var lost: [Int] = []
    while hosts.contains(where: { $0.value.pause == nil && !lost.contains($0.key) }) {
      switch try link.next() {
      case .message(.pause(let pause), let number): take(pause, from: number, &lost)
      case .lost(let number, _) where hosts[number] != nil && !lost.contains(number):
        lost.append(number)
      default: continue
      }
    }
    guard !lost.isEmpty else { return }
    try replace(lost)
    try place(until: until)
  }

  private func take(_ pause: FleetMessage.Pause, from number: Int, _ lost: inout [Int]) {
    problems += pause.problems
    if pause.isClosed, hosts[number]?.isLeaving == true { return lost.append(number) }
    hosts[number]?.pause = pause
    // Who is lost to one is lost to all: what they would have sent to each other has a gap.
    for peer in pause.lost where hosts[peer]?.isLeaving == false && !lost.contains(peer) {
      hosts[peer]?.isLeaving = true
      hosts[peer]?.pause = nil
      link.send(.closing, to: peer)
    }
  }

  // MARK: end

  private func close() throws(RunError) {
    for number in hosts.keys { hosts[number]?.pause = nil }
    for number in hosts.keys.sorted() { link.send(.closing, to: number) }
    while hosts.values.contains(where: { $0.pause == nil }) {
      switch try link.next() {
      case .message(.pause(let pause), let number):
        hosts[number]?.pause = pause
        problems += pause.problems
      case .lost(let number, let reason):
        guard hosts[number] != nil, hosts[number]?.pause?.isClosed != true else { continue }
        hosts[number] = nil
        problems.append("host \(number) was lost when its devices went down: \(reason)")
      default: continue
      }
    }
    link.close()
    processes.wait()
    files.remove()
  }
}
