@testable import Distribution
import EventLoop
import Host
import Model
import Simulation
import Testing
import TestSupport

/// Links between processes, which are real ones, with real certificates.
@Suite(.ownThreads, .serverPrograms) struct FleetLinkTests {
  private static let program = "\(Repository.programs)/sluice-link"
  private static let time = 1_767_225_600

  private static func identities(_ count: Int) throws -> [LinkIdentity] {
    try LinkIdentity.all(count, of: "Contoso", at: currentTime)
  }

  private static func link(_ identity: LinkIdentity, on loop: EventLoop) throws -> FleetLink {
    try FleetLink(program, as: identity, listeningAt: "127.0.0.1", on: loop)
  }

  private static func passage(_ number: Int, bytes: Int) -> FleetMessage {
    .passage(
      Passage(
        parcel: Parcel(
          carrier: .airDrop, device: "phone", request: number, type: "public.data", name: nil,
          payload: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: bytes),
          isEncrypted: false),
        place: .device("desk"), time: time, sender: 0))
  }

  @Test(arguments: [(20_000, 64), (200, 1 << 20)])
  func `what is sent arrives in its order, however much it is`(count: Int, bytes: Int) throws {
    let (here, there) = (try EventLoop(), try EventLoop())
    defer {
      here.close()
      there.close()
    }
    let identities = try Self.identities(2)
    let sender = try Self.link(identities[0], on: here)
    let receiver = try Self.link(identities[1], on: there)
    sender.reach(1, at: "127.0.0.1:\(try #require(receiver.port))")
    for number in 0..<count { sender.send(Self.passage(number, bytes: bytes), to: 1) }
    var numbers: [Int] = []
    while numbers.count < count {
      here.poll()
      there.poll()
      numbers += receiver.takePassages().map(\.passage.parcel.request)
    }
    #expect(numbers == Array(0..<count))
    #expect(receiver.received[0] == count)
    sender.close()
    receiver.close()
  }

  @Test func `who sends, the certificate tells`() throws {
    let loops = try (0..<3).map { _ in try EventLoop() }
    defer { for loop in loops { loop.close() } }
    let identities = try Self.identities(3)
    let links = try zip(identities, loops).map { try Self.link($0, on: $1) }
    for sender in [2, 1] {
      links[sender].reach(0, at: "127.0.0.1:\(try #require(links[0].port))")
      links[sender].send(.greeting(address: "anywhere", version: "\(sender)"), to: 0)
      while true {
        for loop in loops { loop.poll() }
        guard links[0].hasEvents else { continue }
        guard case .message(.greeting(_, let version), let from) = try links[0].next() else {
          continue
        }
        #expect(from == sender && version == "\(sender)")
        break
      }
    }
    for link in links { link.close() }
  }

  @Test func `who has the certificate of another authority is not heard, and hears nothing`()
    throws
  {
    let (here, there) = (try EventLoop(), try EventLoop())
    defer {
      here.close()
      there.close()
    }
    let stranger = try Self.link(Self.identities(2)[0], on: here)
    let host = try Self.link(Self.identities(2)[1], on: there)
    stranger.reach(1, at: "127.0.0.1:\(try #require(host.port))")
    stranger.send(.closing(.down), to: 1)
    guard case .lost(1, let reason) = try stranger.next() else {
      Issue.record("the stranger has reached the host")
      return
    }
    #expect(reason.contains("CERTIFICATE"), "\(reason)")
    there.poll()
    #expect(host.received.isEmpty && !host.hasEvents)
    stranger.close()
    host.close()
  }

  @Test func `who is at the address of a peer and is another one gets nothing`() throws {
    let (here, there) = (try EventLoop(), try EventLoop())
    defer {
      here.close()
      there.close()
    }
    let identities = try Self.identities(3)
    let sender = try Self.link(identities[0], on: here)
    let other = try Self.link(identities[2], on: there)
    sender.reach(1, at: "127.0.0.1:\(try #require(other.port))")
    sender.send(.closing(.down), to: 1)
    guard case .lost(1, _) = try sender.next() else {
      Issue.record("the sender has reached another peer than it meant")
      return
    }
    #expect(other.received.isEmpty)
    sender.close()
    other.close()
  }

  @Test func `many who show no certificate keep nobody out who does`() throws {
    let (here, there) = (try EventLoop(), try EventLoop())
    defer {
      here.close()
      there.close()
    }
    let identities = try Self.identities(2)
    let receiver = try Self.link(identities[1], on: there)
    let port = try #require(receiver.port)
    let strangers = (0..<300).map { _ in connection(to: port) }
    defer { for stranger in strangers { close(stranger) } }
    #expect(strangers.allSatisfy { $0 >= 0 })
    let sender = try Self.link(identities[0], on: here)
    sender.reach(1, at: "127.0.0.1:\(port)")
    sender.send(Self.passage(7, bytes: 64), to: 1)
    while receiver.received[0] != 1 {
      here.poll()
      there.poll()
    }
    #expect(sender.lost.isEmpty)
    sender.close()
    receiver.close()
  }

  @Test func `a peer that ends is lost`() throws {
    let (here, there) = (try EventLoop(), try EventLoop())
    defer {
      here.close()
      there.close()
    }
    let identities = try Self.identities(2)
    let sender = try Self.link(identities[0], on: here)
    let receiver = try Self.link(identities[1], on: there)
    sender.reach(1, at: "127.0.0.1:\(try #require(receiver.port))")
    guard case .reached(1, from: let address) = try sender.next() else {
      Issue.record("the peer is not reached")
      return
    }
    #expect(address.hasPrefix("127.0.0.1:"))
    receiver.close()
    guard case .lost(1, _) = try sender.next() else {
      Issue.record("the peer is not lost")
      return
    }
    #expect(sender.lost == [1])
    sender.close()
  }
}

#if canImport(Glibc)
  import Glibc

  /// What the machine's clock shows, which certificates are checked against.
  private var currentTime: Int { time(nil) }

  /// A connection by which nothing is said; negative: there is none.
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
#endif
