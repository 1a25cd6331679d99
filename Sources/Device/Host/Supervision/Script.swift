internal import Glibc

/// An executable that is text for an interpreter, which its first line names after `#!` (execve(2)).
struct Script {
  let interpreter: String

  /// Reads the first line of a file; nil where the file is not a script.
  init?(path: String) {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    // The kernel reads no more of the line: BINPRM_BUF_SIZE.
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    let text = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    guard text.starts(with: "#!".utf8) else { return nil }
    let words = String(decoding: text.dropFirst(2), as: UTF8.self)
      .split(whereSeparator: \.isWhitespace)
    guard let interpreter = words.first else { return nil }
    self.interpreter = String(interpreter)
  }
}
