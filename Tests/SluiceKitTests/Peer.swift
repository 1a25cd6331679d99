import Glibc
import Wire

@testable import SluiceKit

/// An app and its host. The host sends the welcome message and, on request, the stop message.
final class Peer {
  let application: Application
  private let host: Int32

  init(delegate: any ApplicationDelegate) throws {
    var ends: [Int32] = [-1, -1]
    precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    host = ends[1]
    Self.send(.welcome(Welcome(guest: "notes", app: "com.example.notes", device: "desk")), to: host)
    let connection = try HostConnection(hello: Hello(), on: ends[0])
    application = Application(delegate: delegate, connection: connection)
  }

  /// Returns a closure that sends the stop message, from any thread.
  var stop: @Sendable () -> Void {
    { [host] in Self.send(.stop, to: host) }
  }

  /// Sends a message to the app.
  func tell(_ body: HostMessage.Body) { Self.send(body, to: host) }

  /// Returns the app's messages, once its connection has ended.
  func messages() -> [GuestMessage.Body] {
    var parser = FrameParser()
    let arena = Arena(capacity: 4096)
    var messages: [GuestMessage.Body] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = recv(host, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      buffer.withUnsafeBytes { bytes in
        try? parser.consume(UnsafeRawBufferPointer(rebasing: bytes[..<count])) { frame in
          messages.append(try GuestFrame(frame, arena: arena).message(using: arena).body)
          return .proceed
        }
      }
    }
    return messages
  }

  func close() { Glibc.close(host) }

  private static func send(_ body: HostMessage.Body, to host: Int32) {
    var frames = FrameBuffer()
    frames.append(HostMessage(body), using: Arena(capacity: 4096))
    _ = Glibc.send(host, frames.bytes.baseAddress, frames.count, 0)
  }
}
