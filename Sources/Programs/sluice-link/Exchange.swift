internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import NIOTLS

/// Exchanges messages between the device's host process, which this link serves, and the links of its peers. Confined
/// to one thread.
final class Exchange {
  private let loop: any EventLoop
  private let process: any Channel
  private var settings: LinkSettings?
  private var port = 0
  /// The connections on which messages to peers are sent, by peer number.
  private var connections: [UInt32: PeerConnection] = [:]
  /// The connections on which messages from peers arrive, by peer number.
  private var inlets: [UInt32: any Channel] = [:]
  /// The frames to send to the process at the end of this loop iteration.
  private var toProcess: ByteBuffer
  private var lost: Set<UInt32> = []
  /// The incoming connections whose peer has presented no certificate yet, oldest first.
  private var strangers: [any Channel] = []
  /// The maximum number of incoming connections without a certificate, in addition to one for each peer.
  private static let spareStrangers = 64
  private var isReadingProcess = true
  private var isReadingPeers = true

  private init(_ process: any Channel) {
    self.process = process
    loop = process.eventLoop
    toProcess = process.allocator.buffer(capacity: 1 << 16)
  }

  /// Runs a link for the process at the other end of a socket. Returns after the process has sent `end` or closed the
  /// socket.
  static func serve(_ descriptor: Int32) throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let channel = try ClientBootstrap(group: group)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 1 << 18))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ProcessHandler(Exchange(channel)))
        }
      }
      .withConnectedSocket(descriptor).wait()
    try channel.closeFuture.wait()
  }

  // MARK: The process

  /// Handles a frame from the process: a command to the link, or a message to a peer.
  fileprivate func receive(_ frame: ByteBuffer) throws {
    var message = frame
    guard let peer = message.readInteger(endianness: .little, as: UInt32.self) else {
      throw LinkError("a frame is too short")
    }
    guard peer == Frame.control else { return connections[peer]?.send(message) ?? () }
    try carryOut(Order(String(buffer: message)))
  }

  private func carryOut(_ order: Order) throws {
    switch order {
    case .settings(let text):
      settings = try LinkSettings(text)
      try listen()
    case .reach(let peer, let address, let port): try reach(peer, address, port)
    case .end: end()
    }
  }

  fileprivate func flush() {
    for connection in connections.values { connection.flush() }
    slowDown()
  }

  /// Applies backpressure. Stops reading from the process while a peer accepts no output, and stops reading from peers
  /// while the process accepts none.
  func slowDown() {
    let takesMore = connections.values.allSatisfy(\.isWritable)
    if takesMore != isReadingProcess {
      isReadingProcess = takesMore
      process.setOption(.autoRead, value: takesMore).whenFailure { _ in }
    }
    guard process.isWritable != isReadingPeers else { return }
    isReadingPeers = process.isWritable
    for inlet in inlets.values {
      inlet.setOption(.autoRead, value: isReadingPeers).whenFailure { _ in }
    }
  }

  private func end() {
    let ends = connections.values.map { $0.close() }
    EventLoopFuture.andAllComplete(ends, on: loop).whenComplete { [process] _ in
      process.close(promise: nil)
    }
  }

  // MARK: Notices

  private func send(_ notice: Notice) {
    toProcess.writeFrame(ByteBuffer(string: notice.text), of: Frame.control)
    flushToProcess()
  }

  fileprivate func flushToProcess() {
    guard toProcess.readableBytes > 0 else { return }
    process.writeAndFlush(toProcess, promise: nil)
    toProcess = process.allocator.buffer(capacity: 1 << 16)
    slowDown()
  }

  func lose(_ peer: UInt32, _ reason: String) {
    guard lost.insert(peer).inserted else { return }
    connections[peer]?.forget()
    connections[peer] = nil
    send(.lost(peer, reason))
  }

  // MARK: Peers

  private func listen() throws {
    guard let settings else { return }
    let context = try NIOSSLContext(configuration: settings.server)
    let own = NIOLoopBound(self, eventLoop: loop)
    ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: 1024)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      .childChannelOption(
        .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 1 << 16)
      )
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          own.value.didMeet(channel)
          let security = NIOSSLServerHandler(context: context)
          try channel.pipeline.syncOperations.addHandlers([
            security, InletHandler(own.value, security, channel),
          ])
        }
      }
      .bind(host: settings.address, port: 0)
      .assumeIsolated().whenComplete { [self] result in
        switch result {
        case .success(let channel):
          port = channel.localAddress?.port ?? 0
          send(.listening(port))
        case .failure(let error): send(.failed("cannot listen at \(settings.address): \(error)"))
        }
      }
  }

  private func reach(_ peer: UInt32, _ address: String, _ port: Int) throws {
    guard let settings else { throw LinkError("the settings are missing") }
    let context = try NIOSSLContext(configuration: settings.client)
    let connection = PeerConnection(self, to: peer, at: address, port, context, on: loop)
    connections[peer] = connection
    lost.remove(peer)
    connection.connect()
  }

  /// Returns the number of the peer to which the certificate belongs; nil for an unknown certificate.
  func peer(_ certificate: NIOSSLCertificate?) -> UInt32? {
    guard let bytes = try? certificate?.toDERBytes() else { return nil }
    return settings?.peers[bytes]
  }

  /// Adds an incoming connection that has no certificate yet. If there are too many of them, closes the oldest.
  private func didMeet(_ channel: any Channel) {
    strangers.append(channel)
    guard strangers.count > Self.spareStrangers + (settings?.peers.count ?? 0) else { return }
    strangers.removeFirst().close(promise: nil)
  }

  /// Removes a connection from ``strangers``, because it has presented a certificate or has closed.
  fileprivate func didIdentify(_ channel: any Channel) { strangers.removeAll { $0 === channel } }

  func didReach(_ peer: UInt32, from address: String) {
    send(.reached(peer, from: "\(address):\(port)"))
  }

  fileprivate func didOpen(_ inlet: any Channel, from peer: UInt32) {
    inlets[peer] = inlet
    guard !isReadingPeers else { return }
    inlet.setOption(.autoRead, value: false).whenFailure { _ in }
  }

  fileprivate func didReceive(_ message: ByteBuffer, from peer: UInt32) {
    guard message.readableBytes >= ByteBuffer.largePayload else {
      return toProcess.writeFrame(message, of: peer)
    }
    toProcess.writeInteger(UInt32(message.readableBytes + 4), endianness: .little)
    toProcess.writeInteger(peer, endianness: .little)
    flushToProcess()
    process.writeAndFlush(message, promise: nil)
  }

  /// Reports that the connection from a peer has closed. Call it once all messages from the peer are processed.
  fileprivate func didLose(inletFrom peer: UInt32, _ inlet: any Channel, _ reason: String) {
    guard inlets[peer] === inlet else { return }
    inlets[peer] = nil
    flushToProcess()
    lose(peer, reason)
  }

  /// Reports that the connection to a peer has closed. If messages can still arrive from the peer, first waits for
  /// them, at most 5 s.
  func didLose(connectionTo peer: UInt32, _ reason: String) {
    guard inlets[peer] != nil else { return lose(peer, reason) }
    loop.assumeIsolated().scheduleTask(in: .seconds(5)) { [self] in lose(peer, reason) }
  }
}

private final class ProcessHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let exchange: Exchange
  private var waiting = ByteBuffer()

  init(_ exchange: Exchange) { self.exchange = exchange }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    waiting.append(&bytes)
    do {
      while let frame = try Frame.read(from: &waiting) { try exchange.receive(frame) }
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

/// The handler of an incoming connection. The certificate that the other side presents identifies the peer.
private final class InletHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let exchange: Exchange
  private let security: NIOSSLServerHandler
  private let channel: any Channel
  /// The number of the peer; nil until it has presented its certificate.
  private var peer: UInt32?
  private var waiting = ByteBuffer()
  private var reason = "the peer closed the connection"

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

  /// The time within which the other side must present a certificate.
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
      while let frame = try Frame.read(from: &waiting) { exchange.didReceive(frame, from: peer) }
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
