internal import DequeModule

/// The runs of extensions that are running or wait to start.
///
/// The sender of a run is the app that caused it, directly or through an extension that runs for it. Senders take
/// turns, and each sender's runs start in the order of their requests. A sender has a bounded share of the slots and of
/// the queue, so other senders do not wait behind it for long.
///
/// A run may start another run and wait for it. If no slot is available to the sender, the new run borrows the slot of
/// the waiting run. Without borrowing, both runs could wait forever.
struct RunQueue<Run> {
  enum Admission: Equatable {
    case starts
    case waits
    /// The run may neither start nor wait.
    ///
    /// - Parameter why: The reason, as a clause.
    case refused(why: String)
  }

  private struct Entry {
    let name: String
    let starter: String
    let depth: Int
    let run: Run
  }

  private struct Running {
    let sender: String
    /// The number of runs in the chain from the first extension to this run; 1 if an app started this run.
    let depth: Int
    /// The run that lends its slot to this run; nil if this run has its own slot.
    var lender: String?
  }

  private let limits: DeviceConfiguration.Limits
  private var running: [String: Running] = [:]
  /// The runs that borrow a slot, keyed by the lending run.
  private var borrowers: [String: String] = [:]
  /// The number of slots in use, keyed by sender.
  private var places: [String: Int] = [:]
  /// The waiting runs of each sender, in order of arrival.
  private var waiting: [String: Deque<Entry>] = [:]
  /// The senders with waiting runs, in the order of their turns.
  private var turns: Deque<String> = []
  /// The number of waiting runs, keyed by the guest that requested them.
  private var waitingByStarter: [String: Int] = [:]
  private(set) var waitingCount = 0

  init(_ limits: DeviceConfiguration.Limits) { self.limits = limits }

  /// The number of runs that have their own slot.
  private var occupied: Int { running.count - borrowers.count }

  private func mayTakePlace(_ sender: String) -> Bool {
    occupied < limits.extensionInstances
      && places[sender, default: 0] < limits.extensionInstancesOfOneSender
  }

  /// Adds a run. If it starts, it counts as running.
  ///
  /// - Parameter starter: The guest that requests the run: an app, or a running extension.
  mutating func admit(_ run: Run, named name: String, startedBy starter: String) -> Admission {
    let parent = running[starter]
    let sender = parent?.sender ?? starter
    let depth = (parent?.depth ?? 0) + 1
    guard depth <= limits.nestedExtensions else {
      return .refused(
        why:
          "a chain of \(depth - 1) extensions, each started by the one before, is already running")
    }
    let entry = Entry(name: name, starter: starter, depth: depth, run: run)
    // While a slot is free, runs wait only if their sender already has its maximum of slots.
    if waiting[sender] == nil, mayTakePlace(sender) {
      take(entry, of: sender, from: nil)
      return .starts
    }
    if parent != nil, borrowers[starter] == nil {
      take(entry, of: sender, from: starter)
      return .starts
    }
    let own = waiting[sender]?.count ?? 0
    guard own < limits.queuedExtensionsOfOneSender else {
      return .refused(why: "\(own) runs of extensions for `\(sender)` are waiting already")
    }
    guard waitingCount < limits.queuedExtensions else {
      return .refused(why: "\(waitingCount) runs of extensions are waiting already")
    }
    if own == 0 { turns.append(sender) }
    waiting[sender, default: []].append(entry)
    waitingByStarter[starter, default: 0] += 1
    waitingCount += 1
    return .waits
  }

  /// Removes the next waiting run for which a slot is free, counts it as running, and returns it; nil if there is none.
  mutating func next() -> Run? {
    // While a slot is free, at most one sender has its maximum of slots.
    guard occupied < limits.extensionInstances,
      let turn = turns.firstIndex(where: { mayTakePlace($0) })
    else { return nil }
    let sender = turns[turn]
    guard let entry = waiting[sender]?.popFirst() else {
      preconditionFailure("the sender whose turn it is must have waiting runs")
    }
    turns.remove(at: turn)
    if waiting[sender]?.isEmpty == false { turns.append(sender) } else { waiting[sender] = nil }
    didLeave(entry)
    take(entry, of: sender, from: nil)
    return entry.run
  }

  /// Removes and returns the next run that the extension `starter` requested. The run borrows the starter's slot and
  /// counts as running. Returns nil if no such run waits, or if another run has borrowed the slot.
  mutating func nextStarted(by starter: String) -> Run? {
    guard let sender = running[starter]?.sender, borrowers[starter] == nil,
      waitingByStarter[starter] != nil,
      let index = waiting[sender]?.firstIndex(where: { $0.starter == starter }),
      let entry = waiting[sender]?.remove(at: index)
    else { return nil }
    if waiting[sender]?.isEmpty == true { forget(sender) }
    didLeave(entry)
    take(entry, of: sender, from: starter)
    return entry.run
  }

  /// Removes the waiting runs that a guest requested, and returns them in order of arrival.
  mutating func removeAll(startedBy starter: String) -> [Run] {
    let sender = running[starter]?.sender ?? starter
    guard waitingByStarter[starter] != nil, let all = waiting[sender] else { return [] }
    let removed = all.filter { $0.starter == starter }
    let rest = all.filter { $0.starter != starter }
    if rest.isEmpty { forget(sender) } else { waiting[sender] = rest }
    for entry in removed { didLeave(entry) }
    return removed.map(\.run)
  }

  /// Removes and returns all waiting runs, grouped by sender; each group is in order of arrival.
  mutating func removeAll() -> [Run] {
    defer { (waiting, turns, waitingByStarter, waitingCount) = ([:], [], [:], 0) }
    return turns.flatMap { (waiting[$0] ?? []).map(\.run) }
  }

  /// Removes a run that has ended, and frees its slot. If another run has borrowed the slot, the borrower keeps it.
  ///
  /// - Returns: The run that gets its slot back, because the ended run had borrowed it; nil if there is none.
  mutating func ended(_ name: String) -> String? {
    guard let run = running.removeValue(forKey: name) else { return nil }
    if let borrower = borrowers.removeValue(forKey: name) {
      running[borrower]?.lender = run.lender
      if let lender = run.lender { borrowers[lender] = borrower }
      return nil
    }
    if let lender = run.lender {
      borrowers[lender] = nil
      return lender
    }
    places[run.sender, default: 0] -= 1
    if places[run.sender] == 0 { places[run.sender] = nil }
    return nil
  }

  func isRunning(_ name: String) -> Bool { running[name] != nil }

  private mutating func take(_ entry: Entry, of sender: String, from lender: String?) {
    running[entry.name] = Running(sender: sender, depth: entry.depth, lender: lender)
    if let lender { borrowers[lender] = entry.name } else { places[sender, default: 0] += 1 }
  }

  private mutating func didLeave(_ entry: Entry) {
    waitingCount -= 1
    let left = waitingByStarter[entry.starter, default: 0] - 1
    waitingByStarter[entry.starter] = left > 0 ? left : nil
  }

  private mutating func forget(_ sender: String) {
    waiting[sender] = nil
    turns.removeAll { $0 == sender }
  }
}
