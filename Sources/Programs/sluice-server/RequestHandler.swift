internal import Encodings
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import NIOTLS

/// The handler of one connection: it answers the first request, reports its client, and closes.
final class RequestHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let folder: ServedFolder
  private let security: NIOSSLServerHandler
  private var isSecure = false
  private var isAnswered = false

  private let answers: OutstandingAnswers

  init(_ folder: ServedFolder, _ security: NIOSSLServerHandler, _ answers: OutstandingAnswers) {
    self.folder = folder
    self.security = security
    self.answers = answers
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
    let content = folder.file(at: path)
    let isRead = head.method == .GET || head.method == .HEAD
    let isTooMuch = !answers.begin(content?.count ?? 0)
    context.channel.closeFuture.whenComplete { [answers] _ in
      if !isTooMuch { answers.end(content?.count ?? 0) }
    }
    let status: HTTPResponseStatus =
      !isRead
      ? .methodNotAllowed
      : isTooMuch ? .serviceUnavailable : content == nil ? .notFound : .ok
    let body = status == .ok ? content ?? [] : []
    var headers = HTTPHeaders([
      ("Content-Length", "\(body.count)"), ("Connection", "close"),
      ("Content-Type", "application/octet-stream"),
    ])
    if !isRead { headers.add(name: "Allow", value: "GET, HEAD") }
    report(head.method.rawValue, path, status)
    let response = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    context.write(wrapOutboundOut(.head(response)), promise: nil)
    if head.method == .GET, !body.isEmpty {
      context.write(
        wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
    }
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      channel.close(promise: nil)
    }
  }

  private func report(_ method: String, _ path: String, _ status: HTTPResponseStatus) {
    let client = try? security.peerCertificate?.toDERBytes()
    let shown = client.map(Hexadecimal.text) ?? "-"
    // A path is one word of the line.
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
