internal import FoundationEssentials
internal import ManagedApp
internal import ManagedAppTLS
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import NIOTLS

/// Fetches what a configuration names, over TLS with an identity that the administrator provides.
struct ResourceLoader {
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// From connecting to the answer's end.
  private static let patience = TimeAmount.seconds(10)
  /// In bytes.
  private static let largestAnswer = 1 << 20

  /// - Returns: the body of the answer.
  /// - Throws: ``ResourceError``, and what TLS and the connection throw.
  func load(_ url: URL, as identity: SecIdentity?) async throws -> [UInt8] {
    guard url.scheme == "https", let host = url.host else { throw ResourceError.unknownServer }
    let servers = try ReachableServers()
    guard let address = servers.address(of: host, port: url.port ?? 443) else {
      throw ResourceError.unknownServer
    }
    var configuration = TLSConfiguration.makeClientConfiguration()
    if let identity {
      configuration = try TLSConfiguration.makeClientConfiguration(identity: identity)
    }
    configuration.trustRoots = servers.trustRoots
    let connection = try await connect(
      to: address, host, NIOSSLContext(configuration: configuration))
    return try await connection.channel.executeThenClose { answer, request in
      // What is written before would fail because the channel is closed, and not for the reason of that.
      try await connection.handshake.get()
      let path = url.path(percentEncoded: true)
      var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path.isEmpty ? "/" : path)
      head.headers.add(name: "Host", value: host)
      // Both at once: who answers the head may close before an end comes that is written later.
      try await request.write(contentsOf: [.head(head), .end(nil)])
      return try await Self.body(of: answer)
    }
  }

  private struct Connection {
    var channel: NIOAsyncChannel<HTTPClientResponsePart, HTTPPart<HTTPRequestHead, ByteBuffer>>
    /// Fails with what TLS has against the server.
    var handshake: EventLoopFuture<Void>
  }

  private func connect(
    to address: SocketAddress, _ host: String, _ context: NIOSSLContext
  ) async throws -> Connection {
    try await ClientBootstrap(group: group).connectTimeout(Self.patience).connect(to: address) {
      channel in
      channel.eventLoop.makeCompletedFuture {
        // Whatever keeps the other side: there is an end.
        let deadline = channel.eventLoop.scheduleTask(in: Self.patience) {
          channel.close(promise: nil)
        }
        channel.closeFuture.whenComplete { _ in deadline.cancel() }
        let pipeline = channel.pipeline.syncOperations
        let handshake = channel.eventLoop.makePromise(of: Void.self)
        try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: host))
        try pipeline.addHandler(HandshakeObserver(handshake))
        try pipeline.addHTTPClientHandlers()
        try pipeline.addHandler(OutboundBody())
        return Connection(
          channel: try NIOAsyncChannel(wrappingChannelSynchronously: channel),
          handshake: handshake.futureResult)
      }
    }
  }

  private static func body(
    of answer: NIOAsyncChannelInboundStream<HTTPClientResponsePart>
  ) async throws -> [UInt8] {
    var body: [UInt8] = []
    for try await part in answer {
      switch part {
      case .head(let head):
        guard head.status == .ok else { throw ResourceError.refused(Int(head.status.code)) }
      case .body(let piece):
        body += piece.readableBytesView
        guard body.count <= largestAnswer else { throw ResourceError.tooLong }
      case .end: return body
      }
    }
    throw ResourceError.noAnswer
  }
}

enum ResourceError: Error {
  /// The app may not reach it, or it is not to be reached over TLS.
  case unknownServer
  case refused(Int)
  case tooLong
  /// The connection ended before the answer did.
  case noAnswer
}

/// Tells how the handshake of TLS ends.
private final class HandshakeObserver: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let ended: EventLoopPromise<Void>

  init(_ ended: EventLoopPromise<Void>) { self.ended = ended }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted? = event as? TLSUserEvent { ended.succeed() }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    ended.fail(error)
    context.fireErrorCaught(error)
  }

  /// Also where nobody was there to connect to.
  func handlerRemoved(context: ChannelHandlerContext) { ended.fail(ResourceError.noAnswer) }
}

/// Hands parts of a request on as the HTTP encoder takes them.
private final class OutboundBody: ChannelOutboundHandler {
  typealias OutboundIn = HTTPPart<HTTPRequestHead, ByteBuffer>
  typealias OutboundOut = HTTPClientRequestPart

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let part: HTTPClientRequestPart =
      switch unwrapOutboundIn(data) {
      case .head(let head): .head(head)
      case .body(let buffer): .body(.byteBuffer(buffer))
      case .end(let trailers): .end(trailers)
      }
    context.write(wrapOutboundOut(part), promise: promise)
  }
}
