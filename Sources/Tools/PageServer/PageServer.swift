package import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A page with its requests, served on 127.0.0.1 to clients that know the address.
///
/// The address contains 128 random bits. Requests that name another host or come from another page are rejected.
package struct PageServer: Sendable {
  /// The thread on which requests arrive.
  package let loop: any EventLoop
  private let secret = PageSecret()
  private let page: String

  /// Creates a server.
  ///
  /// - Parameter page: The HTML that is served at the address itself.
  package init(page: String) {
    loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
    self.page = page
  }

  /// Starts to serve the page.
  ///
  /// - Parameters:
  ///   - routes: The requests with paths below the address.
  ///   - port: The port on 127.0.0.1; 0 to let the system choose a port.
  /// - Returns: The page's address.
  /// - Throws: ``PageServerError`` if the port is in use.
  package func start(_ routes: [PageRoute], port: Int) throws(PageServerError) -> String {
    do {
      let server = try bootstrap(routes).bind(host: "127.0.0.1", port: port).wait()
      return "http://127.0.0.1:\(server.localAddress?.port ?? 0)/\(secret.text)/"
    } catch {
      throw PageServerError(description: "cannot serve on port \(port): \(error)")
    }
  }

  /// Waits for the end of the process.
  package func wait() -> Never {
    let never = loop.makePromise(of: Void.self)
    while true { try? never.futureResult.wait() }
  }

  private func bootstrap(_ routes: [PageRoute]) -> ServerBootstrap {
    let clients = NIOLoopBoundBox.makeBoxSendingValue(Clients(), eventLoop: loop)
    let site = Site(page: page, routes: routes, secret: secret)
    return ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: 64)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          clients.value.add(channel)
          channel.closeFuture.whenComplete { _ in clients.value.remove(channel) }
          let pipeline = channel.pipeline.syncOperations
          try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: true)
          try pipeline.addHandler(PageHandler(site, clients))
        }
      }
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

  /// Creates a route.
  ///
  /// - Parameters:
  ///   - path: The last part of the path, such as `events`.
  ///   - answer: Called on the server's thread. It must answer the request by calling one of the
  ///     request's methods, immediately or later on any thread.
  package init(
    _ method: Method, _ path: String, _ answer: @escaping @Sendable (PageRequest) -> Void
  ) {
    self.method = method
    self.path = path
    self.answer = answer
  }
}

/// A request from the page. Its methods may be called on any thread. Exactly one of the methods
/// that answer the request must be called, once.
package struct PageRequest: Sendable {
  /// The body of the request; empty for GET.
  package let body: [UInt8]
  let channel: any Channel

  /// Whether the client is still connected.
  package var isConnected: Bool { channel.isActive }

  /// Calls `body` when the client has disconnected.
  package func whenDisconnected(_ body: @escaping @Sendable () -> Void) {
    channel.closeFuture.whenComplete { _ in body() }
  }

  /// Answers the request with a JSON text.
  package func answer(_ json: String) { channel.send(json, as: "application/json") }

  /// The reasons for rejecting a request.
  package enum Refusal: Sendable {
    case badRequest, conflict, tooManyRequests

    fileprivate var status: HTTPResponseStatus {
      switch self {
      case .badRequest: .badRequest
      case .conflict: .conflict
      case .tooManyRequests: .tooManyRequests
      }
    }
  }

  package func refuse(_ refusal: Refusal) {
    channel.send("\(refusal.status.reasonPhrase)\n", refusal.status, as: "text/plain")
  }

  /// Answers the request with a stream of events, which lasts until either side closes it.
  package func beginEvents() -> PageEvents {
    channel.writeAndFlush(
      HTTPServerResponsePart.head(
        HTTPResponseHead(.ok, "text/event-stream", length: nil)), promise: nil)
    return PageEvents(channel: channel)
  }
}

/// A stream of events to a page.
package struct PageEvents: Sendable {
  fileprivate let channel: any Channel

  package var id: ObjectIdentifier { ObjectIdentifier(channel) }

  /// Whether the page has accepted the previous events.
  package var isWritable: Bool { channel.isWritable }

  /// Sends an event.
  ///
  /// - Parameter line: One line with its line break.
  package func send(_ line: String) {
    let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "data: \(line)\n")))
    channel.writeAndFlush(part, promise: nil)
  }

  package func close() { channel.close(promise: nil) }

  /// Calls `body` on the server's thread when the stream has ended.
  package func whenClosed(_ body: @escaping @Sendable () -> Void) {
    channel.closeFuture.whenComplete { _ in body() }
  }
}

extension Channel {
  /// Sends a response, and closes the connection.
  func send(
    _ text: String, _ status: HTTPResponseStatus = .ok, _ headers: [(String, String)] = [],
    as type: String
  ) {
    var head = HTTPResponseHead(status, type, length: text.utf8.count)
    head.headers.add(contentsOf: headers)
    write(HTTPServerResponsePart.head(head), promise: nil)
    write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: text))), promise: nil)
    writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in
      self.close(promise: nil)
    }
  }
}

extension HTTPResponseHead {
  /// Creates a response head.
  ///
  /// - Parameter length: The body's length in bytes; nil if it is unknown, which requires a chunked
  ///   response.
  fileprivate init(_ status: HTTPResponseStatus, _ type: String, length: Int?) {
    var headers = HTTPHeaders([
      ("Content-Type", type), ("Cache-Control", "no-store"), ("Connection", "close"),
      ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Content-Security-Policy", "frame-ancestors 'none'"),
    ])
    if let length { headers.add(name: "Content-Length", value: "\(length)") }
    self.init(version: .http1_1, status: status, headers: headers)
  }
}

// MARK: - Slow answers

/// A thread for requests whose answers wait for something outside of the server. They run one after the other.
package final class PageThread: Sendable {
  private let pool = NIOThreadPool(numberOfThreads: 1)

  package init() { pool.start() }

  package func run(_ body: @escaping @Sendable () -> Void) {
    pool.submit { _ in body() }
  }
}
