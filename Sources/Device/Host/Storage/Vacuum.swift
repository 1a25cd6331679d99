internal import EventLoop
internal import Foundation
internal import GRDB

/// The erasure of deleted data from the database's files, while the device keeps running.
///
/// `secure_delete` overwrites deleted data, but not its copies in reordered pages and in the write-ahead log
/// (https://www.sqlite.org/pragma.html#pragma_secure_delete). Rewriting the whole database removes these copies, in
/// time proportional to its size. So another thread makes a copy (`VACUUM INTO`, which can run beside a writer). The
/// loop's thread takes over rows that changed meanwhile, a slice at a time, and then the copy replaces the file.
final class Vacuum {
  private let database: DeviceDatabase
  private let durability: Durability
  /// The loop that runs the copies; nil until the device has one.
  private var runner: (loop: EventLoop, turn: Turn, slices: TimeSlices)?
  /// Whether the files may still hold deleted data.
  private var isDue: Bool
  /// Callers whose data was deleted after the copy under way began; they wait for the next one.
  private var waiting: [() -> Void] = []
  /// Callers that wait for the copy under way; nil: there is none.
  private var served: [() -> Void]?
  /// Rows that the copy under way has taken over since another thread last settled it, and the number of settlements.
  private var (unsettledRows, settlements) = (0, 0)
  /// The work of erasures on the loop's thread.
  private(set) var work = Work()

  /// Work of the loop's thread.
  struct Work: Equatable {
    /// Copies that have replaced the database.
    var copies = 0
    /// Rows that were taken over because they changed while a copy was made.
    var rows = 0
    /// The largest number of rows taken over in one slice.
    var largestSlice = 0
    /// Times that another thread moved the log and synchronised the copy after rows were taken over.
    var settlements = 0
  }

  /// The largest number of changed rows of a table that one slice takes over.
  static let sliceLength = 64

  /// - Throws: ``HostError`` where the database fails.
  init(_ database: DeviceDatabase, durability: Durability) throws(HostError) {
    self.database = database
    self.durability = durability
    isDue = try database.isErasureDue
  }

  /// Has erasures run on another thread from here on.
  func use(_ loop: EventLoop, turn: Turn, slices: TimeSlices) {
    runner = (loop, turn, slices)
  }

  /// Has deleted data erased when the device goes down, or when it next comes up.
  func schedule() {
    guard !isDue else { return }
    isDue = true
    durability.persist { () throws(HostError) in try database.setErasureDue(true) }
  }

  /// Erases data that an earlier run of the device deleted but did not erase.
  func resume() { if isDue { run {} } }

  /// Erases deleted data; when the device goes down, where another process is reading the database now or the disk has
  /// no room for a copy.
  ///
  /// - Parameter done: called when the data are erased; the device keeps running meanwhile.
  func run(then done: @escaping () -> Void) {
    schedule()
    waiting.append(done)
    if served == nil { begin() }
  }

  /// Erases deleted data of a device that is going down.
  func runIfDue() {
    guard isDue else { return }
    durability.persist { () throws(HostError) in
      database.abandonCopy()
      guard try database.vacuum() == .done else { return }
      try database.setErasureDue(false)
      isDue = false
    }
  }

  // MARK: a copy

  private func begin() {
    guard let (loop, _, slices) = runner, durability.fault == nil, !slices.isClosing else {
      return refuse()
    }
    var hasBegun = false
    durability.persist { () throws(HostError) in
      try database.beginCopy()
      hasBegun = true
    }
    guard hasBegun else { return refuse() }
    served = waiting
    waiting = []
    (unsettledRows, settlements) = (0, 0)
    let (path, isSynchronized) = (database.path, database.isSynchronized)
    loop.work {
      DeviceDatabase.writeCopy(of: path, isSynchronized: isSynchronized)
    } then: { [unowned self] result in
      guard durability.fault == nil else { return end() }
      switch result {
      case .success(.done): slices.inSlices { [unowned self] in takeOver() }
      case .success: end()
      case .failure(let error):
        durability.fail(error)
        end()
      }
    }
  }

  private enum Step {
    case takeOver
    case settle
    case end
  }

  /// Takes over some of what has changed; when nothing is left, has the copy replace the database.
  ///
  /// - Returns: whether more is left.
  private func takeOver() -> Bool {
    var next = Step.end
    durability.persist { () throws(HostError) in
      let (rows, rest) = try database.takeOverChanges(limit: Self.sliceLength)
      work.rows += rows
      work.largestSlice = max(work.largestSlice, rows)
      unsettledRows += rows
      guard !rest else { return next = .takeOver }
      guard !isToBeSettled else { return next = .settle }
      // Callers that wait by now have deleted data that the copy may still contain.
      guard let former = try database.replaceByCopy(isOnDisk: unsettledRows == 0) else { return }
      work.copies += 1
      overwrite(former)
      guard waiting.isEmpty else { return }
      try database.setErasureDue(false)
      isDue = false
    }
    if durability.fault != nil { next = .end }
    switch next {
    case .takeOver: return true
    case .settle: settle()
    case .end: end()
    }
    return false
  }

  /// Whether the loop's thread would have more than a slice to move or to synchronise. A guest that never stops writing
  /// is not waited for.
  private var isToBeSettled: Bool {
    settlements < Self.mostSettlements
      && unsettledRows > (database.isSynchronized ? 0 : Self.sliceLength)
  }

  private static let mostSettlements = 8

  private func settle() {
    guard let (loop, _, slices) = runner else { return end() }
    (unsettledRows, settlements) = (0, settlements + 1)
    work.settlements += 1
    let (path, isSynchronized) = (database.path, database.isSynchronized)
    loop.work {
      DeviceDatabase.settleCopy(of: path, isSynchronized: isSynchronized)
    } then: { [unowned self] _ in
      guard durability.fault == nil else { return end() }
      slices.inSlices { [unowned self] in takeOver() }
    }
  }

  /// Overwrites the file that the copy has replaced.
  private func overwrite(_ file: ReplacedFile) {
    runner?.loop.work {
      file.overwrite()
    } then: { _ in
    }
  }

  private func end() {
    database.abandonCopy()
    let callers = served ?? []
    served = nil
    call(callers)
    // One of those that were called may have begun already.
    if served == nil, !waiting.isEmpty { begin() }
  }

  /// Calls the waiting callers: their deleted data are erased when the device goes down.
  private func refuse() {
    let callers = waiting
    waiting = []
    call(callers)
  }

  private func call(_ callers: [() -> Void]) {
    let body = { for done in callers { done() } }
    if let turn = runner?.turn { turn(body) } else { body() }
  }
}

// MARK: - The replaced file

/// The file that a copy has replaced, which has no name any more.
final class ReplacedFile: Sendable {
  private let descriptor: Int32

  /// Opens the file, which still has its name.
  init(_ path: String) { descriptor = open(path, O_RDWR | O_CLOEXEC) }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Overwrites the file with zeros: the file system would only give its bytes free.
  func overwrite() {
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_nlink == 0 else { return }
    let zeros = [UInt8](repeating: 0, count: 64 << 10)
    var offset: off_t = 0
    while offset < status.st_size {
      let written = pwrite(
        descriptor, zeros, min(zeros.count, Int(status.st_size - offset)), offset)
      guard written > 0 else { return }
      offset += off_t(written)
    }
  }
}
