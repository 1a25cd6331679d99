internal import Diagnostics
internal import Foundation

/// A piece of a journal, of whole lines.
package struct JournalPiece: Sendable, Equatable {
  /// The piece's place in the file.
  package var bytes: Range<Int>
  /// The number of lines before it.
  package var linesBefore: Int

  /// The journal in `count` pieces about equally large, of which some may be empty.
  ///
  /// - Throws: ``RunError`` where the file cannot be read.
  package static func pieces(of path: String, count: Int) throws(RunError) -> [JournalPiece] {
    // A pipe can be read once.
    guard count > 1 else { return [JournalPiece(bytes: 0..<Int.max, linesBefore: 0)] }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw InputFile.unreadable(path) }
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    guard size >= 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw RunError(.path(path), "it is no file, and cannot be read in pieces", rule: "file")
    }
    var cuts = Cuts(at: (1..<count).map { size / count * $0 })
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let got = read(descriptor, &buffer, buffer.count)
      if got > 0 { cuts.take(buffer[..<got]) } else if got == 0 || errno != EINTR { break }
    }
    return cuts.pieces(upTo: size)
  }
}

/// The places at which a journal is cut: the first line that begins at or behind each wanted place.
private struct Cuts {
  private var wanted: ArraySlice<Int>
  private var found: [(offset: Int, lines: Int)] = [(0, 0)]
  private var offset = 0
  private var lines = 0

  init(at places: [Int]) { wanted = places[...] }

  mutating func take(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !wanted.isEmpty, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      lines += 1
      rest = rest[(end + 1)...]
      let next = offset + end + 1 - bytes.startIndex
      while let place = wanted.first, place <= next {
        found.append((next, lines))
        wanted.removeFirst()
      }
    }
    offset += bytes.count
  }

  func pieces(upTo size: Int) -> [JournalPiece] {
    let all = found + wanted.map { _ in (offset: size, lines: lines) }
    return zip(all, all.dropFirst().map(\.offset) + [max(size, 0)]).map { cut, end in
      JournalPiece(bytes: cut.offset..<max(end, cut.offset), linesBefore: cut.lines)
    }
  }
}
