internal import Encodings
internal import JSON
internal import NIOCore
internal import NIOHTTP1

/// The handler of a connection. It answers the first request and then closes the connection.
final class PageHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let site: Site
  private let subscribers: NIOLoopBoundBox<Subscribers>
  private let clients: NIOLoopBoundBox<Clients>
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var isAnswered = false
  private var deadline: Scheduled<Void>?

  /// The timeout for receiving a request.
  private static let patience = TimeAmount.seconds(10)
  /// The maximum size of a body, in bytes. A step's texts and keys have at most half of it.
  private static let longestBody = 128 << 10

  init(
    _ site: Site, _ subscribers: NIOLoopBoundBox<Subscribers>, _ clients: NIOLoopBoundBox<Clients>
  ) {
    self.site = site
    self.subscribers = subscribers
    self.clients = clients
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    subscribers.value.remove(context.channel)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isAnswered else { return }
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body(let bytes):
      body += bytes.readableBytesView
      if body.count > Self.longestBody { refuse(.payloadTooLarge, context) }
    case .end:
      deadline?.cancel()
      if let head { answer(head, context) }
    }
  }

  // MARK: Responses

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    // Rejects other host names that resolve to this server, which a foreign page may use (DNS rebinding).
    guard Self.isOurs(head, context) else { return refuse(.misdirectedRequest, context) }
    let path = head.uri.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
    guard path.count == 3, path[0].isEmpty, site.secret.matches(path[1]) else {
      return refuse(.notFound, context)
    }
    guard clients.value.welcome(context.channel) else {
      return refuse(.serviceUnavailable, context)
    }
    switch (head.method, path[2]) {
    case (.GET, ""): send(site.page, as: "text/html; charset=utf-8", context)
    case (.GET, "events"): follow(context)
    case (.GET, "world") where site.session != nil:
      site.session?.describeWorld(answer(later: context))
    case (.POST, "steps") where site.session != nil:
      guard head.headers.first(name: "content-type") == "application/json",
        let step = (try? JSONReader.read(body))?.array?.first?.string
      else { return refuse(.badRequest, context) }
      carryOut(step, context)
    case (_, ""), (_, "events"): refuse(.methodNotAllowed, context, [("Allow", "GET")])
    default: refuse(.notFound, context)  // open: any other path
    }
  }

  private func carryOut(_ step: String, _ context: ChannelHandlerContext) {
    let channel = context.channel
    let answer = answer(later: context)
    guard let hangUp = site.session?.carryOut(step, while: { channel.isActive }, answer) else {
      return refuse(.tooManyRequests, context)
    }
    channel.closeFuture.whenComplete { _ in hangUp() }
  }

  /// Returns whether a request names this server and comes from its page, or from no page.
  private static func isOurs(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) -> Bool {
    guard let port = context.channel.localAddress?.port else { return false }
    let names = ["127.0.0.1:\(port)", "localhost:\(port)"]
    guard head.headers["host"].count == 1, names.contains(head.headers["host"][0]) else {
      return false
    }
    return head.headers["origin"].allSatisfy { origin in names.contains { "http://\($0)" == origin }
    }
  }

  private func follow(_ context: ChannelHandlerContext) {
    isAnswered = true
    context.writeAndFlush(
      wrapOutboundOut(.head(Self.head(.ok, "text/event-stream", length: nil))), promise: nil)
    subscribers.value.add(context.channel)
  }

  /// Returns a function that answers the request with JSON from another thread.
  private func answer(later context: ChannelHandlerContext) -> @Sendable (String) -> Void {
    isAnswered = true
    let channel = context.channel
    return { text in
      channel.write(
        HTTPServerResponsePart.head(
          Self.head(.ok, "application/json", length: text.utf8.count)), promise: nil)
      channel.write(
        HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: text))), promise: nil)
      channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in
        channel.close(promise: nil)
      }
    }
  }

  private func refuse(
    _ status: HTTPResponseStatus, _ context: ChannelHandlerContext,
    _ headers: [(String, String)] = []
  ) {
    send("\(status.reasonPhrase)\n", status, headers, as: "text/plain", context)
  }

  private func send(
    _ text: String, _ status: HTTPResponseStatus = .ok, _ headers: [(String, String)] = [],
    as type: String, _ context: ChannelHandlerContext
  ) {
    isAnswered = true
    let channel = context.channel
    var head = Self.head(status, type, length: text.utf8.count)
    head.headers.add(contentsOf: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      channel.close(promise: nil)
    }
  }

  /// Returns the head of a response.
  ///
  /// - Parameter length: The body's length in bytes; nil if unknown, for a chunked response.
  private static func head(
    _ status: HTTPResponseStatus, _ type: String, length: Int?
  ) -> HTTPResponseHead {
    var headers = HTTPHeaders([
      ("Content-Type", type), ("Cache-Control", "no-store"), ("Connection", "close"),
      ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Content-Security-Policy", "frame-ancestors 'none'"),
    ])
    if let length { headers.add(name: "Content-Length", value: "\(length)") }
    return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
  }
}

/// The open connections: those that have presented the secret, and those that have not, which anyone on this
/// machine can open.
struct Clients: Sendable {
  /// The connections without the secret, in the order of arrival.
  private var strangers: [any Channel] = []
  private var guests: Set<ObjectIdentifier> = []

  /// The maximum number of connections of each kind. Browsers open a few per page.
  private static let most = 64

  /// Adds a connection. If there are too many without the secret, closes the oldest of them.
  mutating func add(_ channel: any Channel) {
    strangers.append(channel)
    if strangers.count > Self.most { strangers.removeFirst().close(promise: nil) }
  }

  /// Marks a connection as one that has presented the secret.
  ///
  /// - Returns: False if there are too many.
  mutating func welcome(_ channel: any Channel) -> Bool {
    strangers.removeAll { $0 === channel }
    guard guests.count < Self.most else { return false }
    guests.insert(ObjectIdentifier(channel))
    return true
  }

  mutating func remove(_ channel: any Channel) {
    strangers.removeAll { $0 === channel }
    guests.remove(ObjectIdentifier(channel))
  }
}

/// The server's content for clients that know its address.
struct Site: Sendable {
  let page: String
  /// The device that carries out steps; nil if steps are disabled.
  let session: DeviceSession?
  let secret = PageSecret()
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

  /// Returns whether the text equals the secret, compared in constant time.
  func matches(_ text: some StringProtocol) -> Bool {
    let (one, other) = (Array(self.text.utf8), Array(text.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
