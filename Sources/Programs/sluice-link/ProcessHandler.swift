internal import NIOCore

/// The connection to the process that the link serves.
final class ProcessHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let exchange: Exchange
  private var waiting = ByteBuffer()

  init(_ exchange: Exchange) { self.exchange = exchange }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    waiting.append(&bytes)
    do {
      while let frame = try Frame.take(from: &waiting) { try exchange.take(frame) }
    } catch {
      context.fireErrorCaught(error)
      context.close(promise: nil)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) { exchange.flush() }

  func channelWritabilityChanged(context: ChannelHandlerContext) { exchange.slowDown() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
