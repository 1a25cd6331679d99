internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// Answers requests for the files of a folder, one request for each connection.
struct FileServer {
  private let folder: ServedFolder
  private let context: NIOSSLContext
  private let connections = ConnectionCount()
  private let answers = OutstandingAnswers()

  /// Prepares a server.
  ///
  /// - Throws: the error of NIOSSL for settings that TLS refuses.
  init(_ folder: ServedFolder, _ settings: ServerSettings) throws {
    self.folder = folder
    context = try NIOSSLContext(configuration: settings.configuration)
  }

  /// Serves until the process is ended.
  ///
  /// - Throws: the error of NIO where the server cannot listen.
  func run() throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let server = try ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 128)
      .childChannelInitializer { [folder, context, connections, answers] channel in
        channel.eventLoop.makeCompletedFuture {
          try Self.prepare(channel, folder, context, connections, answers)
        }
      }
      .bind(host: "127.0.0.1", port: 0).wait()
    StandardOutput.write("listening \(server.localAddress?.port ?? 0)")
    try server.closeFuture.wait()
  }

  private static func prepare(
    _ channel: any Channel, _ folder: ServedFolder, _ context: NIOSSLContext,
    _ connections: ConnectionCount, _ answers: OutstandingAnswers
  ) throws {
    guard connections.begin() else { return channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in connections.end() }
    // A slow client is cut off, whatever the state of its request.
    let deadline = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in deadline.cancel() }
    let pipeline = channel.pipeline.syncOperations
    let security = NIOSSLServerHandler(context: context)
    try pipeline.addHandler(security)
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: false, withErrorHandling: true)
    try pipeline.addHandler(RequestHandler(folder, security, answers))
  }

  /// The time limit of a connection from its beginning to its end.
  private static let patience = TimeAmount.seconds(10)
}

/// The number of connections.
private final class ConnectionCount: Sendable {
  private let count = Atomic(0)
  private static let most = 128

  /// Counts a new connection; returns false where there are too many.
  func begin() -> Bool {
    guard count.load(ordering: .relaxed) < Self.most else { return false }
    count.add(1, ordering: .relaxed)
    return true
  }

  func end() { count.subtract(1, ordering: .relaxed) }
}

/// The number of bytes of files that were read for clients that have not taken them yet.
final class OutstandingAnswers: Sendable {
  private let bytes = Atomic(0)
  /// The limit in bytes; TLS holds the same bytes once more, encrypted.
  private static let most = 128 << 20

  /// Counts bytes; returns false where there would be too many.
  func begin(_ count: Int) -> Bool {
    guard bytes.load(ordering: .relaxed) + count <= Self.most else { return false }
    bytes.add(count, ordering: .relaxed)
    return true
  }

  func end(_ count: Int) { bytes.subtract(count, ordering: .relaxed) }
}
