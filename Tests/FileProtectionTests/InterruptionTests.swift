import FileProtection
import Glibc
import Testing

/// A change and the file that it is made to.
struct InterruptedChange: Sendable, CustomTestStringConvertible {
  var name: String
  var before: [UInt8]
  var change: @Sendable (EncryptedFile) throws -> Void
  var testDescription: String { name }
}

/// A process may die before, in and after every system call of a change.
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

  @Test(arguments: changes) func eachChunkIsOldOrNew(of change: InterruptedChange) throws {
    let shelf = try Shelf()
    try shelf.create("note", change.before)
    // Each chunk is written twice, so that there are stale entries, and the second time by one who died.
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
        try expectOldOrNew(shelf, change.before, after, "call \(call), \(part) bytes")
        // Whoever comes next finds a file to go on with, whichever of two entries is the live one.
        try change.change(try shelf.open())
        #expect(try shelf.readAll().count == after.count)
        try shelf.open().write([1], at: 0)
        #expect(try shelf.open().read(1, at: 0) == [1])
      }
    }
  }

  @Test(arguments: changes) func twoDeathsAreAsOne(of change: InterruptedChange) throws {
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
        try expectOldOrNew(shelf, change.before, after, "calls \(first) and \(second)")
      }
    }
  }

  /// Where a call may be stopped: before all, and before each page.
  private func parts(of byteCount: Int) -> [Int] {
    byteCount <= 4096 ? [0] : Array(stride(from: 0, to: byteCount, by: 4096))
  }

  private func expectOldOrNew(
    _ shelf: Shelf, _ old: [UInt8], _ new: [UInt8], _ place: Comment
  ) throws {
    let now = try shelf.readAll()
    #expect(now.count == old.count || now.count == new.count, place)
    for start in stride(from: 0, to: now.count, by: 4096) {
      let chunk = Array(now[start..<min(start + 4096, now.count)])
      let choices = [old, new].map { Array($0.dropFirst(start).prefix(chunk.count)) }
      #expect(
        choices.contains { $0 + [UInt8](repeating: 0, count: chunk.count - $0.count) == chunk },
        "\(place), chunk \(start / 4096)")
    }
  }
}

/// Notes the calls of a change.
private final class Counted {
  private(set) var byteCounts: [Int] = []

  func count(_ bytes: Int) -> Int {
    byteCounts.append(bytes)
    return bytes
  }
}

/// Lets nothing through from a part of one call on.
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
