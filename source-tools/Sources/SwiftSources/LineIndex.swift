public import JSON

/// The lines of a text, by which offsets become places that people read.
public struct LineIndex: Sendable {
  private let bytes: [UInt8]
  /// The offset of each line's first byte.
  private let starts: [Int]

  /// The lines of UTF-8 text. A line ends with LF, CR LF or CR.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [0]
    for (offset, byte) in bytes.enumerated() {
      let isLineEnd =
        byte == 0x0A || byte == 0x0D && !(offset + 1 < bytes.count && bytes[offset + 1] == 0x0A)
      if isLineEnd { starts.append(offset + 1) }
    }
    self.starts = starts
  }

  /// The place of the byte at `offset`: columns count Unicode scalars.
  public func position(at offset: Int) -> Position {
    let line = line(at: offset)
    let scalars = bytes[starts[line]..<min(offset, bytes.count)].count { $0 & 0xC0 != 0x80 }
    return Position(line: line + 1, column: scalars + 1)
  }

  /// The text from `offset` to the end of its line.
  public func restOfLine(from offset: Int) -> String {
    let rest = bytes[min(offset, bytes.count)...].prefix { $0 != 0x0A && $0 != 0x0D }
    return String(decoding: rest, as: UTF8.self)
  }

  /// The line that holds the byte at `offset`, counted from 0.
  private func line(at offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}
