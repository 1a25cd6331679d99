internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// Answers requests for the files of a folder, one for each connection.
struct FileServer {
  private let folder: ServedFolder
  private let context: NIOSSLContext
  private let connections = ConnectionCount()
  private let answers = OutstandingAnswers()

  /// - Throws: what TLS does not like of the settings.
  init(_ folder: ServedFolder, _ settings: ServerSettings) throws {
    self.folder = folder
    context = try NIOSSLContext(configuration: settings.configuration)
  }

  /// Serves until the process is ended.
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
    // Whoever is slow is cut off, wherever he has come to.
    let deadline = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in deadline.cancel() }
    let pipeline = channel.pipeline.syncOperations
    let security = NIOSSLServerHandler(context: context)
    try pipeline.addHandler(security)
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: false, withErrorHandling: true)
    try pipeline.addHandler(RequestHandler(folder, security, answers))
  }

  /// From a connection's beginning to its end.
  private static let patience = TimeAmount.seconds(10)
}

/// How many connections there are.
private final class ConnectionCount: Sendable {
  private let count = Atomic(0)
  private static let most = 128

  /// - Returns: false where there are too many.
  func begin() -> Bool {
    guard count.load(ordering: .relaxed) < Self.most else { return false }
    count.add(1, ordering: .relaxed)
    return true
  }

  func end() { count.subtract(1, ordering: .relaxed) }
}

/// How much has been read of files for those who have not taken it yet.
final class OutstandingAnswers: Sendable {
  private let bytes = Atomic(0)
  /// In bytes; TLS has it once more, encrypted.
  private static let most = 128 << 20

  /// - Returns: false where it would be too much.
  func begin(_ count: Int) -> Bool {
    guard bytes.load(ordering: .relaxed) + count <= Self.most else { return false }
    bytes.add(count, ordering: .relaxed)
    return true
  }

  func end(_ count: Int) { bytes.subtract(count, ordering: .relaxed) }
}
