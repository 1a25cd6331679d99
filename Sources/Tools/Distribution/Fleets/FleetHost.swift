package import EventLoop
internal import Output
package import Scenario
package import Simulation

/// A host of a fleet. It runs some of the case's devices, according to the coordinator's orders.
package final class FleetHost {
  private let number: Int
  private let version: String
  private let link: FleetLink
  private let makeDevices: (_ machineTime: Int) -> HostedDevices
  /// The devices that run on this host; nil before the first placement.
  private var devices: HostedDevices?
  /// The devices that run on this host, as indices in the scenario.
  private var own: Set<Int> = []
  /// The number of each device's host, keyed by device name.
  private var hosts: [String: Int] = [:]
  private var peers: [Int] = []
  private let names: [String]
  private var problems: [String] = []
  /// The earliest arrival time among the messages that this host has sent since its last `pause` report; nil if there
  /// are none.
  private var earliestArrival: Int?
  /// Messages from this host to devices on other hosts, with an arrival time that has not passed. If a receiving device
  /// moves to another host, the messages to it are sent again.
  private var onTheWay: [InFlightMessage] = []
  /// Other hosts' writes to cloud storage with an arrival time that has not passed, each with its sender. If a sender
  /// is lost, this host sends the sender's writes to all hosts, because the sender might not have reached all of them.
  private var saved: [(inFlight: InFlightMessage, peer: Int)] = []
  private var isClosed = false
  /// The time of the last report to the coordinator.
  private var lastWord = ContinuousClock.now

  private static let coordinator = 0

  /// Connects a host to its coordinator.
  ///
  /// - Parameters:
  ///   - version: The program version, which must be the same as the coordinator's.
  ///   - loop: The loop for messages from other processes. Only this host may run it.
  /// - Throws: ``RunError`` if the link does not start or the folder has no identity for this host.
  package init(
    _ place: FleetPlace, _ test: Case, of prepared: PreparedScenario, _ settings: RunSettings,
    version: String, on loop: EventLoop
  ) throws(RunError) {
    number = place.number
    self.version = version
    names = prepared.deviceNames
    makeDevices = { machineTime in
      HostedDevices(test, of: prepared, settings, folder: place.folder, machineTime: machineTime)
    }
    link = try FleetLink(
      FleetFiles.link(of: settings.programs),
      as: FleetFiles(place.folder).identity(of: place.number), listeningAt: place.listening,
      on: loop)
    link.reach(Self.coordinator, at: place.coordinator)
  }

  /// Executes orders until the coordinator ends the case.
  ///
  /// - Throws: ``RunError`` if the link ends or the coordinator is lost.
  package func run() throws(RunError) {
    defer { if !isClosed { devices?.abandon() } }
    while !isClosed {
      switch try link.next() {
      case .reached(let peer, let address):
        guard peer == Self.coordinator else { continue }
        link.send(.greeting(address: address, version: version), to: peer)
      case .lost(let peer, let reason):
        guard peer == Self.coordinator else { continue }
        throw RunError(.command, "the coordinator is lost: \(reason)", rule: "fleet")
      case .message(let message, let peer): try receive(message, from: peer)
      }
    }
    link.close()
  }

  private func receive(_ message: FleetMessage, from peer: Int) throws(RunError) {
    if case .inFlight(let inFlight) = message { return receive(inFlight, from: peer) }
    guard peer == Self.coordinator else { return }
    switch message {
    case .placement(let placement): receive(placement)
    case .window(let until, let expected): try proceed(until: until, expecting: expected)
    case .closing(.down):
      problems += devices?.close() ?? []
      isClosed = true
      pause()
    case .closing(.lost):
      devices?.abandon()
      isClosed = true
      pause()
    case .greeting, .pause, .inFlight, .working: return
    }
  }

  // MARK: Orders

  private func receive(_ placement: FleetMessage.Placement) {
    let devices = self.devices ?? makeDevices(placement.machineTime)
    self.devices = devices
    devices.forward = { [unowned self] in forward($0) }
    devices.onStep = { [unowned self] in tellOfWork() }
    for host in placement.hosts where host.number != number && !peers.contains(host.number) {
      link.reach(host.number, at: host.address)
    }
    peers = placement.hosts.map(\.number).filter { $0 != number }
    let before = hosts
    for host in placement.hosts {
      for device in host.devices { hosts[names[device]] = host.number }
    }
    let mine = placement.hosts.first { $0.number == number }?.devices ?? []
    let new = mine.filter { own.insert($0).inserted }
    do throws(RunError) {
      try devices.bringUp(new)
      sendAgain(movedFrom: before)
      devices.proceed(until: placement.until)
    } catch {
      problems.append(error.reason)
    }
    pause()
  }

  private func proceed(until time: Int, expecting expected: [Int: Int]) throws(RunError) {
    try link.wait { [link] in
      link.lost.contains(Self.coordinator)
        || expected.allSatisfy { link.received[$0, default: 0] >= $1 || link.lost.contains($0) }
    }
    for (inFlight, peer) in link.takeMessages() { receive(inFlight, from: peer) }
    // If a host is lost, the coordinator decides how to continue.
    guard expected.allSatisfy({ link.received[$0, default: 0] >= $1 }) else { return pause() }
    onTheWay.removeAll { $0.time <= time }
    saved.removeAll { $0.inFlight.time <= time }
    devices?.proceed(until: time)
    pause()
  }

  /// Reports to the coordinator that this host is working, at most every 5 seconds.
  private func tellOfWork() {
    let now = ContinuousClock.now
    guard now - lastWord > .seconds(5) else { return }
    lastWord = now
    link.send(.working, to: Self.coordinator)
  }

  private func pause() {
    lastWord = .now
    let pause = FleetMessage.Pause(
      next: devices?.nextTime, earliestArrival: earliestArrival, sent: link.sent,
      lost: link.lost.sorted(), problems: problems, isClosed: isClosed)
    problems = []
    earliestArrival = nil
    link.send(.pause(pause), to: Self.coordinator)
  }

  // MARK: Messages in flight

  private func receive(_ inFlight: InFlightMessage, from peer: Int) {
    if case .storage = inFlight.place { saved.append((inFlight, peer)) }
    devices?.accept(inFlight)
  }

  private func forward(_ inFlight: InFlightMessage) {
    earliestArrival = min(earliestArrival ?? inFlight.time, inFlight.time)
    switch inFlight.place {
    case .storage: for peer in peers { link.send(.inFlight(inFlight), to: peer) }
    case .device(let name):
      guard let host = hosts[name] else { return }
      onTheWay.append(inFlight)
      link.send(.inFlight(inFlight), to: host)
    }
  }

  /// Sends messages in flight again if the host of the receiving device differs from `before`. Also sends a lost host's
  /// storage writes to all hosts, because the lost host may have sent them to only some hosts.
  private func sendAgain(movedFrom before: [String: Int]) {
    for (inFlight, peer) in saved where !peers.contains(peer) {
      for peer in peers { link.send(.inFlight(inFlight), to: peer) }
    }
    saved.removeAll { !peers.contains($0.peer) }
    for inFlight in onTheWay {
      guard case .device(let name) = inFlight.place, let host = hosts[name], before[name] != host
      else { continue }
      earliestArrival = min(earliestArrival ?? inFlight.time, inFlight.time)
      if host == number {
        devices?.accept(inFlight)
      } else {
        link.send(.inFlight(inFlight), to: host)
      }
    }
  }
}

// MARK: - Host parameters

/// The information that a host needs to join a fleet.
package struct FleetPlace: Sendable {
  /// The host's number, from 1.
  package var number: Int
  /// The case's folder, which all hosts share.
  package var folder: String
  /// The address of the coordinator's link, such as `login1:40123`.
  package var coordinator: String
  /// The listening address of the host's own link, such as `127.0.0.1`.
  package var listening: String

  package init(number: Int, folder: String, coordinator: String, listening: String) {
    self.number = number
    self.folder = folder
    self.coordinator = coordinator
    self.listening = listening
  }
}
