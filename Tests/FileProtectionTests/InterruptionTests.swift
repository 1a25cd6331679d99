import FileProtection
import Foundation
import Glibc
import TestSupport
import Testing

/// Tests that start processes.
@Suite(.ownThreads) struct RealProcesses {}

/// A change to a file.
struct InterruptedChange: Sendable, CustomTestStringConvertible {
  var name: String
  var before: [UInt8]
  var change: @Sendable (EncryptedFile) throws -> Void
  var testDescription: String { name }
}

/// A process may die before, during and after every system call of a change.
@Suite struct InterruptionTests {
  static let changes = [
    InterruptedChange(name: "one chunk", before: sample(5 * 4096)) {
      try $0.write(sample(4096, seed: 9), at: 2 * 4096)
    },
    InterruptedChange(name: "parts of two chunks", before: sample(5 * 4096)) {
      try $0.write(sample(3000, seed: 9), at: 3000)
    },
    InterruptedChange(name: "many chunks of two groups", before: sample(70 * 4096 + 9)) {
      try $0.write(sample(20 * 4096, seed: 9), at: 50 * 4096 + 1)
    },
    InterruptedChange(name: "appending", before: sample(5000)) {
      try $0.write(sample(9000, seed: 9), at: 5000)
    },
    InterruptedChange(name: "over the end", before: sample(5000)) {
      try $0.write(sample(300_000, seed: 9), at: 4000)
    },
    InterruptedChange(name: "beyond the end", before: sample(5000)) {
      try $0.write(sample(10, seed: 9), at: 30_000)
    },
    InterruptedChange(name: "longer", before: sample(5000)) { try $0.truncate(to: 20_000) },
    InterruptedChange(name: "shorter", before: sample(80 * 4096)) { try $0.truncate(to: 5000) },
    InterruptedChange(name: "shorter by whole chunks", before: sample(80 * 4096)) {
      try $0.truncate(to: 8192)
    },
    InterruptedChange(name: "empty", before: sample(10_000)) { try $0.truncate(to: 0) },
  ]

  @Test(arguments: changes)
  func `after an interrupted write, each chunk has its old or its new content`(
    of change: InterruptedChange
  ) throws {
    let shelf = try Shelf()
    try shelf.create("note", change.before)
    // Each chunk is written twice, so there are stale entries. The second write is by a process
    // that died.
    try shelf.open().write([change.before[0]], at: 0)
    let start = try shelf.raw()
    let counted = Counted()
    try change.change(try shelf.open(gate: counted.count))
    let after = try shelf.readAll()
    for call in counted.byteCounts.indices {
      for part in parts(of: counted.byteCounts[call]) {
        try shelf.overwrite(with: start)
        let stopping = Stopping(call: call, part: part)
        let found = code { try change.change(try shelf.open(gate: stopping.allow)) }
        #expect(found == .system(EIO), "\(call), \(part)")
        try expectOldOrNew(shelf.readAll(), change.before, after, "call \(call), \(part) bytes")
        // The next process finds a usable file, whichever of the two entries is live.
        try change.change(try shelf.open())
        #expect(try shelf.readAll().count == after.count)
        try shelf.open().write([1], at: 0)
        #expect(try shelf.open().read(1, at: 0) == [1])
      }
    }
  }

  @Test(arguments: changes)
  func `after two interrupted writes, each chunk has its old or its new content`(
    of change: InterruptedChange
  ) throws {
    let shelf = try Shelf()
    try shelf.create("note", change.before)
    let start = try shelf.raw()
    let counted = Counted()
    try change.change(try shelf.open(gate: counted.count))
    let after = try shelf.readAll()
    for first in counted.byteCounts.indices {
      for second in counted.byteCounts.indices {
        try shelf.overwrite(with: start)
        for call in [first, second] {
          let part = counted.byteCounts[call] / 4096 / 2 * 4096
          let stopping = Stopping(call: call, part: part)
          _ = code { try change.change(try shelf.open(gate: stopping.allow)) }
        }
        try expectOldOrNew(shelf.readAll(), change.before, after, "calls \(first) and \(second)")
      }
    }
  }

  /// Returns the points at which a call may be interrupted. These are before its first byte, and
  /// before each page.
  private func parts(of byteCount: Int) -> [Int] {
    byteCount <= 4096 ? [0] : Array(stride(from: 0, to: byteCount, by: 4096))
  }
}

/// Records the calls of a change.
private final class Counted {
  private(set) var byteCounts: [Int] = []

  func count(_ bytes: Int) -> Int {
    byteCounts.append(bytes)
    return bytes
  }
}

/// Discards all writes, starting at a point within one call.
private final class Stopping {
  private let call: Int
  private let part: Int
  private var done = 0

  init(call: Int, part: Int) {
    self.call = call
    self.part = part
  }

  func allow(_ bytes: Int) -> Int {
    defer { done += 1 }
    return done < call ? bytes : done == call ? part : 0
  }
}

extension RealProcesses {
  /// Tests the files of a real process that is killed while it writes, or whose writes fail.
  @Suite(.ownThread) struct KilledWriterTests {
    private static let kills = 200

    /// The program is in the folder of the test program.
    private static let writer = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("file-writer").path

    private let shelf: Shelf

    init() throws { shelf = try Shelf() }

    @Test func `after SIGKILL at any system call, each chunk has old or new content`() throws {
      let path = try shelf.create("note", sample(300_000))
      var model = sample(300_000)
      var generator = SeededGenerator(seed: 11)
      var writes = 0
      for number in 1...Self.kills {
        let log = shelf.folder.path("log-\(number)")
        let child = try StartedProgram(
          Self.writer, ["overwrite", path, hexadecimalKey, log, "\(generator.next() >> 1)"])
        let enough = Int.random(in: 1...20, using: &generator)
        try waitUntil("\(enough) records are there") { size(of: log) >= 32 * enough }
        kill(child.processIdentifier, SIGKILL)
        child.waitUntilExit()
        try #require(
          child.terminationReason == .uncaughtSignal, "the writer ended before it was killed")
        try #require(child.terminationStatus == SIGKILL)
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
        try expectOldOrNew(model, done, pending, "kill \(number)")
        unlink(log)
      }
      #expect(writes > Self.kills)
    }

    @Test func `a write beyond the file size limit keeps an encrypted file's content`() throws {
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

    private func output(_ arguments: [String]) throws -> String {
      let path = try shelf.folder.write("", to: "output")
      let file = try #require(FileHandle(forWritingAtPath: path))
      let child = try StartedProgram(Self.writer, arguments, output: file)
      child.waitUntilExit()
      try #require(child.terminationReason == .exit && child.terminationStatus == 0)
      return try shelf.folder.read("output")
    }
  }
}

/// The record that `file-writer` writes before and after a change.
private struct Record {
  /// The kind of the record: 1 before a write, 2 before a truncation, 3 after either.
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
