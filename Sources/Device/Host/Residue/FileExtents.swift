internal import Glibc

/// The parts of a file that hold data, from its beginning on: parts that were never written are zeros, however long
/// they are (lseek(2), SEEK_DATA and SEEK_HOLE).
struct FileExtents: IteratorProtocol {
  private let file: Int32
  private var offset = 0

  /// Creates an iterator at the file's beginning.
  ///
  /// - Parameter file: an open descriptor of a regular file.
  init(of file: Int32) { self.file = file }

  /// The next part, in offsets in bytes. A file that grows meanwhile is followed.
  mutating func next() -> Range<Int>? {
    var start = Int(lseek(file, off_t(offset), Self.data))
    // Not every file system knows: then everything is data.
    if start < 0, errno == EINVAL { start = offset }
    guard start >= 0 else { return nil }
    var end = Int(lseek(file, off_t(start), Self.hole))
    if end < 0 { end = Int(lseek(file, 0, SEEK_END)) }
    guard end > start else { return nil }
    offset = end
    return start..<end
  }

  // The C library declares these for GNU programs alone.
  private static let data: Int32 = 3
  private static let hole: Int32 = 4
}
