internal import NIOCore

/// The connection by which messages go to a peer. What is sent before it is there waits.
final class Outlet {
  private unowned let exchange: Exchange
  private let peer: UInt32
  private let loop: any EventLoop
  private var channel: (any Channel)?
  /// Small messages that go together.
  private var buffer = ByteBuffer()
  private var isUnflushed = false
  /// Whether the connection is to be closed once it is there, and all has gone.
  private var closing: EventLoopPromise<Void>?

  /// The bytes that may wait for a connection before the process is read no more.
  private static let mostWaiting = 1 << 24

  init(_ exchange: Exchange, to peer: UInt32, on loop: any EventLoop) {
    self.exchange = exchange
    self.peer = peer
    self.loop = loop
  }

  /// Whether the peer takes more.
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

  /// Goes on: the peer has shown the certificate that is its own.
  func didConnect(_ channel: any Channel) {
    self.channel = channel
    exchange.didReach(peer, from: channel.localAddress?.ipAddress ?? "")
    flush()
    exchange.slowDown()
    if let closing { close(channel, closing) }
  }

  func isPeer(_ number: UInt32?) -> Bool { number == peer }

  func didChangeWritability() { exchange.slowDown() }

  func didClose(_ reason: String) {
    closing?.succeed()
    channel = nil
    exchange.didLose(peer, nil, reason)
  }

  /// Closes the connection once all has gone.
  func close() -> EventLoopFuture<Void> {
    let promise = loop.makePromise(of: Void.self)
    closing = promise
    if let channel {
      flush()
      close(channel, promise)
    }
    return promise.futureResult
  }

  private func close(_ channel: any Channel, _ promise: EventLoopPromise<Void>) {
    // After all that was written before.
    channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(promise: nil) }
  }
}
