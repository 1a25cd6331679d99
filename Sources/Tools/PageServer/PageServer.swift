internal import Dispatch
internal import Encodings
internal import EventLoop
internal import Synchronization

/// Serves a page, and answers the page's requests, on 127.0.0.1. Clients must know the address.
///
/// The address contains 128 random bits. Requests that name another host or come from another page are rejected.
package struct PageServer: Sendable {
  private let page: String

  /// Creates a server that has not started.
  ///
  /// - Parameter page: The HTML that is served at the address itself.
  package init(page: String) { self.page = page }

  /// Starts to serve the page, on a thread of its own, until the process ends.
  ///
  /// - Parameters:
  ///   - routes: The kinds of requests that the page can make, with paths below the address.
  ///   - port: The port on 127.0.0.1; 0 to let the system choose a port.
  /// - Returns: The page's address.
  /// - Throws: ``PageServerError`` if the port is in use.
  package func start(_ routes: [PageRoute], port: Int) throws(PageServerError) -> String {
    let site = Site(page: page, routes: routes, secret: PageSecret())
    let outcome = Mutex<Result<UInt16, EventLoopError>?>(nil)
    let isDecided = DispatchSemaphore(value: 0)
    let decide = { @Sendable (result: Result<UInt16, EventLoopError>) in
      outcome.withLock { $0 = result }
      isDecided.signal()
    }
    DispatchQueue(label: "page").async {
      do throws(EventLoopError) {
        let loop = try EventLoop()
        do throws(EventLoopError) {
          let clients = try PageClients(of: site, on: loop, port: UInt16(clamping: port))
          decide(.success(clients.port))
          withExtendedLifetime(clients) { loop.run() }
        } catch {
          loop.close()
          throw error
        }
      } catch {
        decide(.failure(error))
      }
    }
    isDecided.wait()
    switch outcome.withLock({ $0 }) {
    case .success(let port): return "http://127.0.0.1:\(port)/\(site.secret.text)/"
    case .failure(let error):
      throw PageServerError(description: "cannot serve on port \(port): \(error.reason)")
    case nil: preconditionFailure("the server's thread has not reported whether it started")
    }
  }

  package static func wait() -> Never {
    let never = DispatchSemaphore(value: 0)
    while true { never.wait() }
  }
}

/// A failure of the server to use a port.
package struct PageServerError: Error, CustomStringConvertible {
  package let description: String
}

/// A kind of request that the page can make.
package struct PageRoute: Sendable {
  let method: Method
  let path: String
  let answer: @Sendable (PageRequest) -> Void

  package enum Method: String, Sendable {
    case get = "GET"
    /// A POST request with a body of type `application/json`. Other bodies are rejected.
    case post = "POST"
  }

  /// Creates a route for requests to one path.
  ///
  /// - Parameters:
  ///   - path: The last part of the path, such as `events`.
  ///   - answer: Called on the server's thread. It must answer the request by calling one of the request's methods,
  ///     immediately or later on any thread.
  package init(
    _ method: Method, _ path: String, _ answer: @escaping @Sendable (PageRequest) -> Void
  ) {
    self.method = method
    self.path = path
    self.answer = answer
  }
}

/// A request from the page. Its methods may be called on any thread. Exactly one of its answering methods must be
/// called, exactly once.
package struct PageRequest: Sendable {
  /// The body of the request; empty for GET.
  package let body: [UInt8]
  let connection: PageConnection

  package var isConnected: Bool { connection.isOpen }

  package func whenDisconnected(_ body: @escaping @Sendable () -> Void) {
    connection.whenClosed(body)
  }

  package func answer(_ json: String) {
    connection.send(PageResponse(type: "application/json", body: json).bytes, isLast: true)
  }

  package enum Refusal: Sendable {
    case badRequest, conflict, tooManyRequests

    fileprivate var status: PageResponse.Status {
      switch self {
      case .badRequest: .badRequest
      case .conflict: .conflict
      case .tooManyRequests: .tooManyRequests
      }
    }
  }

  package func refuse(_ refusal: Refusal) {
    connection.send(PageResponse(refusing: refusal.status).bytes, isLast: true)
  }

  /// Answers the request with a stream of events, which lasts until either side closes it.
  package func beginEvents() -> PageEvents {
    connection.send(PageResponse(type: "text/event-stream", body: nil).bytes, isLast: false)
    return PageEvents(connection: connection)
  }
}

/// A stream of events to a page.
package struct PageEvents: Sendable, Identifiable {
  fileprivate let connection: PageConnection

  package var id: Int { connection.number }

  /// Whether the stream is open, and the page accepts events fast enough.
  package var isWritable: Bool { connection.isWritable }

  /// Sends a line of data.
  ///
  /// - Parameter line: One line with its line break.
  package func send(_ line: String) {
    connection.send(Array("data: \(line)\n".utf8), isLast: false)
  }

  package func close() { connection.close() }

  /// Calls `body` when the stream has ended, on the server's thread, or immediately if it has ended already.
  package func whenClosed(_ body: @escaping @Sendable () -> Void) { connection.whenClosed(body) }
}

/// The page and the routes of a server. All of their paths begin with the server's secret.
struct Site: Sendable {
  let page: String
  let routes: [PageRoute]
  let secret: PageSecret
}

/// The unguessable part of the page's address.
struct PageSecret: Sendable {
  /// 128 random bits in hexadecimal.
  let text: String

  init() {
    var generator = SystemRandomNumberGenerator()
    text = Hexadecimal.text(
      (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }

  /// Returns whether the text equals the secret. The comparison takes constant time.
  func matches(_ text: some StringProtocol) -> Bool {
    let (one, other) = (Array(self.text.utf8), Array(text.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

// MARK: - Messages

/// A response. The server closes the connection after it, so a body of unknown length ends with the connection.
struct PageResponse {
  var status = Status.ok
  var headers: [(String, String)] = []
  var type: String
  /// The body; nil if it follows separately.
  var body: String?

  enum Status: Int {
    case ok = 200
    case badRequest = 400
    case notFound = 404
    case methodNotAllowed = 405
    case conflict = 409
    case lengthRequired = 411
    case contentTooLarge = 413
    case misdirectedRequest = 421
    case tooManyRequests = 429
    case headTooLarge = 431
    case serviceUnavailable = 503

    /// The reason phrase, as registered with IANA.
    var reason: String {
      switch self {
      case .ok: "OK"
      case .badRequest: "Bad Request"
      case .notFound: "Not Found"
      case .methodNotAllowed: "Method Not Allowed"
      case .conflict: "Conflict"
      case .lengthRequired: "Length Required"
      case .contentTooLarge: "Content Too Large"
      case .misdirectedRequest: "Misdirected Request"
      case .tooManyRequests: "Too Many Requests"
      case .headTooLarge: "Request Header Fields Too Large"
      case .serviceUnavailable: "Service Unavailable"
      }
    }
  }

  init(type: String, body: String?) {
    self.type = type
    self.body = body
  }

  init(refusing status: Status, allowing method: PageRoute.Method? = nil) {
    self.status = status
    headers = method.map { [("Allow", $0.rawValue)] } ?? []
    type = "text/plain"
    body = "\(status.reason)\n"
  }

  var bytes: [UInt8] {
    var lines = [
      ("Content-Type", type), ("Cache-Control", "no-store"), ("Connection", "close"),
      ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Content-Security-Policy", "frame-ancestors 'none'"),
    ]
    if let body { lines.append(("Content-Length", "\(body.utf8.count)")) }
    let head = (lines + headers).map { "\($0): \($1)\r\n" }.joined()
    return Array("HTTP/1.1 \(status.rawValue) \(status.reason)\r\n\(head)\r\n\(body ?? "")".utf8)
  }
}

/// The head of a request (RFC 9112).
///
/// The server refuses syntax that the RFC only tolerates, such as folded lines. It accepts bytes beyond ASCII in
/// values, because browsers also send the cookies of other servers on this machine, which may contain such bytes.
struct PageRequestHead {
  private(set) var method: Substring
  private(set) var target: Substring
  /// The header fields, with names in lower case.
  private var fields: [(name: String, value: Substring)] = []

  /// The maximum number of header fields. A browser sends about twenty.
  private static let mostFields = 100

  /// Reads a head.
  ///
  /// - Parameter bytes: The lines with their line breaks, without the empty line.
  /// - Returns: nil if the head is malformed.
  init?(_ bytes: some Collection<UInt8>) {
    guard bytes.allSatisfy({ $0 >= 0x20 ? $0 != 0x7F : $0 == 0x09 || $0 == 0x0A || $0 == 0x0D })
    else { return nil }
    // In a Swift string, CR LF is one character.
    // Bytes beyond ASCII become DEL, which no name, method or expected value contains.
    let text = String(decoding: bytes.map { $0 < 0x80 ? $0 : 0x7F }, as: UTF8.self)
    guard text.allSatisfy({ $0 != "\r" && $0 != "\n" }), text.hasSuffix("\r\n") else { return nil }
    // The request's line, the fields, the empty text after the last line break, and one more if there are too many.
    let parts = text.split(
      separator: "\r\n", maxSplits: Self.mostFields + 2, omittingEmptySubsequences: false)
    guard parts.count <= Self.mostFields + 2 else { return nil }
    let lines = parts.dropLast()
    let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, Self.isToken(words[0]), words[1].hasPrefix("/"),
      ["HTTP/1.1", "HTTP/1.0"].contains(words[2])
    else { return nil }
    (method, target) = (words[0], words[1])
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), Self.isToken(line[..<colon]) else { return nil }
      var value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      while let last = value.last, last == " " || last == "\t" { value.removeLast() }
      fields.append((line[..<colon].lowercased(), value))
    }
  }

  /// Returns the values of the fields with this name, which must be in lower case.
  subscript(name: String) -> [Substring] { fields.filter { $0.name == name }.map(\.value) }

  /// Returns whether the text is a `token` of RFC 9110, such as a field's name or a method.
  private static func isToken(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.allSatisfy { $0.isLetter || $0.isNumber || "!#$%&'*+-.^_`|~".contains($0) }
  }
}
