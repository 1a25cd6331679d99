internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import NIOTLS

/// The connection on which messages to a peer are sent. Until it is established, messages are queued.
///
/// A peer with too many unidentified connections closes some of them before the handshake. If the peer closes this
/// connection, another attempt follows.
final class PeerConnection {
  private unowned let exchange: Exchange
  private let peer: UInt32
  private let address: String
  private let port: Int
  private let context: NIOSSLContext
  private let loop: any EventLoop
  /// The time after which no further attempt to connect begins.
  private let deadline = NIODeadline.now() + PeerConnection.connectionPatience
  private var channel: (any Channel)?
  /// Messages that are small enough to be sent together.
  private var buffer = ByteBuffer()
  private var isUnflushed = false
  /// The promise behind the result of ``close()``, which succeeds once the connection has closed. Nil if no close is in
  /// progress.
  private var closing: EventLoopPromise<Void>?

  /// The number of queued bytes above which the link stops reading from its process.
  private static let mostWaiting = 1 << 24

  /// The timeout of one attempt to connect. It is also the period in which attempts may begin.
  fileprivate static let connectionPatience = TimeAmount.seconds(20)
  /// The time between the end of an attempt to connect and the next attempt.
  private static let pause = TimeAmount.milliseconds(100)

  init(
    _ exchange: Exchange, to peer: UInt32, at address: String, _ port: Int,
    _ context: NIOSSLContext, on loop: any EventLoop
  ) {
    self.exchange = exchange
    self.peer = peer
    self.address = address
    self.port = port
    self.context = context
    self.loop = loop
  }

  func connect() {
    let own = NIOLoopBound(self, eventLoop: loop)
    ClientBootstrap(group: loop)
      .connectTimeout(Self.connectionPatience)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.socketOption(.so_keepalive), value: 1)
      .channelInitializer { [context] channel in
        channel.eventLoop.makeCompletedFuture {
          let security = try NIOSSLClientHandler(context: context, serverHostname: nil)
          try channel.pipeline.syncOperations.addHandlers([
            security, OutletHandler(own.value, security),
          ])
        }
      }
      .connect(host: address, port: port)
      .assumeIsolated().whenFailure { [self] error in
        exchange.lose(peer, "cannot reach \(address):\(port): \(error)")
      }
  }

  /// Whether more output can be sent without exceeding the limit for queued bytes.
  var isWritable: Bool { channel?.isWritable ?? (buffer.readableBytes < Self.mostWaiting) }

  func send(_ message: ByteBuffer) {
    guard let channel, message.readableBytes >= ByteBuffer.largePayload else {
      return buffer.writeFrame(message)
    }
    buffer.writeInteger(UInt32(message.readableBytes), endianness: .little)
    channel.write(takeBuffer(channel), promise: nil)
    channel.write(message, promise: nil)
    isUnflushed = true
  }

  private func takeBuffer(_ channel: any Channel) -> ByteBuffer {
    let bytes = buffer
    buffer = channel.allocator.buffer(capacity: 1 << 12)
    return bytes
  }

  func flush() {
    guard let channel, isUnflushed || buffer.readableBytes > 0 else { return }
    isUnflushed = false
    if buffer.readableBytes > 0 { channel.write(takeBuffer(channel), promise: nil) }
    channel.flush()
  }

  /// Sends the queued messages. Called when the peer has presented its certificate.
  func didConnect(_ channel: any Channel) {
    self.channel = channel
    exchange.didReach(peer, from: channel.localAddress?.ipAddress ?? "")
    flush()
    exchange.slowDown()
  }

  func isPeer(_ certificate: NIOSSLCertificate?) -> Bool { exchange.peer(certificate) == peer }

  func didChangeWritability() { exchange.slowDown() }

  /// Completes the future that ``close()`` returned, whether or not the connection has closed.
  func forget() {
    closing?.succeed()
    closing = nil
  }

  /// Called when the peer has closed the connection before the handshake. Connects again, or reports the connection as
  /// closed if ``deadline`` has passed.
  func wasTurnedAway(_ reason: String) {
    guard NIODeadline.now() < deadline else { return didClose(reason) }
    // If the peer is lost meanwhile, nothing else keeps the connection.
    loop.assumeIsolated().scheduleTask(in: Self.pause) { [weak self] in self?.connect() }
  }

  func didClose(_ reason: String) {
    forget()
    channel = nil
    exchange.didLose(connectionTo: peer, reason)
  }

  /// Sends all output, and then closes the connection. After ``patience``, closes it even if output is left.
  func close() -> EventLoopFuture<Void> {
    guard let channel else { return loop.makeSucceededVoidFuture() }
    let promise = loop.makePromise(of: Void.self)
    closing = promise
    flush()
    // Completes after all earlier writes.
    channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(promise: nil) }
    loop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    return promise.futureResult
  }

  private static let patience = TimeAmount.seconds(5)
}

/// The handler of a connection to a peer. The connection is used once the peer has presented its certificate.
final class OutletHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let connection: PeerConnection
  private let security: NIOSSLClientHandler
  private var state = State.connecting
  private var reason = "the peer closed the connection"

  private enum State {
    case connecting
    case connected
    /// The connection has failed, and no further attempt follows.
    case rejected
  }

  init(_ connection: PeerConnection, _ security: NIOSSLClientHandler) {
    self.connection = connection
    self.security = security
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    let deadline = context.eventLoop.assumeIsolated().scheduleTask(
      in: PeerConnection.connectionPatience
    ) { [self] in
      guard state == .connecting else { return }
      reject("it presents no certificate")
      channel.close(promise: nil)
    }
    channel.closeFuture.whenComplete { _ in deadline.cancel() }
  }

  private func reject(_ reason: String) {
    state = .rejected
    self.reason = reason
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted = event {
      guard connection.isPeer(security.peerCertificate) else {
        reject("the peer presented another host's certificate")
        return context.close(promise: nil)
      }
      state = .connected
      connection.didConnect(context.channel)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    connection.didChangeWritability()
  }

  func channelInactive(context: ChannelHandlerContext) {
    switch state {
    case .connecting: connection.wasTurnedAway(reason)
    case .connected, .rejected: connection.didClose(reason)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if state == .connecting, !Self.isEnd(error) { state = .rejected }
    reason = "\(error)"
    context.close(promise: nil)
  }

  /// Returns whether the error means only that the peer has closed the connection.
  private static func isEnd(_ error: any Error) -> Bool {
    error is IOError
      || error as? NIOSSLError == .handshakeFailed(.sslError([.eofDuringHandshake]))
  }
}
