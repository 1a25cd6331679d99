import EventLoop
import class EventLoop.Pipe
import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct PipeTests {
  private static let megabytes = 8

  @Test func `a pipe carries bytes to a child process, which echoes them`() throws {
    try withLoop { loop in
      let input = try Pipe(on: loop)
      var ended: Ended?
      try start(.program("/bin/cat", descriptors: [.pipe(input)]), on: loop) { ended = $0 }
      input.onDrain = { input.close() }
      try input.write("hello ")
      try input.write("日本\n")
      loop.run()
      #expect(ended == Ended(output: "hello 日本\n", exit: .status(0)))
      #expect(loop.handleCount == 0)
    }
  }

  @Test func `a pipe to a child process carries data in both directions`() throws {
    try withLoop { loop in
      let pipe = try Pipe(on: loop)
      var answer = ""
      pipe.onRead = { answer += String(decoding: $0, as: UTF8.self) }
      pipe.onEnd = { error in
        #expect(error == nil)
        pipe.close()
      }
      try start(
        .program(
          "/bin/sh", ["-c", "read line <&3; echo \"got $line\" >&3"],
          descriptors: [.null, .null, .pipe(pipe)]), on: loop)
      try pipe.startReading()
      let taken = try Array("hello\n".utf8).withUnsafeBytes { try pipe.tryWrite($0) }
      #expect(taken == 6)
      loop.run()
      #expect(answer == "got hello\n")
    }
  }

  @Test func `a large write is queued until a slow reader has read it`() throws {
    try withLoop { loop in
      let input = try Pipe(on: loop)
      let signal = try Pipe(on: loop)
      var ended: Ended?
      try start(
        .program(
          "/bin/sh", ["-c", "read go <&3; wc -c"],
          descriptors: [.pipe(input), .null, .pipe(signal)]), on: loop
      ) { ended = $0 }
      var drains = 0
      input.onDrain = {
        drains += 1
        input.close()
      }
      let megabyte = [UInt8](repeating: 7, count: 1 << 20)
      for _ in 0..<Self.megabytes { try megabyte.withUnsafeBytes { try input.write($0) } }
      #expect(input.queuedBytes > 0)
      // While bytes are queued, later ones must not overtake them.
      #expect(try megabyte.withUnsafeBytes { try input.tryWrite($0) } == 0)
      try Array("go\n".utf8).withUnsafeBytes { try signal.write($0) }
      loop.run()
      #expect(ended?.output == "\(Self.megabytes << 20)\n")
      #expect(drains == 1)
    }
  }

  @Test func `closing a pipe drops queued writes`() throws {
    try withLoop { loop in
      let input = try Pipe(on: loop)
      var ended: Ended?
      let child = try start(
        .program("/bin/sleep", ["600"], descriptors: [.pipe(input)]), on: loop
      ) { ended = $0 }
      input.onDrain = { Issue.record("dropped bytes are not drained") }
      try [UInt8](repeating: 7, count: 8 << 20).withUnsafeBytes { try input.write($0) }
      #expect(input.queuedBytes > 0)
      input.close()
      child.signalGroup(SIGKILL)
      loop.run()
      #expect(ended?.exit == .signal(Int(SIGKILL)))
      #expect(loop.handleCount == 0)
      #expect(input.queuedBytes == 0)
    }
  }

  @Test func `a paused pipe reads nothing until it resumes`() throws {
    try withLoop { loop in
      let pipe = try Pipe(on: loop)
      var reads = 0
      pipe.onRead = { bytes in
        reads += bytes.count
        pipe.stopReading()
      }
      let child = try start(
        .program(
          "/bin/sh", ["-c", "printf ab >&3; sleep 600"], descriptors: [.null, .null, .pipe(pipe)]),
        on: loop)
      try pipe.startReading()
      #expect(pipe.isReading)
      while reads == 0 { loop.runOnce() }
      #expect(!pipe.isReading)
      loop.poll()
      #expect(reads == 2)
      try pipe.startReading()
      #expect(pipe.isReading)
      pipe.close()
      #expect(!pipe.isReading)
      child.signalGroup(SIGKILL)
      loop.run()
    }
  }

  @Test(arguments: [true, false])
  func `a paused or closed pipe reads no further bytes`(closes: Bool) throws {
    try withLoop { loop in
      let (pipe, childEnd) = try Pipe.capture(on: loop)
      defer { close(childEnd) }
      var reads = 0
      pipe.onRead = { _ in
        reads += 1
        write(childEnd, "b", 1)
        if closes { pipe.close() } else { pipe.stopReading() }
      }
      try pipe.startReading()
      write(childEnd, "a", 1)
      pipe.readRest()
      #expect(reads == 1)
      pipe.close()
      loop.run()
    }
  }

  @Test func `a synchronous read takes at most the given number of bytes`() throws {
    try withLoop { loop in
      let (pipe, childEnd) = try Pipe.capture(on: loop)
      var read: [UInt8] = []
      var ends = 0
      pipe.onRead = { read += $0 }
      pipe.onEnd = { _ in ends += 1 }
      #expect(pipe.readNow(upTo: 10) == 0)
      write(childEnd, "abcdef", 6)
      #expect(pipe.readNow(upTo: 0) == 0)
      #expect(pipe.readNow(upTo: 4) == 4)
      #expect(String(decoding: read, as: UTF8.self) == "abcd")
      #expect(pipe.unreadBytes == 2)
      #expect(pipe.readNow(upTo: 10) == 2)
      #expect(ends == 0)
      Glibc.close(childEnd)
      // A process that another test is starting may have a copy of the descriptor for a moment.
      try waitUntil("the pipe has ended") {
        #expect(pipe.readNow(upTo: 10) == 0)
        return ends == 1
      }
      pipe.close()
      loop.run()
    }
  }

  // Otherwise SIGPIPE would end this process. The test runs in a separate process with the system's
  // default.
  @Test func `writing to an exited child fails without SIGPIPE`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      try withLoop { loop in
        let input = try Pipe(on: loop)
        try start(.program("/bin/true", descriptors: [.pipe(input)]), on: loop)
        loop.run()
        let error = try #require(throws: EventLoopError.self) {
          _ = try Array("late".utf8).withUnsafeBytes { try input.tryWrite($0) }
        }
        #expect(error.errno == EPIPE)
        #expect(error.operation == .write)
      }
    }
  }

  @Test func `a closed pipe accepts no writes`() throws {
    try withLoop { loop in
      let (pipe, childEnd) = try Pipe.capture(on: loop)
      defer { close(childEnd) }
      pipe.close()
      #expect(throws: EventLoopError.self) { try pipe.write("late") }
      #expect(throws: EventLoopError.self) {
        try Array("late".utf8).withUnsafeBytes { try pipe.tryWrite($0) }
      }
      try pipe.startReading()
      #expect(!pipe.isReading)
    }
  }

  @Test func `a pipe rejects an invalid descriptor`() throws {
    try withLoop { loop in
      #expect(throws: EventLoopError.self) { try Pipe(on: loop).open(-1) }
    }
  }
}

extension Pipe {
  fileprivate func write(_ text: String) throws {
    try Array(text.utf8).withUnsafeBytes { try write($0) }
  }
}

@Suite(.timeLimit(.minutes(15))) struct ListenerTests {
  private let path = NSTemporaryDirectory() + "sluice-\(UUID().uuidString).sock"

  /// Returns a connected socket.
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

  @Test func `a listener identifies a connecting client and reads its data`() throws {
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

  @Test func `an existing or overlong socket path is rejected`() throws {
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

  @Test func `a listener accepts a limited number of connections per loop iteration`() throws {
    let loop = try EventLoop()
    defer { loop.close() }
    var taken: [Pipe] = []
    let listener = try Listener(at: path, on: loop, mostInTurn: 3) { taken.append($0) }
    let clients = try (0..<10).map { _ in try connected() }
    defer { for client in clients { close(client) } }
    var counts: [Int] = []
    for _ in 0..<5 {
      loop.drain()
      counts.append(taken.count)
    }
    #expect(counts == [3, 6, 9, 10, 10])
    let late = try connected()
    defer { close(late) }
    while taken.count < 11 { loop.runOnce() }
    listener.close()
  }

  @Test(arguments: [1, 4])
  func `an embedded event loop accepts few connections per iteration of its outer loop`(
    mostInTurn: Int
  )
    throws
  {
    let (inner, outer) = (try EventLoop(), try EventLoop())
    defer { inner.close() }
    defer { outer.close() }
    var taken: [Pipe] = []
    _ = try Listener(at: path, on: inner, mostInTurn: mostInTurn) { taken.append($0) }
    _ = try EmbeddedLoop(inner, in: outer)
    inner.drain()
    let clients = try (0..<16).map { _ in try connected() }
    defer { for client in clients { close(client) } }
    while taken.count < clients.count {
      let before = taken.count
      outer.runOnce()
      // In one iteration of the outer loop, its timers may fire twice, and the inner loop may have
      // another event.
      #expect(taken.count - before <= 3 * mostInTurn)
    }
  }

  @Test func `an embedded loop runs with its outer loop and outlives it`() throws {
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
      inner.drain()
      _ = write(client, "x", 1)
      while heard < round { outer.runOnce() }
      outer.close()
    }
    #expect(heard == 3)
  }
}
