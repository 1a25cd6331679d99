import Foundation
import PageServer
import Synchronization
import Testing

/// Tests the server of pages with clients that send arbitrary bytes over sockets.
@Suite struct PageServerTests {
  /// A server whose routes answer with what they received.
  private final class Served: Sendable {
    let port: Int
    /// The page's path.
    let path: String

    init(_ more: [PageRoute] = [], page: String = "<p>page") throws {
      let routes = [
        PageRoute(.get, "get") { $0.answer("[\($0.body.count)]") },
        PageRoute(.post, "post") { $0.answer(String(decoding: $0.body, as: UTF8.self)) },
        PageRoute(.post, "refuse") { $0.refuse(.conflict) },
      ]
      let address = try PageServer(page: page).start(routes + more, port: 0)
      let parts = try #require(URLComponents(string: address))
      port = try #require(parts.port)
      path = parts.path
    }

    /// Returns a client that has sent bytes.
    func client(_ text: String = "") throws -> Client {
      let client = try Client(port)
      client.send(text.replacing("PORT", with: "\(port)").replacing("PATH/", with: path))
      return client
    }

    func answer(to text: String) throws -> String { try client(text).rest() }

    func get(_ name: String = "") throws -> String {
      try answer(to: "GET PATH/\(name) HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n")
    }
  }

  /// A connected socket, which blocks.
  private final class Client: Sendable {
    private let socket: Int32

    init(_ port: Int) throws {
      socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let code = withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      try #require(code == 0)
    }

    deinit { close(socket) }

    func send(_ text: String) {
      var bytes = Array(text.utf8)[...]
      while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes {
          Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        bytes.removeFirst(count)
      }
    }

    /// Reads until the server closes the connection, or until what it has sent is enough.
    func rest(until isEnough: (String) -> Bool = { _ in false }) -> String {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 20)
      while !isEnough(String(decoding: bytes, as: UTF8.self)) {
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        bytes += buffer[..<count]
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads a head, and as many bytes as it announces.
    func answer() -> String {
      rest { text in
        guard let head = text.firstRange(of: "\r\n\r\n") else { return false }
        let length = text.firstMatch(of: /Content-Length: ([0-9]+)\r\n/).flatMap { Int($0.1) } ?? 0
        return text[head.upperBound...].utf8.count >= length
      }
    }

    func finishSending() { shutdown(socket, Int32(SHUT_WR)) }
  }

  /// The server for all rows of a table, because each server has a thread until the process ends.
  private static let served = Result { try Served() }
  private static let host = "Host: 127.0.0.1:PORT\r\n"

  @Test(arguments: [
    // The page and its requests.
    ("GET PATH/ HTTP/1.1\r\n\(host)\r\n", 200),
    ("GET PATH/ HTTP/1.0\r\n\(host)\r\n", 200),
    ("GET PATH/?from=1 HTTP/1.1\r\n\(host)\r\n", 200),
    ("GET PATH/ HTTP/1.1\r\nhOST: \t localhost:PORT \r\nX-More:\r\n\r\n", 200),
    ("GET PATH/ HTTP/1.1\r\n\(host)Origin: http://localhost:PORT\r\n\r\n", 200),
    ("GET PATH/ HTTP/1.1\r\n\(host)Cookie: name=é\r\n\r\n", 200),
    ("GET PATH/get HTTP/1.1\r\n\(host)Content-Length: 2\r\n\r\nab", 200),
    (
      "POST PATH/post HTTP/1.1\r\n\(host)Content-Type: application/json\r\nContent-Length: 2\r\n\r\n[]",
      200
    ),
    ("POST PATH/refuse HTTP/1.1\r\n\(host)Content-Type: application/json\r\n\r\n", 409),
    // Other addresses, methods and types.
    ("GET / HTTP/1.1\r\n\(host)\r\n", 404),
    ("GET /0123456789abcdef0123456789abcdef/ HTTP/1.1\r\n\(host)\r\n", 404),
    ("GET PATH/other HTTP/1.1\r\n\(host)\r\n", 404),
    ("GET PATH/get/get HTTP/1.1\r\n\(host)\r\n", 404),
    ("GET PATH/é HTTP/1.1\r\n\(host)\r\n", 404),
    ("POST PATH/ HTTP/1.1\r\n\(host)\r\n", 405),
    ("HEAD PATH/ HTTP/1.1\r\n\(host)\r\n", 405),
    ("GET PATH/post HTTP/1.1\r\n\(host)\r\n", 405),
    ("POST PATH/get HTTP/1.1\r\n\(host)\r\n", 405),
    ("POST PATH/post HTTP/1.1\r\n\(host)Content-Type: text/plain\r\n\r\n", 400),
    ("POST PATH/post HTTP/1.1\r\n\(host)\r\n", 400),
    // Foreign pages.
    ("GET PATH/ HTTP/1.1\r\n\r\n", 421),
    ("GET PATH/ HTTP/1.1\r\nHost: sluice.example:PORT\r\n\r\n", 421),
    ("GET PATH/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 421),
    ("GET PATH/ HTTP/1.1\r\n\(host)\(host)\r\n", 421),
    ("GET PATH/ HTTP/1.1\r\n\(host)Origin: http://sluice.example\r\n\r\n", 421),
    ("GET PATH/ HTTP/1.1\r\n\(host)Origin: null\r\n\r\n", 421),
    // Malformed heads.
    ("\r\n\r\n", 400),
    ("GET PATH/\r\n\r\n", 400),
    ("GET PATH/ HTTP/2.0\r\n\(host)\r\n", 400),
    ("GET  PATH/ HTTP/1.1\r\n\(host)\r\n", 400),
    ("GET PATH/ HTTP/1.1 \r\n\(host)\r\n", 400),
    ("GET http://127.0.0.1:PORTPATH/ HTTP/1.1\r\n\(host)\r\n", 400),
    ("G(T PATH/ HTTP/1.1\r\n\(host)\r\n", 400),
    ("GET PATH/ HTTP/1.1\r\n\(host)folded: 1\r\n 2\r\n\r\n", 400),
    ("GET PATH/ HTTP/1.1\r\nHost : 127.0.0.1:PORT\r\n\r\n", 400),
    ("GET PATH/ HTTP/1.1\r\n\(host)no colon\r\n\r\n", 400),
    ("GET PATH/ HTTP/1.1\r\n\(host)\(String(repeating: "a:\r\n", count: 99))\r\n", 200),
    ("GET PATH/ HTTP/1.1\r\n\(host)\(String(repeating: "a:\r\n", count: 100))\r\n", 400),
    ("GET PATH/ HTTP/1.1\r\n\(host)X: 1\n2\r\n\r\n", 400),
    ("GET PATH/ HTTP/1.1\r\n\(host)X: 1\r2\r\n\r\n", 400),
    ("GET PATH/ HTTP/1.1\r\n\(host)X: \u{0}\r\n\r\n", 400),
    ("GET PATH/ HTTP/1.1\r\n\(host)X: \u{7F}\r\n\r\n", 400),
    ("GET PATH/ HTTP/1.1\r\n\(host)é: 1\r\n\r\n", 400),
    ("GÉT PATH/ HTTP/1.1\r\n\(host)\r\n", 400),
    // Bodies.
    ("POST PATH/post HTTP/1.1\r\n\(host)Content-Length: 1\r\nContent-Length: 1\r\n\r\n[]", 400),
    ("POST PATH/post HTTP/1.1\r\n\(host)Content-Length: 1, 1\r\n\r\n[]", 400),
    ("POST PATH/post HTTP/1.1\r\n\(host)Content-Length: -1\r\n\r\n[]", 400),
    ("POST PATH/post HTTP/1.1\r\n\(host)Content-Length: +1\r\n\r\n[]", 400),
    ("POST PATH/post HTTP/1.1\r\n\(host)Content-Length:\r\n\r\n[]", 400),
    (
      "POST PATH/post HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n",
      411
    ),
    ("POST PATH/post HTTP/1.1\r\n\(host)Content-Length: 131073\r\n\r\n", 413),
    ("POST PATH/post HTTP/1.1\r\n\(host)Content-Length: 99999999999999999999\r\n\r\n", 413),
  ])
  func `the page server answers each HTTP request with the expected status`(
    request: String, status: Int
  ) throws {
    let answer = try Self.served.get().client(request).answer()
    #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
    #expect(answer.contains("\r\nConnection: close\r\n"))
  }

  @Test func `the page server sends the page with its length and security header fields`() throws {
    let answer = try Served(page: "<p>\u{e9}").get()
    for field in [
      "Content-Type: text/html; charset=utf-8", "Cache-Control: no-store", "Content-Length: 5",
      "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
      "Cross-Origin-Resource-Policy: same-origin",
      "Content-Security-Policy: frame-ancestors 'none'",
    ] {
      #expect(answer.contains("\r\n\(field)\r\n"))
    }
    #expect(answer.hasSuffix("\r\n\r\n<p>\u{e9}"))
  }

  @Test func `the response to a wrong HTTP method names the allowed method`() throws {
    let served = try Served()
    #expect(try served.get("post").contains("\r\nAllow: POST\r\n"))
    let answer = try served.answer(to: "PUT PATH/get HTTP/1.1\r\n\(Self.host)\r\n")
    #expect(answer.contains("\r\nAllow: GET\r\n"))
  }

  @Test func `the page server ignores the body of a GET request`() throws {
    let served = try Served()
    let body = "[\"\(String(repeating: "\u{e9}", count: 60_000))\"]"
    let type = "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
    let answer = try served.answer(
      to: "POST PATH/post HTTP/1.1\r\n\(Self.host)\(type)\(body)and more")
    #expect(answer.hasSuffix("\r\n\r\n\(body)"))
    let get = try served.answer(
      to: "GET PATH/get HTTP/1.1\r\n\(Self.host)Content-Length: 2\r\n\r\nab")
    #expect(get.hasSuffix("\r\n\r\n[0]"))
  }

  @Test func `an HTTP request may arrive byte by byte`() throws {
    let served = try Served()
    let client = try served.client()
    for byte in "GET \(served.path)get HTTP/1.1\r\nHost: 127.0.0.1:\(served.port)\r\n\r\n" {
      client.send(String(byte))
    }
    #expect(client.rest().hasPrefix("HTTP/1.1 200 OK\r\n"))
  }

  @Test func `the page server's refusal reaches a client that is still sending a large request`()
    throws
  {
    let served = try Served()
    let body = String(repeating: "x", count: 1 << 20)
    for (head, status) in [
      ("POST PATH/post HTTP/1.1\r\n\(Self.host)Content-Length: \(body.utf8.count)\r\n\r\n", 413),
      ("GET PATH/ HTTP/1.1\r\nX: ", 431),
    ] {
      let client = try served.client(head + body)
      #expect(client.answer().hasPrefix("HTTP/1.1 \(status) "))
    }
  }

  @Test func `a client that shuts down its sending side gets the HTTP response`() throws {
    let served = try Served()
    for (request, status) in [
      ("GET PATH/ HTTP/1.1\r\n\(Self.host)\r\n", 200), ("GET PATH/\r\n\r\n", 400),
      ("GET PATH/ HTTP/1.1\r\n\r\n", 421), ("GET PATH/get HTTP/1.1\r\n\(Self.host)\r\n", 200),
    ] {
      let client = try served.client(request)
      client.finishSending()
      #expect(client.rest().hasPrefix("HTTP/1.1 \(status) "))
    }
  }

  @Test func `at 64 connections, the page server drops the oldest one without a complete request`()
    throws
  {
    let served = try Served()
    let clients = try (0..<65).map { _ in try served.client("GET") }
    #expect(clients[0].rest().isEmpty)
    let rest = " \(served.path) HTTP/1.1\r\nHost: 127.0.0.1:\(served.port)\r\n\r\n"
    for client in clients.dropFirst() {
      client.send(rest)
      #expect(client.rest().hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }

  @Test func `the error for a port in use names the port`() throws {
    let port = try Served().port
    let error = #expect(throws: PageServerError.self) {
      try PageServer(page: "").start([], port: port)
    }
    #expect(error?.description == "cannot serve on port \(port): address already in use")
  }

  @Test
  func `at the limit of 64 event streams, new requests are refused until one stream is closed`()
    throws
  {
    let open = Mutexes()
    let served = try Served([
      PageRoute(.get, "events") { request in
        let events = request.beginEvents()
        events.whenClosed { open.ended.signal() }
        events.send("{}\n")
      }
    ])
    let request = "GET PATH/events HTTP/1.1\r\n\(Self.host)\r\n"
    var streams = try (0..<64).map { _ in try served.client(request) }
    for stream in streams {
      let begin = stream.rest { $0.hasSuffix("data: {}\n\n") }
      #expect(begin.contains("\r\nContent-Type: text/event-stream\r\n"))
    }
    #expect(try served.get().hasPrefix("HTTP/1.1 503 "))
    streams.removeLast()
    open.ended.wait()
    #expect(try served.get().hasPrefix("HTTP/1.1 200 "))
  }

  @Test func `a full event stream becomes writable again after its client reads`() throws {
    let open = Mutexes()
    let served = try Served([
      PageRoute(.get, "events") { request in
        let events = request.beginEvents()
        open.events.withLock { $0 = events }
        open.begun.signal()
        events.whenClosed { open.ended.signal() }
      }
    ])
    let client = try served.client("GET PATH/events HTTP/1.1\r\n\(Self.host)\r\n")
    open.begun.wait()
    let events = try #require(open.events.withLock { $0 })
    let line = String(repeating: "x", count: 60_000) + "\n"
    var count = 0
    while events.isWritable || count < 100 {
      events.send(line)
      count += 1
    }
    events.send("end\n")
    #expect(client.rest { $0.hasSuffix("data: end\n\n") }.utf8.count > count * line.utf8.count)
    while !events.isWritable { sched_yield() }
    events.close()
    #expect(client.rest().isEmpty)
    open.ended.wait()
  }

  /// The data that a route shares with its test.
  private final class Mutexes: Sendable {
    let events = Mutex<PageEvents?>(nil)
    let begun = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
  }
}
