internal import EventLoop
internal import Foundation

/// Erases deleted data from the database's files while the device is running.
///
/// SQLite's option `secure_delete` overwrites deleted data, but not its copies in reordered pages and in the
/// write-ahead log (https://www.sqlite.org/pragma.html#pragma_secure_delete). To remove these copies, the whole
/// database must be rewritten, which takes time in proportion to its size.
///
/// Another thread therefore copies the database with `VACUUM INTO`, while the loop's thread continues to write. The
/// loop's thread then applies the rows that changed during the copying, a limited number in each time slice. Finally,
/// the copy replaces the database's file.
final class Vacuum {
  private let database: DeviceDatabase
  private let durability: Durability
  /// The loop whose worker threads make the copies, with its transactions and time slices; nil before
  /// ``use(_:transaction:slices:)`` is called.
  private var runner: (loop: EventLoop, transaction: LoopTransaction, slices: TimeSlices)?
  /// Whether the files may still contain deleted data.
  private var isDue: Bool
  /// Callers that wait for the next copy, because they deleted data after the current copy had begun.
  private var waiting: [() -> Void] = []
  /// Callers that wait for the current copy; nil if no copy is in progress.
  private var served: [() -> Void]?
  /// Two counts for the current copy. `settlements` is the number of times that another thread has settled it, that is,
  /// checkpointed the database's log and synchronised the copy. `unsettledRows` is the number of rows applied to the
  /// copy since then.
  private var (unsettledRows, settlements) = (0, 0)
  /// Counters for the work on the loop's thread.
  private(set) var counters = Counters()

  struct Counters: Equatable {
    /// The number of copies that have replaced the database.
    var copies = 0
    /// The number of rows that changed during a copy and were applied to it.
    var rows = 0
    /// The largest number of rows applied in one slice.
    var largestSlice = 0
    /// The number of times that a copy was settled.
    var settlements = 0
  }

  /// The maximum number of changed rows that one slice applies to each table.
  static let sliceLength = 64

  /// Creates the vacuum. If an erasure was due when the device last stopped, it is still due.
  ///
  /// - Throws: ``HostError`` if the database fails.
  init(_ database: DeviceDatabase, durability: Durability) throws(HostError) {
    self.database = database
    self.durability = durability
    isDue = try database.isErasureDue
  }

  /// Makes later erasures copy the database on the worker threads of `loop`.
  func use(_ loop: EventLoop, transaction: LoopTransaction, slices: TimeSlices) {
    runner = (loop, transaction, slices)
  }

  /// Records that an erasure is due. It runs at the latest when the device shuts down or next starts.
  func schedule() {
    guard !isDue else { return }
    isDue = true
    durability.persist { () throws(HostError) in try database.setErasureDue(true) }
  }

  /// If an erasure is due, starts it. The deleted data may be from an earlier run of the device.
  func resume() { if isDue { run {} } }

  /// Starts to erase deleted data. If another process is reading the database or the disk has no room for a copy,
  /// postpones the erasure until the device shuts down.
  ///
  /// - Parameter done: Called when the data has been erased, or the erasure has been postponed.
  func run(then done: @escaping () -> Void) {
    schedule()
    waiting.append(done)
    if served == nil { begin() }
  }

  /// If an erasure is due, erases the deleted data before it returns. Call it only while the device shuts down, because
  /// this may take long. If it is not possible now, the erasure remains due.
  func runIfDue() {
    guard isDue else { return }
    durability.persist { () throws(HostError) in
      database.abandonCopy()
      guard try database.vacuum() == .done else { return }
      try database.setErasureDue(false)
      isDue = false
    }
  }

  // MARK: Copying

  private func begin() {
    guard let (loop, _, slices) = runner, durability.error == nil, !slices.isClosing else {
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
      guard durability.error == nil else { return end() }
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

  /// Applies a limited number of changed rows to the copy. After the last row, starts to settle the copy if
  /// ``isToBeSettled`` is true; otherwise, replaces the database by the copy.
  ///
  /// - Returns: Whether the function must be called again, because changed rows are left.
  private func takeOver() -> Bool {
    var next = Step.end
    durability.persist { () throws(HostError) in
      let (rows, rest) = try database.takeOverChanges(limit: Self.sliceLength)
      counters.rows += rows
      counters.largestSlice = max(counters.largestSlice, rows)
      unsettledRows += rows
      guard !rest else { return next = .takeOver }
      guard !isToBeSettled else { return next = .settle }
      // The copy may still contain data that the waiting callers have deleted, so they need another
      // copy.
      guard let former = try database.replaceByCopy(isOnDisk: unsettledRows == 0) else { return }
      counters.copies += 1
      overwrite(former)
      guard waiting.isEmpty else { return }
      try database.setErasureDue(false)
      isDue = false
    }
    if durability.error != nil { next = .end }
    switch next {
    case .takeOver: return true
    case .settle: settle()
    case .end: end()
    }
    return false
  }

  /// Whether another thread must settle the copy before it replaces the database. True if more than ``sliceLength``
  /// rows are unsettled or, in a synchronised database, at least one row. Otherwise, the loop's thread would have to
  /// checkpoint or synchronise these rows. The number of settlements is limited, in case a guest never stops writing.
  private var isToBeSettled: Bool {
    settlements < Self.mostSettlements
      && unsettledRows > (database.isSynchronized ? 0 : Self.sliceLength)
  }

  private static let mostSettlements = 8

  private func settle() {
    guard let (loop, _, slices) = runner else { return end() }
    (unsettledRows, settlements) = (0, settlements + 1)
    counters.settlements += 1
    let (path, isSynchronized) = (database.path, database.isSynchronized)
    loop.work {
      DeviceDatabase.settleCopy(of: path, isSynchronized: isSynchronized)
    } then: { [unowned self] _ in
      guard durability.error == nil else { return end() }
      slices.inSlices { [unowned self] in takeOver() }
    }
  }

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
    // A callback may already have begun a copy.
    if served == nil, !waiting.isEmpty { begin() }
  }

  /// Postpones the erasure until the device shuts down, and notifies the callers that wait for the next copy.
  private func refuse() {
    let callers = waiting
    waiting = []
    call(callers)
  }

  private func call(_ callers: [() -> Void]) {
    let body = { for done in callers { done() } }
    if let transaction = runner?.transaction { transaction(body) } else { body() }
  }
}

// MARK: - Replaced file

/// The old file of a database that is replaced by a copy. Once it is replaced, the file has no name, but remains open.
final class ReplacedFile: Sendable {
  private let descriptor: Int32

  /// Opens the file, which must not have been replaced yet.
  init(_ path: String) { descriptor = open(path, O_RDWR | O_CLOEXEC) }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Overwrites the file with zeros, because deleting it would leave the content in the freed blocks of the disk. Does
  /// nothing if the file still has a name.
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
