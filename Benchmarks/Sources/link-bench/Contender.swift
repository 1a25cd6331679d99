import Distribution
import Foundation

/// A transport between two processes.
enum Contender: String {
  /// The transport sends messages over the link between hosts of a fleet.
  case link
  /// The transport sends frames over a plain SwiftNIO TLS connection.
  case plain

  /// Returns the number of messages per second, from the first message sent to the last message
  /// received.
  func rate(_ count: Int, of bytes: Int) throws -> Double {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("link-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let secrets = folder.appendingPathComponent("secrets").path
    let identities = try LinkIdentity.all(2, of: "Bench", at: Int(Date().timeIntervalSince1970))
    try Data(identities[1].settings.utf8).write(to: URL(fileURLWithPath: secrets))
    let receiver = Process()
    let output = Pipe()
    receiver.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    receiver.arguments = ["receive", rawValue, "\(count)", secrets]
    receiver.standardOutput = output
    try receiver.run()
    guard let port = Int(output.fileHandleForReading.line) else {
      throw BenchError(description: "the receiver is not listening")
    }
    let start: ContinuousClock.Instant
    switch self {
    case .link: start = try LinkPeer(identities[0]).send(count, of: bytes, to: port)
    case .plain: start = try PlainPeer(identities[0]).send(count, of: bytes, to: port)
    }
    _ = output.fileHandleForReading.line
    let duration = ContinuousClock.now - start
    receiver.waitUntilExit()
    return Double(count) / (duration / .seconds(1))
  }

  func receive(_ count: Int, secrets: String) throws {
    let identity = LinkIdentity(settings: try String(contentsOfFile: secrets, encoding: .utf8))
    let say = { (line: String) in FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
    switch self {
    case .link: try LinkPeer(identity).receive(count, say)
    case .plain: try PlainPeer(identity).receive(count, say)
    }
  }
}

struct BenchError: Error, CustomStringConvertible {
  let description: String
}

extension FileHandle {
  /// Reads the next line.
  var line: String {
    var bytes: [UInt8] = []
    while let byte = try? read(upToCount: 1)?.first, byte != 10 { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
