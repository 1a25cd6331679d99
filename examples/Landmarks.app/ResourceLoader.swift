internal import FoundationEssentials
internal import ManagedApp
internal import ManagedAppTLS
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import NIOTLS

/// Fetches a configured URL over TLS, with an identity that the administrator provides.
struct ResourceLoader {
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// The timeout from connecting to the end of the response.
  private static let patience = TimeAmount.seconds(10)
  /// The maximum size of a response, in bytes.
  private static let largestAnswer = 1 << 20

  /// - Returns: the body of the response.
  /// - Throws: ``ResourceError``, or an error of TLS or the connection.
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
      // A write before the handshake would fail with a closed channel instead of the actual TLS error.
      try await connection.handshake.get()
      let path = url.path(percentEncoded: true)
      var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path.isEmpty ? "/" : path)
      head.headers.add(name: "Host", value: host)
      // Both parts are written at once, because a server may close the connection after the head.
      try await request.write(contentsOf: [.head(head), .end(nil)])
      return try await Self.body(of: answer)
    }
  }

  private struct Connection {
    var channel: NIOAsyncChannel<HTTPClientResponsePart, HTTPPart<HTTPRequestHead, ByteBuffer>>
    /// The result of the handshake; fails if TLS rejects the server.
    var handshake: EventLoopFuture<Void>
  }

  private func connect(
    to address: SocketAddress, _ host: String, _ context: NIOSSLContext
  ) async throws -> Connection {
    try await ClientBootstrap(group: group).connectTimeout(Self.patience).connect(to: address) {
      channel in
      channel.eventLoop.makeCompletedFuture {
        // The timeout applies whatever delays the server.
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
  /// The app may not reach the server, or its URL does not use TLS.
  case unknownServer
  case refused(Int)
  case tooLong
  /// The connection ended before the response was complete.
  case noAnswer
}

/// Reports the result of the TLS handshake.
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

  /// Also called if the connection could not be established.
  func handlerRemoved(context: ChannelHandlerContext) { ended.fail(ResourceError.noAnswer) }
}

/// Forwards the parts of a request to the HTTP encoder.
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
