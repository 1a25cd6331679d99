internal import NIOCore
internal import NIOSSL
internal import NIOTLS

/// A connection by which messages go to a peer, which has to show its own certificate first.
final class OutletHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let outlet: Outlet
  private let identify: (NIOSSLCertificate?) -> UInt32?
  private let security: NIOSSLClientHandler
  private var isConnected = false
  private var reason = "it has closed the connection"

  init(
    _ outlet: Outlet, _ security: NIOSSLClientHandler,
    identifiedBy identify: @escaping (NIOSSLCertificate?) -> UInt32?
  ) {
    self.outlet = outlet
    self.security = security
    self.identify = identify
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    let deadline = context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) { [self] in
      guard !isConnected else { return }
      reason = "it shows no certificate"
      channel.close(promise: nil)
    }
    channel.closeFuture.whenComplete { _ in deadline.cancel() }
  }

  private static let patience = TimeAmount.seconds(20)

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted = event {
      guard outlet.isPeer(identify(security.peerCertificate)) else {
        reason = "it shows a certificate that is not its own"
        return context.close(promise: nil)
      }
      isConnected = true
      outlet.didConnect(context.channel)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) { outlet.didChangeWritability() }

  func channelInactive(context: ChannelHandlerContext) { outlet.didClose(reason) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    reason = "\(error)"
    context.close(promise: nil)
  }
}
