public import Encodings

/// The offsets at which the lines of a text begin. They serve to convert an offset to a line and
/// column.
public struct LineIndex: Sendable {
  private let bytes: [UInt8]
  private let starts: [Int]

  /// Indexes UTF-8 text. Lines end with LF, CR LF or CR.
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

  /// Returns the position of the byte at `offset`. Columns count Unicode scalars.
  public func position(at offset: Int) -> Position {
    let line = line(at: offset)
    let scalars = bytes[starts[line]..<min(offset, bytes.count)].count { $0 & 0xC0 != 0x80 }
    return Position(line: line + 1, column: scalars + 1)
  }

  /// Returns the text from `offset` to the end of its line.
  public func restOfLine(from offset: Int) -> String {
    let rest = bytes[min(offset, bytes.count)...].prefix { $0 != 0x0A && $0 != 0x0D }
    return String(decoding: rest, as: UTF8.self)
  }

  /// Returns the index of the line that contains the byte at `offset`, counted from 0.
  private func line(at offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}
