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

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted = event {
      peer = exchange.peer(security.peerCertificate)
      guard peer != nil else { return context.close(promise: nil) }
      exchange.didOpen(channel)
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
    exchange.didLose(peer, channel, reason)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    reason = "\(error)"
    context.close(promise: nil)
  }
}
