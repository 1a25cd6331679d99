import EventLoop
import class EventLoop.Pipe
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct ListenerTests {
  private let path = NSTemporaryDirectory() + "sluice-\(UUID().uuidString).sock"

  /// A connected socket.
  private func connected() throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(code == 0)
    return descriptor
  }

  @Test func whoConnectsIsKnownAndHeard() throws {
    let loop = try EventLoop()
    defer { loop.close() }
    var heard = ""
    var peer: Pipe.Peer?
    let listener = try Listener(at: path, on: loop) { pipe in
      peer = pipe.peer
      pipe.onRead = { heard += String(decoding: $0, as: UTF8.self) }
      try? pipe.startReading()
    }
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let client = try connected()
    _ = write(client, "hello", 5)
    while heard.count < 5 { loop.runOnce() }
    #expect(peer?.process == getpid())
    #expect(peer?.user == geteuid())
    close(client)
    listener.close()
    loop.poll()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func aPathThatIsTakenOrTooLongIsRefused() throws {
    let loop = try EventLoop()
    defer { loop.close() }
    let listener = try Listener(at: path, on: loop) { _ in }
    let second = #expect(throws: EventLoopError.self) { try Listener(at: path, on: loop) { _ in } }
    #expect(second?.errno == EADDRINUSE)
    #expect(FileManager.default.fileExists(atPath: path))
    let long = #expect(throws: EventLoopError.self) {
      try Listener(at: "/tmp/" + String(repeating: "x", count: 103), on: loop) { _ in }
    }
    #expect(long?.errno == ENAMETOOLONG)
    listener.close()
  }

  @Test func onlySoManyConnectionsAreTakenInATurn() throws {
    let loop = try EventLoop()
    defer { loop.close() }
    var taken: [Pipe] = []
    let listener = try Listener(at: path, on: loop, mostInTurn: 3) { taken.append($0) }
    let clients = try (0..<10).map { _ in try connected() }
    defer { for client in clients { close(client) } }
    var counts: [Int] = []
    for _ in 0..<5 {
      loop.settle()
      counts.append(taken.count)
    }
    #expect(counts == [3, 6, 9, 10, 10])
    let late = try connected()
    defer { close(late) }
    while taken.count < 11 { loop.runOnce() }
    listener.close()
  }

  @Test(arguments: [1, 4])
  func anOuterLoopHasItsTurnBetweenManyConnections(mostInTurn: Int) throws {
    let (inner, outer) = (try EventLoop(), try EventLoop())
    defer { inner.close() }
    defer { outer.close() }
    var taken: [Pipe] = []
    _ = try Listener(at: path, on: inner, mostInTurn: mostInTurn) { taken.append($0) }
    _ = try EmbeddedLoop(inner, in: outer)
    inner.settle()
    let clients = try (0..<16).map { _ in try connected() }
    defer { for client in clients { close(client) } }
    while taken.count < clients.count {
      let before = taken.count
      outer.runOnce()
      // In one round of the outer loop its timers may run twice, and the inner loop have an event besides.
      #expect(taken.count - before <= 3 * mostInTurn)
    }
  }

  @Test func anEmbeddedLoopRunsWithItsOuterOneAndOutlivesIt() throws {
    let inner = try EventLoop()
    defer { inner.close() }
    var heard = 0
    _ = try Listener(at: path, on: inner) { pipe in
      pipe.onRead = { heard += $0.count }
      try? pipe.startReading()
    }
    let client = try connected()
    defer { close(client) }
    for round in 1...3 {
      let outer = try EventLoop()
      _ = try EmbeddedLoop(inner, in: outer)
      inner.settle()
      _ = write(client, "x", 1)
      while heard < round { outer.runOnce() }
      outer.close()
    }
    #expect(heard == 3)
  }
}
