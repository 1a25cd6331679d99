import Distribution
import Encodings
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS

/// A process with a plain SwiftNIO TLS connection.
final class PlainPeer {
  private let settings: [Substring: Substring]
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  init(_ identity: LinkIdentity) {
    settings = identity.settings.split(separator: "\n").reduce(into: [:]) { settings, line in
      let words = line.split(separator: " ")
      if words.count == 2 { settings[words[0]] = words[1] }
    }
  }

  private func bytes(_ name: Substring) -> [UInt8] {
    settings[name].flatMap { Hexadecimal.bytes($0) } ?? []
  }

  private func complete(_ configuration: inout TLSConfiguration) throws {
    configuration.trustRoots = .certificates([
      try NIOSSLCertificate(bytes: bytes("authority"), format: .der)
    ])
    configuration.certificateVerification = .noHostnameVerification
    configuration.minimumTLSVersion = .tlsv13
  }

  private func chain() throws -> (NIOSSLCertificateSource, NIOSSLPrivateKeySource) {
    (
      .certificate(try NIOSSLCertificate(bytes: bytes("certificate"), format: .der)),
      .privateKey(try NIOSSLPrivateKey(bytes: bytes("key"), format: .der))
    )
  }

  func send(_ count: Int, of bytes: Int, to port: Int) throws -> ContinuousClock.Instant {
    let (certificate, key) = try chain()
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.certificateChain = [certificate]
    configuration.privateKey = key
    try complete(&configuration)
    let context = try NIOSSLContext(configuration: configuration)
    let sender = Sender(count, of: bytes)
    let channel = try ClientBootstrap(group: group)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers([
            try NIOSSLClientHandler(context: context, serverHostname: nil), sender,
          ])
        }
      }.connect(host: "127.0.0.1", port: port).wait()
    try channel.closeFuture.wait()
    return sender.start
  }

  func receive(_ count: Int, _ say: (String) -> Void) throws {
    let (certificate, key) = try chain()
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: [certificate], privateKey: key)
    try complete(&configuration)
    let context = try NIOSSLContext(configuration: configuration)
    let done = group.next().makePromise(of: Void.self)
    let server = try ServerBootstrap(group: group)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers([
            NIOSSLServerHandler(context: context), Receiver(count, done),
          ])
        }
      }.bind(host: "127.0.0.1", port: 0).wait()
    say("\(server.localAddress?.port ?? 0)")
    try done.futureResult.wait()
    say("done")
  }
}

/// Sends frames one at a time, as long as the connection is writable.
private final class Sender: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let count: Int
  private let frame: ByteBuffer
  private var sent = 0
  private(set) var start = ContinuousClock.now

  init(_ count: Int, of bytes: Int) {
    self.count = count
    var frame = ByteBuffer()
    frame.writeInteger(UInt32(bytes), endianness: .little)
    frame.writeRepeatingByte(7, count: bytes)
    self.frame = frame
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case TLSUserEvent.handshakeCompleted = event else { return }
    start = .now
    goOn(context)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) { goOn(context) }

  private func goOn(_ context: ChannelHandlerContext) {
    while sent < count, context.channel.isWritable {
      sent += 1
      let promise = sent == count ? context.eventLoop.makePromise(of: Void.self) : nil
      let channel = context.channel
      promise?.futureResult.whenComplete { _ in channel.close(promise: nil) }
      context.writeAndFlush(wrapOutboundOut(frame), promise: promise)
    }
  }
}

/// Counts complete frames.
private final class Receiver: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let count: Int
  private let done: EventLoopPromise<Void>
  private var received = 0
  private var waiting = ByteBuffer()

  init(_ count: Int, _ done: EventLoopPromise<Void>) {
    self.count = count
    self.done = done
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    waiting.writeBuffer(&bytes)
    while let length = waiting.getInteger(
      at: waiting.readerIndex, endianness: .little, as: UInt32.self),
      waiting.readableBytes >= 4 + Int(length)
    {
      waiting.moveReaderIndex(forwardBy: 4 + Int(length))
      received += 1
    }
    waiting.discardReadBytes()
    if received == count { done.succeed() }
  }
}
