import FileProtection
import Glibc
import TestSupport
import Testing

extension RealProcesses {
  /// What a real process leaves that is killed while it writes, or that may not write.
  @Suite(.ownThread) struct KilledWriterTests {
    private static let kills = 200

    /// Beside the tests' own program.
    private static let writer: String = {
      var path = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/self/exe", &path, path.count)
      let program = String(
        decoding: path[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
      return program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        .joined(separator: "/") + "/file-writer"
    }()

    private let shelf: Shelf

    init() throws { shelf = try Shelf() }

    @Test func eachChunkIsOldOrNewAfterEveryKill() throws {
      let path = try shelf.create("note", sample(300_000))
      var model = sample(300_000)
      var generator = SeededGenerator(seed: 11)
      var writes = 0
      for number in 1...Self.kills {
        let log = shelf.folder.path("log-\(number)")
        let child = try start(
          ["overwrite", path, hexadecimalKey, log, "\(generator.next() >> 1)"])
        let enough = Int.random(in: 1...60, using: &generator)
        try waitUntil("\(enough) records are there") { size(of: log) >= 32 * enough }
        kill(child, SIGKILL)
        var status: Int32 = 0
        try #require(waitpid(child, &status, 0) == child)
        try #require(status & 0x7F == SIGKILL, "the writer ended by itself")
        var (done, pending) = (model, model)
        for record in try records(log) {
          if record.kind == 3 {
            done = pending
            writes += 1
          } else {
            record.apply(to: &pending)
          }
        }
        model = try shelf.readAll()
        try expect(model, isOld: done, orNew: pending, "kill \(number)")
        unlink(log)
      }
      #expect(writes > Self.kills)
    }

    @Test func aFileAtItsLimitKeepsWhatItHas() throws {
      let plain = sample(100_000)
      let path = try shelf.create("note", plain)
      let length = try shelf.raw().count
      for (limit, count) in [(length, 5000), (length + 4096, 200_000), (length + 5, 10_000)] {
        #expect(try output(["limit", path, hexadecimalKey, "\(limit)", "\(count)"]) == "EFBIG\n")
        #expect(try shelf.readAll() == plain)
        #expect(try shelf.raw().count == length)
      }
      #expect(
        try output(["limit", path, hexadecimalKey, "\(length + 4096)", "6000"]) == "written\n")
      let grown = try shelf.readAll()
      #expect(grown.count == 106_000 && grown.starts(with: plain))
    }

    private var hexadecimalKey: String {
      shelf.key.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private func expect(
      _ now: [UInt8], isOld old: [UInt8], orNew new: [UInt8], _ place: Comment
    ) throws {
      try #require(now.count == old.count || now.count == new.count, place)
      for start in stride(from: 0, to: now.count, by: 4096) {
        let chunk = Array(now[start..<min(start + 4096, now.count)])
        let isOneOfBoth = [old, new].contains { whole in
          let part = Array(whole.dropFirst(start).prefix(chunk.count))
          return part + [UInt8](repeating: 0, count: chunk.count - part.count) == chunk
        }
        try #require(isOneOfBoth, "\(place), chunk \(start / 4096)")
      }
    }

    private func size(of path: String) -> Int {
      var status = stat()
      return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    private func records(_ log: String) throws -> [Record] {
      let descriptor = open(log, O_RDONLY)
      defer { close(descriptor) }
      var records: [Record] = []
      var words = [UInt64](repeating: 0, count: 4)
      while read(descriptor, &words, 32) == 32 {
        records.append(
          Record(kind: words[0], offset: Int(words[1]), count: Int(words[2]), first: words[3]))
      }
      return records
    }

    private func start(_ arguments: [String], output: Int32 = 2) throws -> pid_t {
      var words: [UnsafeMutablePointer<CChar>?] =
        ([Self.writer] + arguments).map { strdup($0) } + [nil]
      defer { for word in words { free(word) } }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_adddup2(&actions, output, 1)
      var child: pid_t = 0
      let failure = posix_spawn(&child, Self.writer, &actions, nil, &words, environ)
      guard failure == 0 else { throw WriterFailure(text: "\(Self.writer): \(failure)") }
      return child
    }

    private func output(_ arguments: [String]) throws -> String {
      let path = shelf.folder.path("output")
      let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      defer { close(descriptor) }
      let child = try start(arguments, output: descriptor)
      var status: Int32 = 0
      try #require(waitpid(child, &status, 0) == child && status == 0)
      return try shelf.folder.read("output")
    }
  }
}

private struct WriterFailure: Error { var text: String }

/// What `file-writer` notes before and after a change.
private struct Record {
  /// 1 before a write, 2 before a truncation, 3 after either.
  var kind: UInt64
  var offset: Int
  var count: Int
  var first: UInt64

  func apply(to model: inout [UInt8]) {
    let size = kind == 2 ? offset : max(model.count, offset + count)
    if size < model.count { model.removeLast(model.count - size) }
    model += [UInt8](repeating: 0, count: size - model.count)
    guard count > 0 else { return }
    model.replaceSubrange(
      offset..<(offset + count), with: Self.counting[Int(first)..<(Int(first) + count)])
  }

  private static let counting = {
    var bytes = (0..<256).map { UInt8($0) }
    while bytes.count < 512 * 1024 { bytes += bytes }
    return bytes
  }()
}
