internal import CConfinement
internal import Encodings
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import NIOTLS
internal import Synchronization

/// An HTTPS server for the files of a folder. Each connection serves one request.
struct FileServer {
  private let folder: ServedFolder
  private let context: NIOSSLContext
  private let connections = ConnectionCount()

  /// Creates a server.
  ///
  /// - Throws: An error from NIOSSL if it rejects the settings.
  init(_ folder: ServedFolder, _ settings: ServerSettings) throws {
    self.folder = folder
    context = try NIOSSLContext(configuration: settings.configuration)
  }

  /// Listens, and serves requests until the process is terminated.
  ///
  /// - Throws: An error from NIO if the server cannot listen.
  func run() throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let server = try ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 128)
      .childChannelInitializer { [folder, context, connections] channel in
        channel.eventLoop.makeCompletedFuture {
          try Self.prepare(channel, folder, context, connections)
        }
      }
      .bind(host: "127.0.0.1", port: 0).wait()
    StandardOutput.write("listening \(server.localAddress?.port ?? 0)")
    try server.closeFuture.wait()
  }

  private static func prepare(
    _ channel: any Channel, _ folder: ServedFolder, _ context: NIOSSLContext,
    _ connections: ConnectionCount
  ) throws {
    guard connections.begin() else { return channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in connections.end() }
    // The connection to a slow client is closed, whatever the state of its request.
    let deadline = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in deadline.cancel() }
    let pipeline = channel.pipeline.syncOperations
    let security = NIOSSLServerHandler(context: context)
    try pipeline.addHandler(security)
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: false, withErrorHandling: true)
    try pipeline.addHandler(RequestHandler(folder, security))
  }

  /// The time after which a connection is closed, even during a transfer.
  private static let patience = TimeAmount.seconds(10)
}

private final class ConnectionCount: Sendable {
  private let count = Atomic(0)
  private static let most = 128

  /// Counts a new connection. Returns false, and does not count it, if 128 are open.
  func begin() -> Bool {
    guard count.load(ordering: .relaxed) < Self.most else { return false }
    count.add(1, ordering: .relaxed)
    return true
  }

  func end() { count.subtract(1, ordering: .relaxed) }
}

/// Handles one connection. Answers its first request, prints a line about the request and the client, and closes the
/// connection.
private final class RequestHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let folder: ServedFolder
  private let security: NIOSSLServerHandler
  private var isSecure = false
  private var isAnswered = false

  init(_ folder: ServedFolder, _ security: NIOSSLServerHandler) {
    self.folder = folder
    self.security = security
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted = event { isSecure = true }
    context.fireUserInboundEventTriggered(event)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let head) = unwrapInboundIn(data), !isAnswered else { return }
    isAnswered = true
    answer(head, context)
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let path = String(head.uri.prefix { $0 != "?" })
    let file = folder.file(at: path)
    let isRead = head.method == .GET || head.method == .HEAD
    let status: HTTPResponseStatus =
      !isRead ? .methodNotAllowed : file == nil ? .notFound : .ok
    var headers = HTTPHeaders([
      ("Content-Length", "\(isRead ? file?.size ?? 0 : 0)"), ("Connection", "close"),
      ("Content-Type", "application/octet-stream"),
    ])
    if !isRead { headers.add(name: "Allow", value: "GET, HEAD") }
    report(head.method.rawValue, path, status)
    let response = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    context.write(wrapOutboundOut(.head(response)), promise: nil)
    guard head.method == .GET, let file else { return end(context) }
    send(file, context)
  }

  /// Sends the rest of a file in pieces. Reads a piece only when the client has accepted the previous piece, so slow
  /// clients use little memory.
  private func send(_ file: ServedFile, _ context: ChannelHandlerContext) {
    guard let piece = file.nextPiece() else { return context.close(promise: nil) }
    guard !piece.isEmpty else { return end(context) }
    let body = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: piece)))
    context.writeAndFlush(wrapOutboundOut(body)).assumeIsolated().whenSuccess { [self] in
      send(file, context)
    }
  }

  private func end(_ context: ChannelHandlerContext) {
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      channel.close(promise: nil)
    }
  }

  private func report(_ method: String, _ path: String, _ status: HTTPResponseStatus) {
    let client = try? security.peerCertificate?.toDERBytes()
    let shown = client.map(Hexadecimal.text) ?? "-"
    // In the report, a path must be a single word.
    let words = [method, path].map { text in
      String(text.prefix(1000).map { $0.isWhitespace ? "_" : $0 })
    }
    StandardOutput.write("served \(words[0]) \(words[1]) \(status.code) \(shown)")
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    if !isSecure { StandardOutput.write("refused") }
    context.fireChannelInactive()
  }
}

final class ServedFolder: Sendable {
  private let descriptor: Int32

  /// The maximum size of a served file, in bytes.
  private static let largestFile = 16 << 20

  init(_ path: String) throws(ServerError) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ServerError(
        "cannot open the folder `\(path)`: \(String(cString: strerror(errno)).lowercased())")
    }
  }

  deinit { close(descriptor) }

  /// Opens the file at a URL's path, which begins with a slash. Returns nil if the file is missing, too large or not a
  /// regular file, or if the path is malformed, contains a link or leads outside of the folder.
  func file(at path: String) -> ServedFile? {
    guard let name = Self.decoded(path.drop { $0 == "/" }.utf8) else { return nil }
    let descriptor = sluice_open_beneath(
      self.descriptor, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0)
    guard descriptor >= 0 else { return nil }
    let file = ServedFile(descriptor)
    return file.isRegular && file.size <= Self.largestFile ? file : nil
  }

  /// Returns a path as a C string with its percent escapes decoded (RFC 3986); nil if an escape is malformed or encodes
  /// a zero byte.
  private static func decoded(_ path: Substring.UTF8View) -> [CChar]? {
    guard let bytes = PercentEncoding.decoded(path), !bytes.contains(0) else { return nil }
    return bytes.map(CChar.init(bitPattern:)) + [0]
  }
}

/// An open file that is read in pieces.
final class ServedFile {
  private let descriptor: Int32
  /// The size in bytes when the file was opened.
  let size: Int
  let isRegular: Bool
  private var position = 0

  /// The maximum size of a piece, in bytes.
  private static let pieceSize = 1 << 16

  /// Creates a file from an open descriptor, which `deinit` closes.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var status = stat()
    isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    size = isRegular ? Int(status.st_size) : 0
  }

  deinit { close(descriptor) }

  /// Reads the next piece. The result is empty at the end of the file. It is nil if the file cannot be read or is now
  /// shorter than ``size``.
  func nextPiece() -> [UInt8]? {
    var piece = [UInt8](repeating: 0, count: min(Self.pieceSize, size - position))
    guard !piece.isEmpty else { return [] }
    let count = read(descriptor, &piece, piece.count)
    guard count > 0 else { return nil }
    position += count
    return Array(piece.prefix(count))
  }
}
