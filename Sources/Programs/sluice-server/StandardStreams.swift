internal import Glibc

enum StandardInput {
  /// Reads all of standard input, up to its end.
  ///
  /// - Throws: ``ServerError`` where the input exceeds 1 MiB.
  static func text() throws(ServerError) -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(STDIN_FILENO, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk[..<count]
      guard bytes.count <= 1 << 20 else { throw ServerError("the settings are too long") }
    }
  }
}

enum StandardOutput {
  /// Writes a line at once.
  static func write(_ line: String) {
    var bytes = Array(line.utf8)[...]
    bytes.append(10)
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
