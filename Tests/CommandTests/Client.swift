import Encodings
import Foundation

/// A connection to a control socket, as any program can make it.
final class Client {
  private let descriptor: Int32
  private var received: [UInt8] = []

  struct Failed: Error {}

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else { throw Failed() }
    var limit = timeval(tv_sec: 200, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  deinit { close(descriptor) }

  func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    var offset = 0
    while offset < bytes.count {
      let sent = bytes[offset...].withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if sent < 0, errno == EINTR { continue }
      guard sent > 0 else { throw Failed() }
      offset += sent
    }
  }

  /// Sends as much of the text as the device accepts without waiting.
  func sendWhatIsTaken(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes {
      Foundation.send(
        descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
  }

  /// Closes the sending side of the connection.
  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Whether unread data has arrived.
  var hasReceived: Bool {
    var byte: UInt8 = 0
    return !received.isEmpty
      || recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
  }

  /// Reads the next line. Returns nil if the device has closed the connection.
  func answer() throws -> JSONValue? {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(received[..<end])
        received.removeSubrange(...end)
        return try JSONReader.read(line)
      }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      // The system does not restart a call on a socket with a timeout after a signal (signal(7)).
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failed() }
      guard count > 0 else { return nil }
      received += buffer[..<count]
    }
  }

  func ask(_ line: String) throws -> JSONValue? {
    try send(line + "\n")
    return try answer()
  }

  /// Calls a method.
  ///
  /// - Parameter parameters: The parameters as JSON; nil if there are none.
  func call(_ method: String, _ parameters: String? = nil, id: Int = 1) throws -> JSONValue? {
    try ask(Self.request(method, parameters, id: id))
  }

  /// Calls a method without waiting for the answer.
  func post(_ method: String, _ parameters: String? = nil, id: Int = 1) throws {
    try send(Self.request(method, parameters, id: id) + "\n")
  }

  /// Calls the method `status`.
  func status() throws -> JSONValue? { try call("status")?["result"] }

  private static func request(_ method: String, _ parameters: String?, id: Int) -> String {
    let rest = parameters.map { #","params":\#($0)"# } ?? ""
    return #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"\#(rest)}"#
  }
}
