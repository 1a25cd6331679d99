internal import NIOCore
internal import NIOSSL
internal import NIOTLS

/// A connection by which messages come from a peer, whom the certificate names.
final class InletHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let exchange: Exchange
  private let security: NIOSSLServerHandler
  private let channel: any Channel
  /// The peer; nil until it has shown its certificate.
  private var peer: UInt32?
  private var waiting = ByteBuffer()
  private var reason = "it has closed the connection"

  init(_ exchange: Exchange, _ security: NIOSSLServerHandler, _ channel: any Channel) {
    self.exchange = exchange
    self.security = security
    self.channel = channel
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = channel
    let deadline = context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) { [self] in
      if peer == nil { channel.close(promise: nil) }
    }
    channel.closeFuture.whenComplete { _ in deadline.cancel() }
  }

  /// The time in which a peer has to show its certificate.
  private static let patience = TimeAmount.seconds(10)

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted = event {
      exchange.didIdentify(channel)
      guard let known = exchange.peer(security.peerCertificate) else {
        return context.close(promise: nil)
      }
      peer = known
      exchange.didOpen(channel, from: known)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let peer else { return }
    var bytes = unwrapInboundIn(data)
    waiting.append(&bytes)
    do {
      while let frame = try Frame.take(from: &waiting) { exchange.didReceive(frame, from: peer) }
    } catch {
      reason = "\(error)"
      context.close(promise: nil)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) { exchange.flushToProcess() }

  func channelInactive(context: ChannelHandlerContext) {
    exchange.didIdentify(channel)
    if let peer { exchange.didLose(inletFrom: peer, channel, reason) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    reason = "\(error)"
    context.close(promise: nil)
  }
}
