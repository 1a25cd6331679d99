internal import Encodings
internal import EventLoop
internal import Glibc
internal import Secrets

/// A server's process, and the requests that it has reported in its output.
final class RunningServer {
  let description: ServerDescription
  /// The port on 127.0.0.1 on which the server listens; nil before the server reports it.
  private(set) var listeningPort: Int?
  /// The last line of the server's output other than reports on requests, or else a description of the server's exit or
  /// failed start. Nil if there is neither.
  private(set) var failure: String?
  private(set) var isRunning = true
  /// The requests that have arrived since the last call of ``next(_:)``, the oldest first. Only the last
  /// ``maximumRequests`` are kept.
  private var requests: [String] = []
  private var onRequest: (([String]) -> Void)?
  /// Called with each line of the server's output that is not a report on a request.
  private let say: (String) -> Void
  private var process: ChildProcess?
  private let input: Pipe
  private let output: Pipe
  /// The first part of an incomplete line.
  private var rest: [UInt8] = []

  private static let maximumRequests = 1000
  /// The maximum length of an incomplete line, in bytes. A longer one is discarded. A line with a certificate is far
  /// shorter.
  private static let longestLine = 1 << 18

  /// Starts the program. If its settings cannot be written or its output cannot be read, kills it
  /// and sets ``failure``.
  ///
  /// - Parameters:
  ///   - origin: The zygote or executable that creates the process.
  ///   - arguments: The arguments, beginning with the executable's name.
  ///   - settings: The program's settings, including its key. The program reads them first.
  /// - Throws: ``EventLoopError`` if the program does not start.
  init(
    _ description: ServerDescription, _ origin: ChildProcess.Origin, arguments: [String],
    settings: String, filter: CompiledFilter, on loop: EventLoop, say: @escaping (String) -> Void
  ) throws(EventLoopError) {
    self.description = description
    self.say = say
    let (output, childEnd) = try Pipe.capture(on: loop)
    self.output = output
    defer { Glibc.close(childEnd) }
    do throws(EventLoopError) {
      input = try Pipe(on: loop)
    } catch {
      output.close()
      throw error
    }
    do throws(EventLoopError) {
      process = try ChildProcess(
        ChildProcess.Specification(
          origin, arguments: arguments, directory: description.folder,
          descriptors: [
            .pipe(input), .inherited(childEnd), .inherited(childEnd), .null,
            .inherited(filter.descriptor),
          ]), on: loop
      ) { [weak self] exit in self?.didExit(exit) }
    } catch {
      closePipes()
      throw error
    }
    communicate(settings)
  }

  private func communicate(_ settings: String) {
    output.onRead = { [weak self] bytes in self?.didRead(bytes) }
    // The end of the program's input marks the end of its settings.
    input.onDrain = { [weak self] in self?.input.close() }
    do throws(EventLoopError) {
      try output.startReading()
      try Array(settings.utf8).withUnsafeBytes { bytes in
        Result { () throws(EventLoopError) in try input.write(bytes) }
      }.get()
    } catch {
      // The process is running, so its exit must be awaited.
      failure = error.description
      signal(SIGKILL)
    }
  }

  private func closePipes() {
    input.close()
    output.close()
  }

  var isSettled: Bool { listeningPort != nil || !isRunning }

  var pid: Int32? { isRunning ? process?.pid : nil }

  /// Whether bytes have been sent between the server and a client but not received yet.
  var hasDataInTransit: Bool {
    guard let pid, let listeningPort else { return false }
    return ProcessFolder(of: pid).hasDataInTransit(at: listeningPort)
  }

  /// Sends a signal to the process group. ``isRunning`` stays true until the process has exited.
  func signal(_ number: Int32) { process?.signalGroup(number) }

  /// Calls `body` with the requests that have arrived since the last call. If there are none, calls `body` after the
  /// next request.
  func next(_ body: @escaping ([String]) -> Void) {
    guard !requests.isEmpty else { return onRequest = body }
    let taken = requests
    requests = []
    body(taken)
  }

  private func didExit(_ exit: ChildProcess.Exit) {
    isRunning = false
    output.readRest()
    if failure == nil {
      switch exit {
      case .status(let status): failure = "it exited with status \(status)"
      case .signal(let signal): failure = "it was terminated by signal \(signal)"
      }
    }
    closePipes()
    process?.close()
    process = nil
  }

  private func didRead(_ bytes: UnsafeRawBufferPointer) {
    rest += bytes
    while let end = rest.firstIndex(of: 10) {
      let line = String(decoding: rest[..<end], as: UTF8.self)
      rest.removeSubrange(...end)
      process(line[...])
    }
    if rest.count > Self.longestLine { rest.removeAll() }
  }

  private func process(_ line: Substring) {
    if line.hasPrefix("listening "), let port = Int(line.dropFirst(10)) {
      listeningPort = port
    } else if let request = ServedRequest(line) {
      append(request.text)
    } else {
      failure = String(line)
      say(String(line))
    }
  }

  private func append(_ request: String) {
    requests.append(request)
    if requests.count > Self.maximumRequests { requests.removeFirst() }
    guard let body = onRequest else { return }
    onRequest = nil
    next(body)
  }
}

/// A report in a server's output about the request or the connection of a client.
private enum ServedRequest {
  case answered(method: String, path: String, status: String, client: Certificate?)
  /// The server refused the client, because the TLS handshake failed.
  case refused

  /// Parses a line of the server's output. Returns nil if the line is not a report.
  init?(_ line: Substring) {
    let words = line.split(separator: " ")
    switch words.first {
    case "served" where words.count == 5:
      self = .answered(
        method: String(words[1]), path: String(words[2]), status: String(words[3]),
        client: Hexadecimal.bytes(words[4]).flatMap { try? Certificate(der: $0) })
    case "refused": self = .refused
    default: return nil  // open: any other beginning of a line
    }
  }

  /// The report as text, such as `GET /landmarks 200 CN=phone,O=Contoso`. The last part is the subject of the client's
  /// certificate, or `nobody` if there is none.
  var text: String {
    switch self {
    case .answered(let method, let path, let status, let client):
      "\(method) \(path) \(status) \(client?.subject ?? "nobody")"
    case .refused: "refused"
    }
  }
}
