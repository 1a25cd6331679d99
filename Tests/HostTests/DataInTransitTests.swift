import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Host

extension RealProcesses {
  /// Tests which servers keep a device from being idle.
  @Suite struct ServerActivityTests {
    /// Runs a shell script as a server, until the process exits.
    private static func withServer(
      _ script: String, in lab: Lab, _ body: (IdleWatch) throws -> Void
    ) throws {
      let (device, services) = (lab.device, lab.device.services)
      let server = try RunningServer(
        ServerDescription(name: "files", host: "files.contoso.com", folder: "/tmp"),
        .executable("/bin/sh"), arguments: ["/bin/sh", "-c", script], settings: "\n",
        filter: .of(.server), on: device.loop
      ) { _ in }
      defer {
        server.signal(SIGKILL)
        lab.wait("the server's exit") { !server.isRunning }
      }
      lab.wait("the server to listen") { server.isSettled }
      try body(
        IdleWatch(
          registry: services.registry, loop: device.loop, servers: [server], wipes: services.wipes,
          enrollment: services.enrollment, access: services.access, faults: services.faults))
    }

    @Test func `a device with a busy server is not idle, even without a running guest`() throws {
      let lab = try Lab()
      try Self.withServer("echo listening 1; while :; do :; done", in: lab) { watch in
        let activity = "the server `files` works"
        #expect(watch.activity == activity && watch.ownActivity(besides: []) == activity)
        #expect(!watch.isAtRest)
        // A guest that does not count may keep the server busy.
        #expect(watch.ownActivity(besides: ["chatty"]) == nil)
      }
      lab.close()
    }

    @Test func `a waiting server lets the device become idle`() throws {
      let lab = try Lab()
      try Self.withServer("echo listening 1; exec sleep 1000", in: lab) { watch in
        lab.wait("the server to wait") { watch.activity == nil }
        #expect(watch.ownActivity(besides: []) == nil && watch.isAtRest)
      }
      lab.close()
    }
  }
}

/// Tests which bytes and handshakes of local TCP connections count as in transit.
@Suite struct DataInTransitTests {
  /// A socket that listens on 127.0.0.1 and keeps one connection that is not accepted.
  private final class Listener {
    let socket: Int32
    let port: Int
    private var clients: [Int32] = []

    init() throws {
      socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var address = Self.address(port: 0)
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let socket = socket
      let result = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(socket, $0, size) == 0 && listen(socket, 0) == 0
            && getsockname(socket, $0, &size) == 0
        }
      }
      try #require(result, "errno \(errno)")
      port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { for socket in clients + [socket] { close(socket) } }

    /// Begins to connect without waiting.
    func connect() -> Int32 {
      let client = Glibc.socket(
        AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
      clients.append(client)
      var address = Self.address(port: UInt16(port))
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      return client
    }

    var hasDataInTransit: Bool { ProcessFolder(of: getpid()).hasDataInTransit(at: port) }

    private static func address(port: UInt16) -> sockaddr_in {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      return address
    }
  }

  @Test func `a local connection has no data in transit once its handshake is complete`() throws {
    let listener = try Listener()
    #expect(!listener.hasDataInTransit)
    _ = listener.connect()
    try waitUntil("the handshake is complete") { !listener.hasDataInTransit }
  }

  @Test func `a handshake that the listener does not answer is in transit`() throws {
    let listener = try Listener()
    for _ in 0..<4 { _ = listener.connect() }
    #expect(listener.hasDataInTransit)
  }

  @Test func `bytes that the receiver does not read are not in transit`() throws {
    let listener = try Listener()
    let client = listener.connect()
    let receiver = accept(listener.socket, nil, nil)
    defer { close(receiver) }
    try #require(receiver >= 0)
    let bytes = [UInt8](repeating: 1, count: 1 << 20)
    var sent = 0
    while case let count = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)), count > 0 {
      sent += count
    }
    #expect(sent > 0)
    try waitUntil("the receiver's window is full") { !listener.hasDataInTransit }
  }
}
