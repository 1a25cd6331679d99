internal import Cryptography
internal import Diagnostics
internal import Encodings
internal import Glibc
public import JSON
public import Model
public import Simulation
internal import Synchronization

/// Writes the blob of a shard while the shard runs.
///
/// Until the shard has ended, the blob stands in a file beside it whose name ends in `.part`, so that whoever died leaves
/// none that looks whole.
public final class BlobWriter: Sendable {
  /// The end of the names of blobs that are not whole.
  public static let openEnding = ".part"

  private let path: String
  private let open: String
  private let state: Mutex<State>

  private struct State {
    var descriptor: Int32
    var digest = SHA256Digest()
    var count = 0
    var isWhole = false
  }

  /// Begins the blob of a shard.
  ///
  /// - Parameter pieces: the numbers of the pieces that the shard has to do.
  /// - Throws: ``RunError`` where the file cannot be written.
  public init(
    to path: String, _ plan: Plan, _ shard: Shard, pieces: [Int]
  ) throws(RunError) {
    self.path = path
    var status = stat()
    // Before any work is done: a folder is not replaced at its end.
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else {
      throw RunError(unwritable: path, EISDIR)
    }
    // Another host may still be at the same shard, which it was thought to have lost.
    open = "\(path).\(Self.host)-\(getpid())\(Self.openEnding)"
    unlink(open)
    let descriptor = Glibc.open(open, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw RunError(unwritable: path, errno) }
    state = Mutex(State(descriptor: descriptor))
    try write(plan.line + "\n")
    try write(
      JSONWriter.objectLine { writer in
        writer.member("shard", shard.description)
        writer.numbers("pieces", pieces.sorted())
      })
  }

  private static var host: String {
    var name = utsname()
    guard uname(&name) == 0 else { return "host" }
    return withUnsafeBytes(of: name.nodename) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// Adds the result of a piece.
  ///
  /// - Parameter members: writes members of the result's object.
  /// - Throws: ``RunError`` where the file takes no more.
  public func add(
    piece: Int, events: [JournalEvent] = [], _ members: (inout JSONWriter) -> Void
  ) throws(RunError) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("piece", piece)
      writer.member("events", events.count)
      writer.object("result", members)
    }
    writer.endLine()
    for event in events {
      event.write(to: &writer)
      writer.endLine()
    }
    try write(writer.text, pieces: 1)
  }

  /// Adds the text of a file that results name.
  ///
  /// - Throws: ``RunError`` where the file takes no more.
  public func add(text: String, of file: String) throws(RunError) {
    try write(
      JSONWriter.objectLine { writer in
        writer.member("file", file)
        writer.member("text", text)
      })
  }

  /// Ends the blob, which is whole then.
  ///
  /// - Throws: ``RunError`` where the file cannot be completed.
  public func end() throws(RunError) {
    let (count, digest) = state.withLock { ($0.count, $0.digest) }
    try write(
      JSONWriter.objectLine { writer in
        writer.member("end", count)
        writer.member("digest", Hexadecimal.text(digest.finalize()))
      })
    let isSynced = state.withLock { state in
      let isSynced = fsync(state.descriptor) == 0 || errno == EINVAL
      let isClosed = close(state.descriptor) == 0
      state.descriptor = -1
      return isSynced && isClosed
    }
    guard isSynced, rename(open, path) == 0 else { throw RunError(unwritable: path, errno) }
    state.withLock { $0.isWhole = true }
  }

  deinit {
    let (descriptor, isWhole) = state.withLock { ($0.descriptor, $0.isWhole) }
    if descriptor >= 0 { close(descriptor) }
    if !isWhole { unlink(open) }
  }

  private func write(_ text: String, pieces: Int = 0) throws(RunError) {
    let isWritten = state.withLock { state in
      state.count += pieces
      var text = text
      return text.withUTF8 { bytes in
        state.digest.update(UnsafeRawBufferPointer(bytes))
        return Self.write(bytes[...], to: state.descriptor)
      }
    }
    guard isWritten else { throw RunError(unwritable: path, errno) }
  }

  private static func write(
    _ bytes: Slice<UnsafeBufferPointer<UInt8>>, to descriptor: Int32
  ) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(
        descriptor, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
