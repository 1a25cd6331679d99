internal import Encodings
internal import NIOCore
internal import NIOHTTP1

/// The handler of a connection. It answers the connection's first request, and then closes the
/// connection.
final class PageHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let site: Site
  private let clients: NIOLoopBoundBox<Clients>
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var isAnswered = false
  private var deadline: Scheduled<Void>?

  /// The timeout for receiving a request.
  private static let patience = TimeAmount.seconds(10)
  /// The maximum size of a body, in bytes. A step's texts and keys together may have half this
  /// size.
  private static let longestBody = 128 << 10

  init(_ site: Site, _ clients: NIOLoopBoundBox<Clients>) {
    self.site = site
    self.clients = clients
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
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

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    // The check rejects other host names that resolve to this server, because a foreign page may
    // use them (DNS rebinding).
    guard Self.isOurs(head, context) else { return refuse(.misdirectedRequest, context) }
    let path = head.uri.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
    guard path.count == 3, path[0].isEmpty, site.secret.matches(path[1]) else {
      return refuse(.notFound, context)
    }
    guard clients.value.welcome(context.channel) else {
      return refuse(.serviceUnavailable, context)
    }
    if path[2].isEmpty {
      guard head.method == .GET else { return refuse(.methodNotAllowed, allowing: .get, context) }
      isAnswered = true
      return context.channel.send(site.page, as: "text/html; charset=utf-8")
    }
    guard let route = site.routes.first(where: { $0.path == path[2] }) else {
      return refuse(.notFound, context)
    }
    guard head.method.rawValue == route.method.rawValue else {
      return refuse(.methodNotAllowed, allowing: route.method, context)
    }
    switch route.method {
    case .get: body = []
    case .post:
      guard head.headers.first(name: "content-type") == "application/json" else {
        return refuse(.badRequest, context)
      }
    }
    isAnswered = true
    route.answer(PageRequest(body: body, channel: context.channel))
  }

  /// Returns whether a request names this server, and comes from its page or from no page.
  private static func isOurs(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) -> Bool {
    guard let port = context.channel.localAddress?.port else { return false }
    let names = ["127.0.0.1:\(port)", "localhost:\(port)"]
    guard head.headers["host"].count == 1, names.contains(head.headers["host"][0]) else {
      return false
    }
    return head.headers["origin"].allSatisfy { origin in names.contains { "http://\($0)" == origin }
    }
  }

  private func refuse(
    _ status: HTTPResponseStatus, allowing method: PageRoute.Method? = nil,
    _ context: ChannelHandlerContext
  ) {
    isAnswered = true
    let headers = method.map { [("Allow", $0.rawValue)] } ?? []
    context.channel.send("\(status.reasonPhrase)\n", status, headers, as: "text/plain")
  }
}

/// The open connections. Connections that have presented the secret are separate from those that
/// have not, because any user of this machine can open the latter.
struct Clients: Sendable {
  /// The connections that have not presented the secret, in order of arrival.
  private var strangers: [any Channel] = []
  private var guests: Set<ObjectIdentifier> = []

  /// The maximum number of connections of each kind. A browser opens a few connections per page.
  private static let most = 64

  /// Adds a connection. If too many connections have not presented the secret, closes the oldest of
  /// them.
  mutating func add(_ channel: any Channel) {
    strangers.append(channel)
    if strangers.count > Self.most { strangers.removeFirst().close(promise: nil) }
  }

  /// Marks a connection as one that has presented the secret.
  ///
  /// - Returns: false if there are too many such connections.
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

/// The server's content, for clients that know its address.
struct Site: Sendable {
  let page: String
  let routes: [PageRoute]
  let secret: PageSecret
}

/// The unguessable part of the page's address.
struct PageSecret: Sendable {
  /// The secret, which is 128 random bits in hexadecimal.
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
