import EventLoop
import Host
import Model
import Simulation
import TestSupport
import Testing
import Wire

@testable import Distribution

/// Tests links between real processes, with real certificates.
@Suite(.ownThreads, .serverPrograms) struct FleetLinkTests {
  private static let program = "\(Repository.programs)/sluice-link"
  private static let time = 1_767_225_600

  /// Calls `body` with the links of some processes, each on its own loop. Links that `body` leaves
  /// open are closed at the end.
  private static func withLinks(
    of identities: [LinkIdentity], _ body: (inout [FleetLink], _ poll: () -> Void) throws -> Void
  ) throws {
    let loops = try identities.map { _ in try EventLoop() }
    defer { for loop in loops { loop.close() } }
    var links = try zip(identities, loops).map {
      try FleetLink(program, as: $0, listeningAt: "127.0.0.1", on: $1)
    }
    try body(&links) { for loop in loops { loop.poll() } }
    for link in links { link.close() }
  }

  private static func identities(_ count: Int) throws -> [LinkIdentity] {
    try LinkIdentity.all(count, of: "Contoso", at: currentTime)
  }

  private static func address(of link: FleetLink) throws -> String {
    "127.0.0.1:\(try #require(link.port))"
  }

  private static func inFlight(_ number: Int, bytes: Int) -> FleetMessage {
    .inFlight(
      InFlightMessage(
        message: DeviceMessage(
          transport: .airDrop, device: "phone", request: number, type: "public.data", name: nil,
          payload: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: bytes),
          isEncrypted: false),
        place: .device("desk"), time: time, sender: 0))
  }

  @Test(arguments: [(20_000, 64), (200, 1 << 20)])
  func `messages between fleet hosts arrive in order, even large ones`(count: Int, bytes: Int)
    throws
  {
    try Self.withLinks(of: Self.identities(2)) { links, poll in
      links[0].reach(1, at: try Self.address(of: links[1]))
      for number in 0..<count { links[0].send(Self.inFlight(number, bytes: bytes), to: 1) }
      var numbers: [Int] = []
      while numbers.count < count {
        poll()
        numbers += links[1].takeMessages().map(\.inFlight.message.request)
      }
      #expect(numbers == Array(0..<count))
      #expect(links[1].received[0] == count)
    }
  }

  @Test func `the sender of a fleet message is identified by its certificate`() throws {
    try Self.withLinks(of: Self.identities(3)) { links, poll in
      for sender in [2, 1] {
        links[sender].reach(0, at: try Self.address(of: links[0]))
        links[sender].send(.greeting(address: "anywhere", version: "\(sender)"), to: 0)
        while true {
          poll()
          guard links[0].hasEvents else { continue }
          guard case .message(.greeting(_, let version), let from) = try links[0].next() else {
            continue
          }
          #expect(from == sender && version == "\(sender)")
          break
        }
      }
    }
  }

  @Test func `a fleet host with another authority's certificate receives nothing`() throws {
    try Self.withLinks(of: [Self.identities(2)[0], Self.identities(2)[1]]) { links, poll in
      links[0].reach(1, at: try Self.address(of: links[1]))
      links[0].send(.closing(.down), to: 1)
      guard case .lost(1, let reason) = try links[0].next() else {
        Issue.record("the stranger has reached the host")
        return
      }
      #expect(reason.contains("CERTIFICATE"), "\(reason)")
      poll()
      #expect(links[1].received.isEmpty && !links[1].hasEvents)
    }
  }

  @Test func `an impostor at a peer's address receives nothing`() throws {
    let identities = try Self.identities(3)
    try Self.withLinks(of: [identities[0], identities[2]]) { links, _ in
      links[0].reach(1, at: try Self.address(of: links[1]))
      links[0].send(.closing(.down), to: 1)
      guard case .lost(1, _) = try links[0].next() else {
        Issue.record("the sender has reached another peer than it meant")
        return
      }
      #expect(links[1].received.isEmpty)
    }
  }

  @Test func `connections without certificates do not prevent a fleet peer from connecting`() throws
  {
    try Self.withLinks(of: Self.identities(2)) { links, poll in
      let port = try #require(links[1].port)
      let strangers = (0..<300).map { _ in connection(to: port) }
      defer { for stranger in strangers { close(stranger) } }
      #expect(strangers.allSatisfy { $0 >= 0 })
      links[0].reach(1, at: try Self.address(of: links[1]))
      links[0].send(Self.inFlight(7, bytes: 64), to: 1)
      while links[1].received[0] != 1 { poll() }
      #expect(links[0].lost.isEmpty)
    }
  }

  /// Peers on busy machines take long for a handshake, and all of a fleet connect at once.
  @Test func `a fleet host keeps the connections of slow peers when another peer connects`() throws
  {
    let identities = try Self.identities(101)
    try Self.withLinks(of: [identities[0], identities[1]]) { links, poll in
      let port = try #require(links[0].port)
      let slow = (0..<100).map { _ in connection(to: port) }
      defer { for peer in slow { close(peer) } }
      links[1].reach(0, at: try Self.address(of: links[0]))
      links[1].send(Self.inFlight(7, bytes: 64), to: 0)
      // Connections are accepted in order, so the link has accepted all of the earlier ones.
      while links[0].received[1] != 1 { poll() }
      #expect(slow.allSatisfy(isOpen))
    }
  }

  @Test func `a fleet host reconnects to a peer that closes connections before the handshake`()
    throws
  {
    try Self.withLinks(of: [Self.identities(2)[0]]) { links, _ in
      let (listener, port) = try #require(listeningSocket())
      defer { close(listener) }
      links[0].reach(1, at: "127.0.0.1:\(port)")
      for _ in 0..<3 {
        let connection = acceptedConnection(of: listener)
        #expect(connection >= 0)
        close(connection)
      }
      #expect(!links[0].hasEvents)
      shutdown(listener, Int32(SHUT_RDWR))
      guard case .lost(1, let reason) = try links[0].next() else {
        Issue.record("the peer is not lost")
        return
      }
      #expect(reason.contains("cannot reach") || reason.contains("reset"), "\(reason)")
    }
  }

  @Test func `a peer that exits is reported as lost`() throws {
    try Self.withLinks(of: Self.identities(2)) { links, _ in
      links[0].reach(1, at: try Self.address(of: links[1]))
      guard case .reached(1, from: let address) = try links[0].next() else {
        Issue.record("the peer is not reached")
        return
      }
      #expect(address.hasPrefix("127.0.0.1:"))
      links.removeLast().close()
      guard case .lost(1, _) = try links[0].next() else {
        Issue.record("the peer is not lost")
        return
      }
      #expect(links[0].lost == [1])
    }
  }
}

#if canImport(Glibc)
  import Glibc

  /// The machine's time, against which certificates are verified.
  private var currentTime: Int { time(nil) }

  /// Opens a connection that sends nothing. Returns a negative number on failure.
  private func connection(to port: Int) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafeBytes(of: &address) { bytes in
      connect(
        descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        socklen_t(bytes.count))
    }
    return result == 0 ? descriptor : -1
  }

  /// Returns whether the other side has not closed a connection.
  private func isOpen(_ connection: Int32) -> Bool {
    var byte: UInt8 = 0
    return recv(connection, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) < 0
      && errno == EAGAIN
  }

  /// Accepts a connection within the listener's time limit. Because of the limit, a signal interrupts the call
  /// even if its handler restarts calls (signal(7)).
  private func acceptedConnection(of listener: Int32) -> Int32 {
    while true {
      let connection = accept(listener, nil, nil)
      if connection >= 0 || errno != EINTR { return connection }
    }
  }

  /// Listens on a port of 127.0.0.1. Accepting fails after 20 seconds.
  private func listeningSocket() -> (descriptor: Int32, port: Int)? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutableBytes(of: &address) { bytes in
      guard let place = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
        return false
      }
      return bind(descriptor, place, size) == 0 && listen(descriptor, 8) == 0
        && getsockname(descriptor, place, &size) == 0
    }
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    return isBound ? (descriptor, Int(UInt16(bigEndian: address.sin_port))) : nil
  }
#endif

/// Tests messages between the processes of a fleet.
@Suite struct FleetMessageTests {
  private static let message = DeviceMessage(
    transport: .airDrop, device: "phone-7", request: 4711, type: "public.jpeg", name: "plan.jpg",
    payload: [0, 1, 255], isEncrypted: true)

  private static let messages: [FleetMessage] = [
    .greeting(address: "10.0.0.7:40123", version: "sluice 0.1.0"),
    .placement(
      .init(
        hosts: [
          .init(number: 1, address: "10.0.0.7:1", devices: [0, 2]),
          .init(number: 2, address: "10.0.0.8:2", devices: []),
        ], machineTime: 1_767_225_600, until: .min)),
    .window(until: 1_767_225_601, expected: [1: 0, 2: 17]),
    .pause(.init(next: nil, earliestArrival: nil, sent: [:])),
    .pause(
      .init(
        next: 0, earliestArrival: 1_767_225_602, sent: [1: 3], lost: [4], problems: ["a", ""],
        isClosed: true)),
    .inFlight(
      InFlightMessage(message: message, place: .device("desk"), time: 1_767_225_603, sender: 6)),
    .inFlight(
      InFlightMessage(
        message: DeviceMessage(
          transport: .storage, device: "phone-7", request: 1, type: "public.data", name: nil,
          payload: [], isEncrypted: false),
        place: .storage(
          .oneDriveForBusiness,
          owner: Account(upn: "anna@contoso.com", objectID: nil, tenantID: "contoso.com")),
        time: 1, sender: 0)),
    .closing(.down), .closing(.lost), .working,
  ]

  @Test func `fleet messages round-trip`() throws {
    let arena = Arena()
    for message in Self.messages {
      let bytes = message.encoded(in: arena)
      let read = try bytes.withUnsafeBytes { try FleetMessage($0, arena: arena) }
      #expect(read.encoded(in: arena) == bytes)
      // The order of a dictionary's entries in text is undefined.
      guard case .window = message else {
        #expect("\(read)" == "\(message)")
        continue
      }
    }
  }

  @Test func `malformed fleet messages are rejected`() throws {
    let arena = Arena()
    var random = SeededGenerator(seed: 1)
    let whole = Self.messages.map { $0.encoded(in: arena) }
    for _ in 0..<20_000 {
      var bytes = whole.randomElement(using: &random) ?? []
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
      case 1 where !bytes.isEmpty:
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      default:  // open: any other number
        bytes = (0..<Int.random(in: 0..<64, using: &random)).map { _ in
          .random(in: 0...255, using: &random)
        }
      }
      _ = try? bytes.withUnsafeBytes { try FleetMessage($0, arena: arena) }
    }
  }
}

/// Tests the journal of all devices of a fleet.
@Suite struct FleetJournalTests {
  /// Returns journals of devices, with times in ascending order.
  private static func journals(
    _ count: Int, _ random: inout SeededGenerator
  ) -> [(name: String, lines: [(time: String, line: String)])] {
    (0..<count).map { device in
      var second = 0
      return (
        "phone-\(device)",
        (1...Int.random(in: 1...300, using: &random)).map { number in
          second += Int.random(in: 0...2, using: &random)
          let time = "2026-01-01T00:\(Self.two(second / 60)):\(Self.two(second % 60))Z"
          let text = String(repeating: "x", count: .random(in: 0...2_000, using: &random))
          return (time, #"{"seq":\#(number),"time":"\#(time)","event":"\#(text)"}"#)
        }
      )
    }
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  @Test func `merged journal lines are sorted by time, device and sequence number`() throws {
    var random = SeededGenerator(seed: 7)
    for count in [1, 2, 17] {
      let workspace = try Workspace()
      let journals = Self.journals(count, &random)
      var expected: [(time: String, device: Int, line: String)] = []
      for (device, journal) in journals.enumerated() {
        try workspace.write(
          journal.lines.map { $0.line + "\n" }.joined(), to: "\(journal.name)/journal.jsonl")
        expected += journal.lines.map {
          ($0.time, device, #"{"on":"\#(journal.name)","# + $0.line.dropFirst() + "\n")
        }
      }
      // Sorting is stable.
      expected.sort { ($0.time, $0.device) < ($1.time, $1.device) }
      try FleetJournal.write(in: workspace.path, of: journals.map(\.name))
      #expect(try workspace.read(FleetJournal.name) == expected.map(\.line).joined())
    }
  }

  @Test func `merging the journals of a fleet fails if a journal is missing`() throws {
    let workspace = try Workspace()
    #expect(throws: (any Error).self) {
      try FleetJournal.write(in: workspace.path, of: ["phone"])
    }
  }
}
