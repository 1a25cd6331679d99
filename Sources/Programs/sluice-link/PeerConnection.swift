internal import NIOCore
internal import NIOSSL
internal import NIOTLS

/// The connection for messages to a peer. Messages are queued until it is established.
final class PeerConnection {
  private unowned let exchange: Exchange
  private let peer: UInt32
  private let loop: any EventLoop
  private var channel: (any Channel)?
  /// Small messages, which are sent together.
  private var buffer = ByteBuffer()
  private var isUnflushed = false
  /// Fulfilled when a connection that is being closed has closed.
  private var closing: EventLoopPromise<Void>?

  /// The number of queued bytes above which the process is no longer read.
  private static let mostWaiting = 1 << 24

  init(_ exchange: Exchange, to peer: UInt32, on loop: any EventLoop) {
    self.exchange = exchange
    self.peer = peer
    self.loop = loop
  }

  /// Whether the peer accepts more output.
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

  /// Starts sending, once the peer has presented its own certificate.
  func didConnect(_ channel: any Channel) {
    self.channel = channel
    exchange.didReach(peer, from: channel.localAddress?.ipAddress ?? "")
    flush()
    exchange.slowDown()
  }

  func isPeer(_ number: UInt32?) -> Bool { number == peer }

  func didChangeWritability() { exchange.slowDown() }

  /// Stops waiting until the connection has closed.
  func forget() {
    closing?.succeed()
    closing = nil
  }

  func didClose(_ reason: String) {
    forget()
    channel = nil
    exchange.didLose(connectionTo: peer, reason)
  }

  /// Closes the connection after all output has been sent, but no later than after ``patience``.
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

/// The handler of a connection to a peer, which must present its own certificate first.
final class OutletHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let connection: PeerConnection
  private let identify: (NIOSSLCertificate?) -> UInt32?
  private let security: NIOSSLClientHandler
  private var isConnected = false
  private var reason = "it has closed the connection"

  init(
    _ connection: PeerConnection, _ security: NIOSSLClientHandler,
    identifiedBy identify: @escaping (NIOSSLCertificate?) -> UInt32?
  ) {
    self.connection = connection
    self.security = security
    self.identify = identify
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    let deadline = context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) { [self] in
      guard !isConnected else { return }
      reason = "it presents no certificate"
      channel.close(promise: nil)
    }
    channel.closeFuture.whenComplete { _ in deadline.cancel() }
  }

  private static let patience = TimeAmount.seconds(20)

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted = event {
      guard connection.isPeer(identify(security.peerCertificate)) else {
        reason = "it presents a certificate of another host"
        return context.close(promise: nil)
      }
      isConnected = true
      connection.didConnect(context.channel)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    connection.didChangeWritability()
  }

  func channelInactive(context: ChannelHandlerContext) { connection.didClose(reason) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    reason = "\(error)"
    context.close(promise: nil)
  }
}
