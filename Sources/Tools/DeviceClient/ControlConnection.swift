package import Encodings
internal import Foundation

/// A blocking connection to a running device's control socket.
package final class ControlConnection {
  /// The socket of this connection, through which another thread can end the connection.
  package let line: ControlLine
  private var descriptor: Int32 { line.descriptor }
  private var received: [UInt8] = []
  private var lastID = 0

  package enum ConnectionError: Error, Sendable, CustomStringConvertible {
    /// No process listens on the socket, or the device has closed the connection.
    case refused
    /// A system error, with the system's message.
    case system(String)

    package var description: String {
      switch self {
      case .refused: "no device answers there"
      case .system(let reason): reason
      }
    }
  }

  /// Connects to the socket at a path.
  ///
  /// - Throws: ``ConnectionError`` if no device listens there, the path is too long, or the system reports an error.
  package init(_ path: String) throws(ConnectionError) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Self.failure }
    line = ControlLine(descriptor)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let isLong = withUnsafeMutableBytes(of: &address.sun_path) { place in
      guard bytes.count < place.count else { return true }
      place.copyBytes(from: bytes)
      return false
    }
    // With the timeout, the call does not block forever if the device does not accept the
    // connection.
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    if isLong { throw .system("the path of the socket is too long") }
    var code: Int32
    repeat {
      code = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      // The system does not restart a socket call with a timeout after a signal (signal(7)).
    } while code != 0 && errno == EINTR
    guard code == 0 else { throw Self.failure }
  }

  private static var failure: ConnectionError {
    switch errno {
    case ECONNREFUSED, ENOENT, EPIPE, ECONNRESET: .refused
    case EAGAIN: .system("it does not answer")
    default: .system(String(cString: strerror(errno)).lowercased())  // open: any other error
    }
  }

  /// The name of the device; nil if the device does not answer within a second.
  package var deviceName: String? { status?["device"]?.string }

  /// The device's answer to `status`; nil if it does not arrive within a second.
  package var status: JSONValue? { status(within: 1) }

  /// Returns the device's answer to `status`; nil if it does not arrive in time.
  package func status(within seconds: Int) -> JSONValue? {
    wait(atMost: seconds)
    defer { wait(atMost: 0) }
    return (try? call("status"))?["result"]
  }

  /// Sets the timeout for answers, in seconds; 0 for no timeout.
  private func wait(atMost seconds: Int) {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  // MARK: Calls

  /// Calls a method, and waits for its answer.
  ///
  /// - Parameters:
  ///   - parameters: An object or array as JSON text; nil for no parameters.
  ///   - notice: Called with each notification that the device sends before the answer.
  /// - Returns: The answer, with `result` or `error`.
  /// - Throws: ``ConnectionError`` if the device has closed the connection, the answer is not JSON, or the system
  ///   reports an error.
  package func call(
    _ method: String, _ parameters: String? = nil, notice: (JSONValue) -> Void = { _ in }
  ) throws(ConnectionError) -> JSONValue {
    lastID += 1
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("jsonrpc", "2.0")
      writer.member("id", lastID)
      writer.member("method", method)
      if let parameters { writer.member("params", json: parameters.utf8) }
    }
    writer.endLine()
    do throws(ConnectionError) {
      try send(writer.bytes)
    } catch {
      // The device may have sent the reason before it closed the connection.
      guard received.isEmpty, let line = try? nextLine(), let answer = try? JSONReader.read(line)
      else { throw error }
      return answer
    }
    while true {
      guard let line = try nextLine() else { throw .refused }
      guard let answer = try? JSONReader.read(line) else {
        throw .system("the answer is not JSON")
      }
      if answer["method"] != nil {
        notice(answer)
      } else {
        return answer
      }
    }
  }

  /// Returns the next line from the device; nil if the device has closed the connection.
  ///
  /// - Throws: ``ConnectionError`` with the system's error.
  package func nextLine() throws(ConnectionError) -> [UInt8]? {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(received[..<end])
        received.removeSubrange(...end)
        return line
      }
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.failure }
      guard count > 0 else { return nil }
      received += buffer[..<count]
    }
  }

  private func send(_ bytes: [UInt8]) throws(ConnectionError) {
    var offset = 0
    while offset < bytes.count {
      let sent = bytes[offset...].withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if sent < 0 {
        if errno == EINTR { continue }
        throw Self.failure
      }
      offset += sent
    }
  }
}

/// The open socket of a connection.
package final class ControlLine: Sendable {
  fileprivate let descriptor: Int32

  fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Ends the connection, including any call that is waiting for an answer.
  package func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
