package import EventLoop
internal import Output
package import Scenario
package import Simulation

/// A host of a fleet: it has some of the devices of a case, and carries out what the coordinator orders.
package final class FleetHost {
  private let number: Int
  private let version: String
  private let link: FleetLink
  private let makeDevices: (_ machineTime: Int) -> HostedDevices
  /// The devices; nil until the coordinator says which.
  private var devices: HostedDevices?
  /// The devices that are up here, by their places among those of the scenario.
  private var own: Set<Int> = []
  /// The host of each device, by the device's name.
  private var hosts: [String: Int] = [:]
  private var peers: [Int] = []
  private let names: [String]
  private var problems: [String] = []
  /// When the first of the passages arrives that were sent since the last pause.
  private var earliestArrival: Int?
  /// The passages to other hosts that may not have arrived yet, for the case that a host is lost.
  private var onTheWay: [Passage] = []
  /// What others have saved to cloud storage that may not be there yet, for the same case.
  private var saved: [(passage: Passage, peer: Int)] = []
  private var isClosed = false
  /// When the coordinator was told something last.
  private var lastWord = ContinuousClock.now

  private static let coordinator = 0

  /// Connects a host with its coordinator.
  ///
  /// - Parameters:
  ///   - place: which host this is, and where it finds the coordinator.
  ///   - version: the program's version, which has to be that of the coordinator.
  ///   - loop: the loop on which it hears the others, which nobody else runs.
  /// - Throws: ``RunError`` where the link does not start, or the folder does not say who this host is.
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

  /// Carries orders out until the coordinator ends the case, or is lost.
  ///
  /// - Throws: ``RunError`` where the link ends, or the coordinator is lost.
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
      case .message(let message, let peer): try take(message, from: peer)
      }
    }
    link.close()
  }

  private func take(_ message: FleetMessage, from peer: Int) throws(RunError) {
    if case .passage(let passage) = message { return take(passage, from: peer) }
    guard peer == Self.coordinator else { return }
    switch message {
    case .placement(let placement): take(placement)
    case .window(let until, let expected): try proceed(until: until, expecting: expected)
    case .closing(.down):
      problems += devices?.close() ?? []
      isClosed = true
      pause()
    case .closing(.lost):
      devices?.abandon()
      isClosed = true
      pause()
    case .greeting, .pause, .passage, .working: return
    }
  }

  // MARK: orders

  private func take(_ placement: FleetMessage.Placement) {
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
    for (passage, peer) in link.takePassages() { take(passage, from: peer) }
    // Where a host is lost, the coordinator says what is next.
    guard expected.allSatisfy({ link.received[$0, default: 0] >= $1 }) else { return pause() }
    onTheWay.removeAll { $0.time <= time }
    saved.removeAll { $0.passage.time <= time }
    devices?.proceed(until: time)
    pause()
  }

  /// Tells the coordinator once in a while that this host is at work.
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

  // MARK: passages

  private func take(_ passage: Passage, from peer: Int) {
    if case .storage = passage.place { saved.append((passage, peer)) }
    devices?.take(passage)
  }

  private func forward(_ passage: Passage) {
    earliestArrival = min(earliestArrival ?? passage.time, passage.time)
    switch passage.place {
    case .storage: for peer in peers { link.send(.passage(passage), to: peer) }
    case .device(let name):
      guard let host = hosts[name] else { return }
      onTheWay.append(passage)
      link.send(.passage(passage), to: host)
    }
  }

  /// Sends once more what was on its way to devices that are on other hosts now, and what lost hosts may have told only some of.
  private func sendAgain(movedFrom before: [String: Int]) {
    for (passage, peer) in saved where !peers.contains(peer) {
      for peer in peers { link.send(.passage(passage), to: peer) }
    }
    saved.removeAll { !peers.contains($0.peer) }
    for passage in onTheWay {
      guard case .device(let name) = passage.place, let host = hosts[name], before[name] != host
      else { continue }
      earliestArrival = min(earliestArrival ?? passage.time, passage.time)
      if host == number { devices?.take(passage) } else { link.send(.passage(passage), to: host) }
    }
  }
}

// MARK: - Place of a host

/// What a host of a fleet has to know to join it.
package struct FleetPlace: Sendable {
  /// The host's number, from 1 on.
  package var number: Int
  /// The folder of the case, that all hosts share.
  package var folder: String
  /// Where the coordinator's link listens, such as `login1:40123`.
  package var coordinator: String
  /// The address at which the host's own link listens, such as `127.0.0.1`.
  package var listening: String

  package init(number: Int, folder: String, coordinator: String, listening: String) {
    self.number = number
    self.folder = folder
    self.coordinator = coordinator
    self.listening = listening
  }
}
